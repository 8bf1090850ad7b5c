import { describe, expect, it } from "vitest";
import { parseConfig } from "../config-file/parse.ts";
import { viewHost } from "../setup/host-view.ts";
import { assessPosture, GRANT_KEY, postureLine } from "./posture.ts";

const PROXY = "http://127.0.0.1:8403/k/kkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkkk/p/cloud/v1";
const config = parseConfig(
  JSON.stringify({
    managed: {
      upstreams: { cloud: { baseUrl: "https://api.example/v1", api: "openai-completions", local: false } },
    },
  }),
  "f",
);
const host = (more: object = {}, baseUrl = PROXY) => ({
  models: { providers: { cloud: { baseUrl, api: "openai-completions", models: [{ id: "m" }] } } },
  agents: { defaults: { model: { primary: "cloud/m" } } },
  plugins: { entries: { clawxrouter: { hooks: { allowConversationAccess: true } } } },
  ...more,
});
const assess = (raw: unknown, more: object = {}) =>
  assessPosture({
    host: viewHost(raw),
    config,
    configError: undefined,
    proxy: { port: 8403, failure: undefined, runsHere: true },
    localModel: { provider: "ollama", model: "m" },
    selfTest: { ok: true, text: "self-test passed" },
    ...more,
  });
const failed = (posture: ReturnType<typeof assess>) => posture.items.filter((i) => !i.ok).map((i) => i.id);

describe("posture", () => {
  it("is green when all holds", () => {
    expect(assess(host())).toMatchObject({ state: "green" });
    expect(postureLine(assess(host()))).toContain("green");
  });
  it("names the one key to set without the grant", () => {
    const posture = assess(host({ plugins: { entries: {} } }));
    expect(posture.state).toBe("red");
    expect(failed(posture)).toEqual(["access"]);
    expect(postureLine(posture)).toContain(GRANT_KEY);
  });
  it("is red for an unpatched provider, with the places that use it", () => {
    const posture = assess(host({}, "https://api.example/v1"));
    expect(failed(posture)).toEqual(["provider:cloud"]);
    expect(posture.items.find((i) => i.id === "provider:cloud")?.text).toContain(
      "/agents/defaults/model/primary",
    );
  });
  it("sees utility, fallback and compaction models of other providers", () => {
    const posture = assess(
      host({
        agents: {
          defaults: {
            model: { primary: "cloud/m", fallbacks: ["anthropic/x"] },
            utilityModel: "mystery/y",
            compaction: { model: "openai/z" },
          },
        },
      }),
    );
    expect(failed(posture)).toEqual(["provider:anthropic", "provider:mystery", "provider:openai"]);
    expect(posture.state).toBe("red");
  });
  it("sees agents that run outside the host's own loop", () => {
    const agents = {
      defaults: { model: { primary: "cloud/m" }, models: { "cloud/m": { agentRuntime: { id: "codex" } } } },
    };
    expect(failed(assess(host({ agents })))).toEqual(["runtime:codex"]);
    expect(
      assess(
        host({ agents: { defaults: { model: { primary: "cloud/m" }, agentRuntime: { id: "openclaw" } } } }),
      ).state,
    ).toBe("green");
  });
  it("is yellow without a local model and for a local provider beside the proxy", () => {
    expect(assess(host(), { localModel: undefined }).state).toBe("yellow");
    const both = host();
    Object.assign(both.models.providers, { here: { baseUrl: "http://127.0.0.1:11434/v1", models: [] } });
    expect(assess(both).state).toBe("yellow");
  });
  it("says what is trusted as local and why, and doubts a gateway on loopback", () => {
    const raw = host();
    const proxied = (id: string) => `http://127.0.0.1:8403/k/${"k".repeat(40)}/p/${id}/v1`;
    Object.assign(raw.models.providers, {
      home: { baseUrl: proxied("home"), models: [{ id: "qwen3:8b" }] },
      litellm: { baseUrl: proxied("litellm"), models: [{ id: "llama" }] },
      mixed: { baseUrl: proxied("mixed"), models: [{ id: "claude-sonnet-4-6" }] },
      bridge: { baseUrl: proxied("bridge"), models: [{ id: "x" }] },
    });
    const at = (port: number) => ({
      baseUrl: `http://127.0.0.1:${port}/v1`,
      api: "openai-completions",
      local: true,
    });
    const upstreams = {
      ...config.managed.upstreams,
      home: at(11434),
      litellm: at(4000),
      mixed: at(4001),
      bridge: at(4002),
    };
    const settings = (localProviders: object) =>
      parseConfig(JSON.stringify({ privacy: { localProviders }, managed: { upstreams } }), "f");
    const posture = assess(raw, { config: settings({ treatAsCloud: ["bridge"] }) });
    expect(posture.state).toBe("yellow");
    expect(failed(posture)).toEqual(["locality:litellm", "locality:mixed"]);
    const told = (id: string) => posture.items.find((entry) => entry.id === `locality:${id}`);
    expect(told("home")?.text).toBe("provider home is trusted as local: 127.0.0.1:11434 is on this machine");
    expect(told("mixed")?.text).toContain("claude-sonnet-4-6 is a model of a cloud");
    expect(told("mixed")?.fix).toContain("privacy.localProviders.trust");
    expect(told("bridge")).toMatchObject({ ok: true });
    expect(told("bridge")?.text).toContain("counts as a cloud");
    const trusted = assess(raw, { config: settings({ trust: ["litellm", "mixed"] }) });
    expect(trusted.state).toBe("green");
  });
  it("is red for a busy port, a bad file, an unproxied embeddings remote and a failed self-test", () => {
    expect(
      failed(assess(host(), { proxy: { port: undefined, failure: "port 8403 is taken", runsHere: true } })),
    ).toEqual(["proxy"]);
    expect(failed(assess(host(), { configError: "line 3: no" }))).toEqual(["config"]);
    expect(
      failed(assess(host({ memory: { search: { remote: { baseUrl: "https://e.example/v1" } } } }))),
    ).toEqual(["memory-search"]);
    expect(failed(assess(host(), { selfTest: { ok: false, text: "a canary left" } }))).toEqual(["self-test"]);
  });
});
