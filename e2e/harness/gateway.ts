import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { packPlugin } from "../../scripts/pack.ts";
import { type CliResult, runCli } from "./cli.ts";
import { baseConfig, type Config, mergeConfig } from "./config.ts";
import { killLeftOver } from "./left-over.ts";
import { openaiCompletions } from "./models/openai-completions.ts";
import { ModelServer } from "./models/server.ts";
import { freePort } from "./ports.ts";
import { CUT_NETWORK, type TurnOptions, type TurnResult, turn } from "./turns.ts";
import { GatewayClient } from "./ws-client.ts";

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../..");
/** The host's own command line, to be run with Node. */
export const openclawEntry = path.join(root, "node_modules", "openclaw", "openclaw.mjs");

/** Our plugins by package folder, with the id they have in OpenClaw. */
export const PLUGIN_IDS = {
  clawxrouter: "clawxrouter",
  "llm-logger-plugin": "llm-logger-openclaw-plugin",
  "knowhub-plugin": "knowhub",
} as const;
export type PluginFolder = keyof typeof PLUGIN_IDS;

export interface GatewayOptions {
  /** Our plugins to install from their packed tarballs, each with its plugin config. */
  plugins?: Partial<Record<PluginFolder, Config>>;
  /** Grant `hooks.allowConversationAccess` to them. Default true. */
  grant?: boolean;
  /** Merged over the harness's openclaw.json. */
  config?: Config;
  /** Model servers by provider id; default: `cloud` and `local`. Stopped with the gateway. */
  models?: Record<string, ModelServer>;
  /** More environment for the gateway and the CLI. */
  env?: Record<string, string>;
  /** Files to write into the home before the first start, by path relative to HOME. */
  files?: Record<string, string>;
  /** Runs once after the plugins are installed and before the gateway starts. */
  beforeStart?: (gateway: Gateway) => Promise<void>;
  /** Prints the steps. Default: silent. */
  log?: (line: string) => void;
}

/** A running gateway on a temporary home, with the model servers it talks to. */
export interface Gateway {
  home: string;
  stateDir: string;
  port: number;
  token: string;
  url: string;
  models: Record<string, ModelServer>;
  client: GatewayClient;
  logFile: string;
  /** The environment of the CLI and the gateway. */
  env: Record<string, string>;
  /** One turn in a session (key below `agent:<agent>:`). */
  turn(session: string, text: string, options?: TurnOptions): Promise<TurnResult>;
  /** Any CLI command against this home; rejects only when `check` is set. */
  cli(
    args: string[],
    options?: { timeoutMs?: number; check?: boolean; input?: string; env?: Record<string, string> },
  ): Promise<CliResult>;
  /** Reads, changes and writes openclaw.json (the gateway hot-reloads it). */
  editConfig(change: (config: Config) => void): Promise<void>;
  /** SIGTERM, then starts again on the same home and port. */
  restart(): Promise<void>;
  /** Ends the process: SIGTERM by default. */
  kill(signal?: NodeJS.Signals): Promise<void>;
  start(): Promise<void>;
  /** The gateway's output so far. */
  log(): Promise<string>;
  /** Stops everything and removes the home; keeps the logs in e2e/.logs when `failed`. */
  close(failed?: boolean): Promise<void>;
}

/**
 * A model server for provider `name`, not yet started. All but `local` have a name under `.test`: a cloud on a loopback
 * address would count as local.
 */
export function modelServer(name: string): ModelServer {
  return new ModelServer({
    name,
    protocols: [openaiCompletions],
    hostname: name === "local" ? "127.0.0.1" : `${name}.test`,
  });
}

/**
 * Boots an isolated OpenClaw gateway: temporary HOME, free loopback ports, no way out but loopback.
 * @throws with the end of the gateway's log when it does not get ready.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const gateway = await prepareGateway(options);
  try {
    await options.beforeStart?.(gateway);
    options.log?.("starting the gateway");
    await gateway.start();
  } catch (error) {
    await gateway.close(true);
    throw error;
  }
  return gateway;
}

/** The same home, configuration and installed plugins, with no gateway process yet: for what the CLI alone does. */
export async function prepareGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const base = await mkdtemp(path.join(os.tmpdir(), "clawx-e2e-"));
  const models = options.models ?? { cloud: modelServer("cloud"), local: modelServer("local") };
  try {
    return await prepare(base, models, options);
  } catch (error) {
    for (const server of Object.values(models)) await server.stop();
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    throw error;
  }
}

