import path from "node:path";
import type { ModelServer } from "./models/server.ts";

/** A JSON object as OpenClaw's configuration holds them. */
export type Config = { [key: string]: unknown };

/** The openclaw.json every gateway of the harness starts from. */
export function baseConfig(
  port: number,
  token: string,
  models: Record<string, ModelServer>,
  base: string,
): Config {
  const model = (id: string, input: number) => ({
    id,
    name: id,
    contextWindow: 128_000,
    maxTokens: 4_096,
    input: ["text", "image"],
    reasoning: false,
    cost: { input, output: input * 2, cacheRead: input / 10, cacheWrite: 0 },
  });
  const providers: Config = {};
  for (const [id, server] of Object.entries(models)) {
    providers[id] = {
      baseUrl: `${server.origin}/v1`,
      apiKey: `${id}-test-key`,
      api: "openai-completions",
      models: id === "local" ? [model("private", 0)] : [model("main", 3), model("cheap", 0.1)],
    };
  }
  return {
    gateway: {
      mode: "local",
      port,
      bind: "loopback",
      auth: { mode: "token", token },
      http: { endpoints: { chatCompletions: { enabled: true }, responses: { enabled: true } } },
    },
    agents: { defaults: { model: { primary: "cloud/main" }, skipBootstrap: true } },
    models: { providers },
    plugins: { entries: {} },
    // The host's own log goes to a folder all gateways of a machine share unless it is named here.
    logging: { file: path.join(base, "openclaw.log") },
    update: { checkOnStart: false },
  };
}

/** Deep merge of plain objects; arrays and scalars of `over` win. */
export function mergeConfig(under: Config, over: Config): Config {
  const out: Config = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = out[key];
    out[key] = isObject(value) && isObject(below) ? mergeConfig(below, value) : value;
  }
  return out;
}

export function isObject(value: unknown): value is Config {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
