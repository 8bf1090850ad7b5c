/** A gateway with the logger and one agent for each provider protocol. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { freePort, type Gateway, type GatewayOptions, startGateway } from "./harness/index.ts";
import { LoggerStub, type StubExchange } from "./logger-stub.ts";

export const AGENTS = {
  main: { api: "openai-completions", base: "/v1" },
  resp: { api: "openai-responses", base: "/v1" },
  claude: { api: "anthropic-messages", base: "" },
  gemini: { api: "google-generative-ai", base: "/v1beta" },
  llama: { api: "ollama", base: "" },
} as const;
export type AgentName = keyof typeof AGENTS;

/** A made-up key in each provider's headers: it must appear in no file. */
export const plantedKey = (agent: string) => `planted${agent}${"Zq7Xk2".repeat(5)}`;

export interface LoggerLab {
  gateway: Gateway;
  stub: LoggerStub;
  logDir: string;
  /** All records of all log files. */
  records(): LogLine[];
  /** Waits until every stub request has its http_response line, or the time is over. */
  settled(timeoutMs?: number): Promise<void>;
}

export interface LogLine {
  eventType: string;
  file: string;
  [key: string]: unknown;
}

export async function startLoggerLab(
  plugin: Record<string, unknown> = {},
  options: Pick<GatewayOptions, "env" | "grant" | "config" | "log" | "files"> = {},
): Promise<LoggerLab> {
  const stub = await new LoggerStub().start();
  const model = {
    id: "m",
    name: "m",
    contextWindow: 128_000,
    maxTokens: 4096,
    input: ["text"],
    reasoning: false,
    cost: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  };
  const providers: Record<string, unknown> = {};
  const entries: Record<string, unknown> = {};
  for (const [agent, { api, base }] of Object.entries(AGENTS)) {
    providers[`p-${agent}`] = {
      baseUrl: `${stub.origin}${base}`,
      apiKey: plantedKey(agent),
      api,
      models: [model],
    };
    entries[agent] = { model: { primary: `p-${agent}/m` } };
  }
  providers["p-util"] = {
    baseUrl: `${stub.origin}/v1`,
    apiKey: plantedKey("util"),
    api: "openai-completions",
    models: [model],
  };
  // Nobody answers these two: one is refused by the kernel, one is stopped before the socket by the cut network.
  for (const [agent, baseUrl] of [
    ["refused", `http://127.0.0.1:${await freePort()}/v1`],
    ["blocked", "http://192.0.2.1:8080/v1"],
  ] as const) {
    providers[`p-${agent}`] = {
      baseUrl,
      apiKey: plantedKey(agent),
      api: "openai-completions",
      models: [model],
    };
    entries[agent] = { model: { primary: `p-${agent}/m` } };
  }
  const gateway = await startGateway({
    plugins: { "llm-logger-plugin": { maxBodyBytes: 8_000_000, ...plugin } },
    models: {},
    ...options,
    config: {
      agents: {
        ownership: "explicit",
        defaults: {
          model: { primary: "p-main/m" },
          skipBootstrap: true,
          utilityModel: "p-util/m",
          systemAgent: { agentId: "main" },
        },
        entries,
      },
      models: { providers },
      memory: {
        search: {
          provider: "openai-compatible",
          model: "embed-1",
          remote: { baseUrl: `${stub.origin}/v1/`, apiKey: plantedKey("embed") },
        },
      },
      ...options.config,
    },
  });
  const logDir = path.join(gateway.stateDir, "logs");
  const records = () => readLogs(logDir);
  return {
    gateway,
    stub,
    logDir,
    records,
    async settled(timeoutMs = 15_000) {
      const deadline = Date.now() + timeoutMs;
      let quiet = 0;
      let last = "";
      // Done when nothing changed for two seconds: the binding grace of the logger is shorter.
      while (Date.now() < deadline && quiet < 8) {
        await new Promise((done) => setTimeout(done, 250));
        const now = `${stub.exchanges.length} ${records().length}`;
        quiet = now === last ? quiet + 1 : 0;
        last = now;
      }
    },
  };
}

export function readLogs(dir: string): LogLine[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) =>
      readFileSync(path.join(dir, file), "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line) => ({ file, ...(JSON.parse(line) as { eventType: string }) })),
    );
}

/** The span of a request's traceparent, undefined without one. */
export function spanOf(exchange: StubExchange): string | undefined {
  return /^\w+-\w+-(\w+)-/.exec(String(exchange.headers.traceparent ?? ""))?.[1];
}
