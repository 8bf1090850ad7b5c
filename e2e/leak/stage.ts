/** A gateway with recording models, as the scenes of the leak suite use it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type {
  LeakPath,
  PathStage,
  Said,
  ScriptedReply,
} from "../../packages/clawxrouter/src/selftest/paths.ts";
import { LeakSearch } from "../../packages/clawxrouter/src/selftest/search.ts";
import { Values } from "../../packages/clawxrouter/src/selftest/values.ts";
import {
  freePort,
  type Gateway,
  type ModelServer,
  modelServer,
  type RecordedRequest,
  startGateway,
  type TurnOptions,
} from "../harness/index.ts";
import { reply } from "./replies.ts";
import { setUp } from "./set-up.ts";

/** Models of the stage; all but `local` are clouds. `extra` is in no configuration until a scene puts it there. */
const MODELS = ["cloud", "backup", "utility", "embed", "extra", "local"] as const;
export type ModelName = (typeof MODELS)[number];

export const HOOK_TOKEN = "leak-suite-hook-token-0123456789";
const MCP_SERVER = fileURLToPath(new URL("./mcp-server.mjs", import.meta.url));

/** A scene of the suite: a path with a hand on the gateway. */
export interface Scene extends LeakPath<Stage> {
  /** Without the plugin, where values must be seen; default: {@link LeakPath.reaches}. */
  leaksAt?: readonly ModelName[];
  /** What no router can catch: what is seen is printed and is no failure. With the place where it is said. */
  limit?: string;
}

interface Own {
  search: LeakSearch;
  names: Set<string>;
}

export class Stage implements PathStage {
  readonly gateway: Gateway;
  readonly withPlugin: boolean;
  readonly proxyPort: number;
  /** All values made so far: each is looked for in every body to come. */
  readonly search = new LeakSearch();
  /** What this scene sends. */
  private own: Own = { search: new LeakSearch(), names: new Set() };
  private readonly since = new Map<string, number>();
  private readonly seed: string;
  private scenes = 0;

  constructor(gateway: Gateway, withPlugin: boolean, proxyPort: number, seed: string) {
    this.gateway = gateway;
    this.withPlugin = withPlugin;
    this.proxyPort = proxyPort;
    this.seed = seed;
  }

  model(name: ModelName): ModelServer {
    const server = this.gateway.models[name];
    if (server === undefined) throw new Error(`no model ${name}`);
    return server;
  }

  get workspace(): string {
    return path.join(this.gateway.stateDir, "workspace");
  }

  /**
   * Forgets the scripts of the scene before; what came since its end belongs to this one.
   * @param limit values of this scene cannot be caught: they are not looked for later
   */
  begin(limit = false): Values {
    const scene = ++this.scenes;
    const own: Own = { search: new LeakSearch(), names: new Set() };
    this.own = own;
    for (const name of MODELS) this.model(name).unscript();
    return new Values(`${this.seed}-${scene}`, (secrets) => {
      for (const { name, values } of secrets) {
        const sought = { name: `${name} of scene ${scene}`, values };
        own.names.add(sought.name);
        own.search.add(sought);
        if (!limit) this.search.add(sought);
      }
    });
  }

  /** Values in the bodies of this scene, by model; whole ones, and ones that were sent in pieces. */
  leaks(models: readonly ModelName[]): { model: ModelName; names: string[]; own: string[] }[] {
    return models
      .map((model) => {
        const bodies = this.bodies(model);
        const names = new Set<string>();
        for (const search of new Set([this.search, this.own.search])) {
          for (const body of bodies) for (const name of search.find(body)) names.add(name);
          for (const name of search.findAcross(bodies)) names.add(name);
        }
        return { model, names: [...names], own: [...names].filter((name) => this.own.names.has(name)) };
      })
      .filter(({ names }) => names.length > 0);
  }

  /** What came to a model in this scene. */
  bodies(name: ModelName): RecordedRequest[] {
    return this.model(name).requests.slice(this.since.get(name) ?? 0);
  }

  /** Ends a scene: what comes from now on is the next one's. */
  end(): void {
    for (const name of MODELS) this.since.set(name, this.model(name).requests.length);
  }

  async turn(session: string, text: string, via: TurnOptions["via"] | TurnOptions = "agent"): Promise<Said> {
    const options = typeof via === "object" ? via : { via };
    const {
      ok,
      text: said,
      error,
    } = await this.gateway.turn(session, text, { timeoutMs: 60_000, ...options });
    return ok ? { text: said, error: "" } : { text: "", error: error || said };
  }

  request(method: string, params: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.gateway.client.request(method, params);
  }

  cloud(match: string, ...replies: ScriptedReply[]): void {
    reply(this.model("cloud"), match, ...replies);
  }

  placeholder(): string | undefined {
    return this.placeholders()[0];
  }