async function prepare(
  base: string,
  models: Record<string, ModelServer>,
  options: GatewayOptions,
): Promise<Gateway> {
  const say = options.log ?? (() => {});
  const home = path.join(base, "home");
  const stateDir = path.join(home, ".openclaw");
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const port = await freePort();
  const token = randomBytes(24).toString("hex");
  for (const server of Object.values(models)) if (server.port === 0) await server.start();
  const logFile = path.join(base, "gateway.log");
  const configFile = path.join(stateDir, "openclaw.json");
  const env = environment(home, options.env);

  const config = mergeConfig(baseConfig(port, token, models, base), options.config ?? {});
  await writeFile(configFile, JSON.stringify(config, null, 2), { mode: 0o600 });
  for (const [file, text] of Object.entries(options.files ?? {})) {
    await mkdir(path.dirname(path.join(home, file)), { recursive: true });
    await writeFile(path.join(home, file), text);
  }

  const cli: Gateway["cli"] = async (
    args,
    { timeoutMs = 120_000, check = false, input, env: more = {} } = {},
  ) => {
    const result = await runCli(openclawEntry, args, { ...env, ...more }, base, timeoutMs, input);
    if (check && result.code !== 0)
      throw new Error(
        `openclaw ${args.join(" ")} ended with ${result.code}:\n${result.stdout}\n${result.stderr}`,
      );
    return result;
  };

  const editConfig: Gateway["editConfig"] = async (change) => {
    const current = JSON.parse(await readFile(configFile, "utf8")) as Config;
    change(current);
    await writeFile(configFile, JSON.stringify(current, null, 2), { mode: 0o600 });
  };

  for (const [folder, pluginConfig] of Object.entries(options.plugins ?? {}) as [PluginFolder, Config][]) {
    say(`installing ${folder}`);
    const tarball = await packPlugin(folder, { out: path.join(base, "packs") });
    await cli(["plugins", "install", `npm-pack:${tarball}`, "--force", "--accept-capabilities"], {
      check: true,
    });
    const id = PLUGIN_IDS[folder];
    await editConfig((c) => {
      const plugins = c.plugins as Config;
      const entries = (plugins.entries ?? {}) as Record<string, Config>;
      plugins.entries = entries;
      entries[id] = mergeConfig(entries[id] ?? {}, {
        enabled: true,
        ...(options.grant !== false && { hooks: { allowConversationAccess: true } }),
        ...(Object.keys(pluginConfig).length > 0 && { config: pluginConfig }),
      });
    });
  }

  let child: ChildProcess | undefined;
  let exited: Promise<void> = Promise.resolve();
  const gateway: Gateway = {
    home,
    stateDir,
    port,
    token,
    url: `http://127.0.0.1:${port}`,
    models,
    client: undefined as unknown as GatewayClient,
    logFile,
    env,
    cli,
    editConfig,
    async start() {
      const out = createWriteStream(logFile, { flags: "a" });
      child = spawn(process.execPath, [openclawEntry, "gateway"], {
        cwd: base,
        env: {
          ...env,
          NODE_OPTIONS: `--require ${CUT_NETWORK}`,
          E2E_CUT_LOG: path.join(base, "cut.log"),
        },
        stdio: ["ignore", "pipe", "pipe"],
        // Its own process group: tools the gateway started end with it.
        detached: true,
      });
      child.stdout?.pipe(out, { end: false });
      child.stderr?.pipe(out, { end: false });
      const started = child;
      exited = new Promise((resolve) => started.once("exit", () => resolve()));
      let dead = false;
      void exited.then(() => {
        dead = true;
      });
      try {
        gateway.client = await Promise.race([
          GatewayClient.connect(port, token),
          exited.then(() => {
            throw new Error("the gateway ended while starting");
          }),
        ]);
      } catch (error) {
        const tail = (await gateway.log()).split("\n").slice(-40).join("\n");
        if (!dead) await gateway.kill("SIGKILL");
        throw new Error(`${String(error)}\n--- end of ${logFile}:\n${tail}`);
      }
    },
    async kill(signal = "SIGTERM") {
      gateway.client?.close();
      if (!child?.pid || child.exitCode !== null || child.signalCode !== null) return;
      killGroup(child.pid, signal);
      const timer = setTimeout(() => child?.pid && killGroup(child.pid, "SIGKILL"), 20_000);
      await exited;
      clearTimeout(timer);
    },
    async restart() {
      await gateway.kill();
      await gateway.start();
    },
    log: () => readFile(logFile, "utf8").catch(() => ""),
    turn: (session, text, turnOptions = {}) => turn(gateway, session, text, turnOptions),
    async close(failed = false) {
      await gateway.kill();
      if (child?.pid) killGroup(child.pid, "SIGKILL");
      killLeftOver(gateway.home);
      for (const server of Object.values(models)) await server.stop();
      if (failed) {
        const kept = path.join(root, "e2e", ".logs", path.basename(base));
        await mkdir(kept, { recursive: true });
        await cp(logFile, path.join(kept, "gateway.log")).catch(() => {});
        for (const [name, server] of Object.entries(models))
          await writeFile(path.join(kept, `${name}.txt`), server.everything());
        console.error(`logs kept in ${kept}`);
      }
      await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
  return gateway;
}

function killGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** Only what a gateway needs: nothing of the user's own OpenClaw, keys or npm cache settings leaks in but his registry. */
function environment(home: string, more: Record<string, string> = {}): Record<string, string> {
  const userConfig = path.join(os.homedir(), ".npmrc");
  return {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    USERPROFILE: home,
    LANG: process.env.LANG ?? "C.UTF-8",
    TMPDIR: path.dirname(home),
    NPM_CONFIG_USERCONFIG: userConfig,
    NPM_CONFIG_CACHE: process.env.NPM_CONFIG_CACHE ?? path.join(os.homedir(), ".npm"),
    ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
    OPENCLAW_DISABLE_BONJOUR: "1",
    OPENCLAW_NO_RESPAWN: "1",
    OPENCLAW_EXEC_SHELL_SNAPSHOT: "0",
    NO_COLOR: "1",
    ...more,
  };
}
