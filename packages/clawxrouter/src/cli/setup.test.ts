import { describe, expect, it } from "vitest";
import { planSetup } from "../setup/plan.ts";
import { chineseNote } from "./setup.ts";

const CONTEXT = { port: 8403, installKey: "k".repeat(40), localHosts: [], known: {} };

describe("what setup says in Chinese", () => {
  const host = {
    memory: { search: { remote: { baseUrl: "https://emb.example.com/v1" } } },
    models: {
      providers: {
        far: { baseUrl: "https://api.example.com/v1", api: "openai-completions", models: [] },
        near: { baseUrl: "http://127.0.0.1:11434/v1", api: "openai-completions", models: [] },
        litellm: { baseUrl: "http://127.0.0.1:4000/v1", models: [] },
        "a/b": { baseUrl: "https://odd.example.com/v1", api: "openai-completions", models: [] },
      },
    },
  };
  const plan = planSetup(host, CONTEXT);
  const note = (path: string) => {
    const change = plan.changes.find((entry) => entry.path === path);
    if (change === undefined) throw new Error(`no change of ${path}`);
    return chineseNote(change, plan);
  };

  it("has a Chinese reason for every change", () => {
    expect(plan.changes.length).toBeGreaterThan(6);
    for (const change of plan.changes) expect(chineseNote(change, plan)).toMatch(/[\u4e00-\u9fff]/);
  });

  it("tells clouds, this machine and what only looks local apart, and names the true address", () => {
    expect(note("/models/providers/far/baseUrl")).toBe("发往 https://api.example.com/v1 的请求会先脱敏");
    expect(note("/models/providers/near/baseUrl")).toContain("本机模型：发往 http://127.0.0.1:11434/v1");
    expect(note("/models/providers/litellm/baseUrl")).toContain("privacy.localProviders.trust");
    expect(note("/models/providers/a~1b/baseUrl")).toContain("https://odd.example.com/v1");
  });
});
