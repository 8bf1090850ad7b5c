import { describe, expect, it, vi } from "vitest";
import { planSetup } from "../setup/plan.ts";
import { shown, withoutKeys } from "./setup.ts";

const SECRET = `sk-${"made-up".repeat(3)}`;
const HOST = {
  gateway: {},
  memory: { search: { remote: { baseUrl: `https://embed.example/v1?api_key=${SECRET}` } } },
  agents: { defaults: { model: { primary: "cloud/main" } } },
  models: {
    providers: {
      cloud: {
        baseUrl: `https://user:${SECRET}@cloud.example/v1`,
        api: "openai-completions",
        models: [{ id: "main" }],
      },
      query: { baseUrl: `https://q.example/v1?key=${SECRET}`, api: "openai-completions", models: [] },
      litellm: { baseUrl: "http://127.0.0.1:4000/v1", api: "openai-completions", models: [] },
      ollama: { baseUrl: "http://127.0.0.1:11434/v1", api: "openai-completions", models: [] },
      odd: { baseUrl: "https://odd.example", api: "odd-protocol", models: [] },
      none: { api: "openai-completions", models: [] },
      openai: { baseUrl: "https://api.openai.example/v1", api: "openai-completions", models: [] },
    },
  },
};

describe("a plan of setup", () => {
  const plan = planSetup(HOST, { port: 8_403, installKey: "k".repeat(32), localHosts: [], known: {} });

  it("is shown without a key, in its values, its notes and its problems", () => {
    const text = JSON.stringify([plan.changes.map(shown), plan.problems.map(withoutKeys)]);
    expect(plan.changes.length).toBeGreaterThan(5);
    expect(text).not.toContain(SECRET);
    expect(text).not.toContain("k".repeat(32));
    expect(text).toContain("q.example");
  });

  it("is told in Chinese on the Chinese page", async () => {
    vi.stubGlobal("navigator", { language: "zh", languages: ["zh"] });
    const { setupText } = await import("../web/app/i18n/setup-notes.ts");
    for (const text of [...plan.changes.map(({ note }) => note), ...plan.problems]) {
      expect(setupText(text), text).toMatch(/\p{Script=Han}/u);
      expect(setupText(text), text).not.toContain("undefined");
    }
    expect(setupText("something else")).toBe("something else");
    vi.unstubAllGlobals();
  });
});