  /** All S2 placeholders that the cloud has seen in this scene. */
  placeholders(): string[] {
    const all = this.bodies("cloud")
      .map(({ body }) => body)
      .join("\n");
    return [...new Set(all.match(/\[REDACTED:[A-Z0-9_]+\]/g) ?? [])];
  }

  session(name: string): string {
    return `${name}-${this.scenes}`.replaceAll(".", "");
  }

  async pause(ms: number): Promise<void> {
    await sleep(ms);
  }

  /** Until no model has been asked for `quietMs`, at most `mostMs`. */
  async quiet(quietMs = 1_500, mostMs = 20_000): Promise<void> {
    const count = () => MODELS.reduce((sum, name) => sum + this.model(name).requests.length, 0);
    const deadline = Date.now() + mostMs;
    let [seen, since] = [count(), Date.now()];
    while (Date.now() < deadline && Date.now() - since < quietMs) {
      await sleep(100);
      const now = count();
      if (now !== seen) [seen, since] = [now, Date.now()];
    }
  }

  /** Until the main model or the local one is asked anew. */
  async asked(mostMs = 20_000): Promise<void> {
    const count = () => this.model("cloud").requests.length + this.model("local").requests.length;
    const before = count();
    for (const deadline = Date.now() + mostMs; Date.now() < deadline && count() === before; )
      await sleep(100);
  }

  /** Hosts the gateway tried to reach beside the models, and how often: the harness let none of them through. */
  refused(): Record<string, number> {
    const log = path.join(path.dirname(this.gateway.home), "cut.log");
    const counts: Record<string, number> = {};
    for (const host of existsSync(log) ? readFileSync(log, "utf8").trim().split("\n") : [])
      if (host !== "") counts[host] = (counts[host] ?? 0) + 1;
    return counts;
  }

  /** Edits clawxrouter.json and waits until it is in force; nothing without the plugin. */
  async settings(privacy: Record<string, unknown>): Promise<void> {
    if (!this.withPlugin) return;
    const file = path.join(this.gateway.stateDir, "clawxrouter.json");
    const config = JSON.parse(readFileSync(file, "utf8")) as { privacy?: Record<string, unknown> };
    config.privacy = { ...config.privacy, ...privacy };
    writeFileSync(file, JSON.stringify(config, null, 2));
    await sleep(1_500);
  }

  /** A command about the plugin; nothing without it. */
  async plugin(...args: string[]): Promise<string> {
    return this.withPlugin ? (await this.gateway.cli(args)).stdout : "";
  }

  /** Whether the running plugin may read conversations, by the last line of its log on the matter. */
  async pluginHasAccess(): Promise<boolean> {
    const told = [...(await this.gateway.log()).matchAll(/posture (\w+): (.*)/g)].at(-1);
    return told !== undefined && !told[2]?.includes("conversation access is not granted");
  }

  /** Edits openclaw.json and waits until the gateway has taken it over. */
  async hostConfig(change: (config: Record<string, unknown>) => void): Promise<void> {
    const before = (await this.gateway.log()).length;
    await this.gateway.editConfig(change);
    for (let i = 0; i < 80; i++) {
      await sleep(100);
      if (/config hot reload applied|config change applied/.test((await this.gateway.log()).slice(before)))
        break;
    }
    await sleep(500);
  }
}

export async function startStage(withPlugin: boolean, seed: string): Promise<Stage> {
  const proxyPort = await freePort();
  const models = Object.fromEntries(MODELS.map((name) => [name, modelServer(name)])) as Record<
    ModelName,
    ModelServer
  >;
  for (const server of Object.values(models)) await server.start();
  const { extra: _, ...configured } = models;
  const gateway = await startGateway({
    plugins: withPlugin ? { clawxrouter: {} } : {},
    models: configured,
    config: {
      agents: {
        defaults: {
          model: { primary: "cloud/main", fallbacks: ["backup/main"] },
          utilityModel: "utility/cheap",
          skipBootstrap: false,
        },
      },
      hooks: { enabled: true, token: HOOK_TOKEN, path: "/hooks", allowedAgentIds: ["main"] },
      mcp: { servers: { leaknotes: { command: process.execPath, args: [MCP_SERVER] } } },
      tools: {
        media: {
          // A transcriber that takes the file for the words: what is said in a recording goes on as text.
          models: [{ type: "cli", command: "cat", args: ["{{AttachmentPath}}"], capabilities: ["audio"] }],
        },
      },
      memory: {
        search: {
          enabled: true,
          provider: "openai-compatible",
          model: "text-embed",
          remote: { baseUrl: `${models.embed.origin}/v1`, apiKey: "embed-test-key" },
        },
      },
    },
    files: {
      ".openclaw/clawxrouter.json": JSON.stringify({ privacy: { proxyPort } }),
      ".openclaw/workspace/README.md": "workspace",
    },
  });
  gateway.models.extra = models.extra;
  if (withPlugin) await setUp(gateway);
  return new Stage(gateway, withPlugin, proxyPort, seed);
}
