import { describe, expect, it } from "vitest";
import { applyChanges, MEMORY_UPSTREAM, planSetup, revertChanges } from "./plan.ts";

const KEY = "k".repeat(40);
const context = { port: 8403, installKey: KEY, localHosts: ["gpu.lan"], known: {} };
const host = () => ({
  models: {
    providers: {
      cloud: {
        baseUrl: "https://api.example.com/v1",
        apiKey: "x",
        api: "openai-completions",
        models: [{ id: "big" }],
      },
      here: { baseUrl: "http://127.0.0.1:11434/v1", models: [{ id: "small" }] },
      lan: { baseUrl: "http://gpu.lan:8000/v1", api: "openai-completions", models: [] },
      odd: { baseUrl: "https://x.example/v1", api: "bedrock-converse-stream", models: [] },
    },
  },
  agents: {
    defaults: {
      model: { primary: "cloud/big", fallbacks: ["anthropic/claude-x"] },
      utilityModel: "mystery/tiny",
    },
  },
  memory: { search: { remote: { baseUrl: "https://embed.example/v1" } } },
});

describe("setup plan", () => {
  it("puts every provider, also one only referred to, behind the proxy and keeps the true upstreams", () => {
    const plan = planSetup(host(), context);
    expect(plan.upstreams).toEqual({
      cloud: { baseUrl: "https://api.example.com/v1", api: "openai-completions", local: false },
      here: { baseUrl: "http://127.0.0.1:11434/v1", api: "openai-completions", local: true },
      lan: { baseUrl: "http://gpu.lan:8000/v1", api: "openai-completions", local: true },
      anthropic: { baseUrl: "https://api.anthropic.com", api: "anthropic-messages", local: false },
      [MEMORY_UPSTREAM]: { baseUrl: "https://embed.example/v1", api: "openai-completions", local: false },
    });
    const byPath = Object.fromEntries(plan.changes.map((c) => [c.path, c.after]));
    expect(byPath["/plugins/entries/clawxrouter/hooks/allowConversationAccess"]).toBe(true);
    expect(byPath["/models/providers/cloud/baseUrl"]).toBe(`http://127.0.0.1:8403/k/${KEY}/p/cloud/v1`);
    expect(byPath["/models/providers/here/api"]).toBe("openai-completions");
    expect(byPath["/models/providers/anthropic"]).toEqual({
      baseUrl: `http://127.0.0.1:8403/k/${KEY}/p/anthropic`,
      api: "anthropic-messages",
      models: [],
    });
    expect(plan.problems.join("\n")).toContain("mystery");
    expect(plan.problems.join("\n")).toContain("bedrock");
  });

  it("takes a gateway on loopback for a cloud, and says how to overrule that", () => {
    const config = {
      models: {
        providers: {
          litellm: { baseUrl: "http://127.0.0.1:4000/v1", models: [{ id: "llama" }] },
          bridge: { baseUrl: "http://127.0.0.1:4001/v1", models: [{ id: "x" }] },
        },
      },
    };
    const plan = planSetup(config, context);
    expect(plan.upstreams.litellm).toMatchObject({ local: false });
    expect(plan.upstreams.bridge).toMatchObject({ local: true });
    const note = (id: string, from = plan) =>
      from.changes.find((change) => change.path === `/models/providers/${id}/baseUrl`)?.note;
    expect(note("litellm")).toContain('add "litellm" to privacy.localProviders.trust');
    expect(note("bridge")).toContain("127.0.0.1:4001 is on this machine");
    const said = { ...context, localProviders: { trust: ["litellm"], treatAsCloud: ["bridge"] } };
    const second = planSetup(config, said);
    expect(second.upstreams.litellm).toMatchObject({ local: true });
    expect(second.upstreams.bridge).toMatchObject({ local: false });
  });

  it("puts providers behind the proxy that a key, a login or memory search could reach", () => {
    const config = {
      auth: { profiles: { a: { provider: "xai", mode: "api_key" } } },
      memory: { search: { provider: "google" } },
    };
    const plan = planSetup(config, { ...context, env: { OPENAI_API_KEY: "x" } });
    expect(Object.keys(plan.upstreams).sort()).toEqual(["google", "openai", "xai"]);
    expect(plan.changes.find((c) => c.path === "/models/providers/openai")?.after).toMatchObject({
      agentRuntime: { id: "openclaw" },
    });
    expect(planSetup(config, context).upstreams).not.toHaveProperty("openai");
  });

  it("is idempotent and keeps upstreams when run again", () => {
    const config: Record<string, unknown> = host();
    const first = planSetup(config, context);
    applyChanges(config, first.changes);
    const second = planSetup(config, { ...context, known: first.upstreams });
    expect(second.changes).toEqual([]);
    expect(second.upstreams).toEqual(first.upstreams);
  });

  it("refuses to guess behind a proxy URL it does not know", () => {
    const config: Record<string, unknown> = host();
    applyChanges(config, planSetup(config, context).changes);
    expect(planSetup(config, context).problems.join("\n")).toContain('"cloud"');
  });

  it("is taken back exactly, except what somebody changed since", () => {
    const config: Record<string, unknown> = host();
    const { changes } = planSetup(config, context);
    applyChanges(config, changes);
    expect(revertChanges(config, changes).kept).toEqual([]);
    expect(config).toEqual(host());

    applyChanges(config, changes);
    (config.models as { providers: Record<string, Record<string, unknown>> }).providers.cloud = {
      baseUrl: "https://new.example/v1",
    };
    const { kept } = revertChanges(config, changes);
    expect(kept).toContain("/models/providers/cloud/baseUrl");
    expect((config.models as { providers: Record<string, unknown> }).providers.cloud).toEqual({
      baseUrl: "https://new.example/v1",
    });
  });
});
