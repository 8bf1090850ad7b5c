/** A gateway of OpenClaw 2026.3.31, installed into a cache folder: it is no dependency of this repository. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createWriteStream, existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { packPlugin } from "../scripts/pack.ts";
import { freePort, ModelServer, openaiCompletions, root } from "./harness/index.ts";

const run = promisify(execFile);
export const LEGACY_VERSION = "2026.3.31";
const cache = path.join(root, ".cache", `openclaw-${LEGACY_VERSION}`);
const entry = path.join(cache, "node_modules", "openclaw", "openclaw.mjs");

/** Installs the old host once; later runs reuse the folder. Takes about half a minute and 550 MB. */
export async function installLegacyHost(): Promise<string> {
  if (existsSync(entry)) return entry;
  await mkdir(cache, { recursive: true });
  await writeFile(path.join(cache, "package.json"), JSON.stringify({ private: true }));
  const args = [
    "install",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--omit=optional",
    `openclaw@${LEGACY_VERSION}`,
  ];
  await run("npm", args, { cwd: cache, timeout: 300_000, maxBuffer: 1 << 26 });
  return entry;
}

export interface LegacyGateway {
  home: string;
  stateDir: string;
  model: ModelServer;
  /** One turn through the gateway; resolves with the CLI's output. */
  turn(session: string, text: string): Promise<{ code: number; stdout: string; stderr: string }>;
  log(): Promise<string>;
  stop(): Promise<void>;
}

/** Boots the old host with the packed logger. @param pluginConfig settings of the logger. */
export async function startLegacyGateway(
  pluginConfig: Record<string, unknown>,
  options: {
    provider?: Record<string, unknown>;
    env?: Record<string, string>;
    model?: ModelServer;
    config?: (config: Record<string, unknown>) => void;
  } = {},
): Promise<LegacyGateway> {
  const openclaw = await installLegacyHost();
  const base = await mkdtemp(path.join(os.tmpdir(), "clawx-legacy-"));
  const home = path.join(base, "home");
  const stateDir = path.join(home, ".openclaw");
  await mkdir(stateDir, { recursive: true });
  const model = options.model ?? new ModelServer({ name: "cloud", protocols: [openaiCompletions] });
  if (model.port === 0) await model.start();
  const port = await freePort();
  const id = "llm-logger-openclaw-plugin";
  const configFile = path.join(stateDir, "openclaw.json");
  await writeFile(
    configFile,
    JSON.stringify({
      gateway: {
        mode: "local",
        port,
        bind: "loopback",
        auth: { mode: "token", token: randomBytes(16).toString("hex") },
      },
      agents: { defaults: { model: { primary: "cloud/main" }, skipBootstrap: true } },
      models: {
        providers: {
          cloud: {
            baseUrl: `${model.origin}/v1`,
            apiKey: "legacy-test-key",
            api: "openai-completions",
            models: [
              {
                id: "main",
                name: "main",
                contextWindow: 128_000,
                maxTokens: 4096,
                input: ["text"],
                reasoning: false,
                cost: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 },
              },
            ],
            ...options.provider,
          },
        },
      },
    }),
  );
  const env: Record<string, string> = {
    PATH: [path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: home,
    TMPDIR: base,
    NPM_CONFIG_USERCONFIG: path.join(os.homedir(), ".npmrc"),
    NPM_CONFIG_CACHE: path.join(os.homedir(), ".npm"),
    OPENCLAW_DISABLE_BONJOUR: "1",
    OPENCLAW_NO_RESPAWN: "1",
    NO_COLOR: "1",
    ...(process.env.NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS }),
    ...options.env,
  };
  const cli = async (...args: string[]) => {
    try {
      const { stdout, stderr } = await run(process.execPath, [openclaw, ...args], {
        env,
        cwd: base,
        timeout: 180_000,
        maxBuffer: 1 << 26,
      });
      return { code: 0, stdout, stderr };
    } catch (error) {
      const failed = error as { code?: number; stdout?: string; stderr?: string };
      return { code: failed.code ?? 1, stdout: failed.stdout ?? "", stderr: failed.stderr ?? String(error) };
    }
  };
  const tarball = await packPlugin("llm-logger-plugin", { out: path.join(base, "packs") });
  const unpacked = path.join(base, "unpacked");
  await mkdir(unpacked);
  await run("tar", ["xzf", tarball, "-C", unpacked]);
  await run("npm", ["install", "--omit=dev", "--no-audit", "--no-fund"], {
    cwd: path.join(unpacked, "package"),
    env,
  });
  const config = JSON.parse(await readFile(configFile, "utf8"));
  config.plugins ??= {};
  config.plugins.entries ??= {};
  config.plugins.load = { paths: [path.join(unpacked, "package")] };
  config.plugins.allow = [id];
  config.plugins.entries[id] = { ...config.plugins.entries[id], enabled: true, config: pluginConfig };
  options.config?.(config);
  await writeFile(configFile, JSON.stringify(config));

  const logFile = path.join(base, "gateway.log");
  const out = createWriteStream(logFile);
  const cut = `--require ${path.join(root, "e2e", "harness", "cut-network.cjs")}`;
  const child: ChildProcess = spawn(process.execPath, [openclaw, "gateway"], {
    cwd: base,
    env: { ...env, NODE_OPTIONS: [cut, options.env?.NODE_OPTIONS].filter(Boolean).join(" ") },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  child.stdout?.pipe(out, { end: false });
  child.stderr?.pipe(out, { end: false });
  const log = () => readFile(logFile, "utf8").catch(() => "");
  const kill = (signal: NodeJS.Signals) => {
    try {
      if (child.pid) process.kill(-child.pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  };
  const stop = async () => {
    const gone =
      child.exitCode !== null
        ? Promise.resolve()
        : new Promise<void>((done) => child.once("exit", () => done()));
    kill("SIGTERM");
    const hard = setTimeout(() => kill("SIGKILL"), 15_000);
    await gone;
    clearTimeout(hard);
    kill("SIGKILL");
    await model.stop();
    await rm(base, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  };
  const deadline = Date.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const text = await log();
      await stop();
      throw new Error(`the ${LEGACY_VERSION} gateway did not start:\n${text.slice(-3000)}`);
    }
    const up = await fetch(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(1000) }).then(
      () => true,
      () => false,
    );
    if (up) break;
    await new Promise((done) => setTimeout(done, 300));
  }
  return {
    home,
    stateDir,
    model,
    log,
    stop,
    turn: (session, text) =>
      cli("agent", "--agent", "main", "--session-id", session, "--message", text, "--json"),
  };
}
