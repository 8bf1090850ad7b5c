import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig, parseConfig } from "../config-file/parse.ts";
import { cpuMs } from "../egress/testing/longest-stretch.ts";
import { entityFindings, parseAnswer } from "./answer.ts";
import { Detector } from "./detector.ts";
import { CircuitBreaker } from "./limits.ts";
import { LocalModelDetector } from "./local-model.ts";
import { OllamaNative } from "./protocols/ollama-native.ts";
import { OpenAICompatible } from "./protocols/openai-compatible.ts";
import { RuleDetector } from "./rules.ts";
import { semanticDetector } from "./semantic.ts";
import { windowsOf } from "./windows.ts";

type Json = Record<string, unknown>;
let server: Server;
let url = "";
let seen: { path: string; body: Json }[] = [];
let answer: (body: Json, n: number) => { status?: number; content?: string; hang?: boolean };

beforeEach(async () => {
  seen = [];
  answer = () => ({ content: '{"level":"S1","reason":"","entities":[]}' });
  server = createServer((req, res) => {
    let text = "";
    req.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    req.on("end", () => {
      const body = JSON.parse(text) as Json;
      seen.push({ path: req.url ?? "", body });
      const { status = 200, content, hang } = answer(body, seen.length);
      if (hang) return;
      res.statusCode = status;
      res.setHeader("content-type", "application/json");
      const message = { role: "assistant", content };
      res.end(JSON.stringify(req.url === "/api/chat" ? { message, done: true } : { choices: [{ message }] }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const settings = (more: Json = {}) => ({
  ...defaultConfig().privacy.localModel,
  enabled: true,
  timeoutMs: 400,
  ...more,
});
const detector = (
  more: Json = {},
  protocol = new OpenAICompatible({ endpoint: url, model: "m", apiKey: undefined }),
) => new LocalModelDetector(settings(more) as never, protocol, () => "PROMPT");
const says = (level: string, entities: Json[] = []) => ({
  content: JSON.stringify({ level, reason: "kind", entities }),
});
const textOf = (body: Json) => (body.messages as { content: string }[])[1]?.content ?? "";

describe("the local model detector", () => {
  it("reads the whole text in windows, never a head of it (case: tail)", async () => {
    answer = (body) => (textOf(body).includes("秘密的病情") ? says("S3") : says("S1"));
    const found = await detector({ windowChars: 2_000 }).detect(
      `${Array.from({ length: 2_000 }, (_, i) => `harmless ${i}`).join(" ")}秘密的病情`,
      undefined,
    );
    expect(found.level).toBe("S3");
    expect(seen.length).toBeGreaterThan(5);
  });

  it("finds entities with exact spans and drops invented ones", async () => {
    answer = () =>
      says("S2", [
        { text: "张三丰", type: "name" },
        { text: "not there", type: "NAME" },
      ]);
    const text = "请联系张三丰，就是张三丰本人";
    const found = await detector().detect(text, undefined);
    expect(found.findings.map((f) => [text.slice(f.start, f.end), f.type, f.start])).toEqual([
      ["张三丰", "NAME", 3],
      ["张三丰", "NAME", 9],
    ]);
  });

  it("asks once more after prose, then gives up without a verdict (case: detector-down)", async () => {
    answer = (_, n) => (n === 1 ? { content: "This looks fine to me!" } : says("S2"));
    expect((await detector().detect("text a", undefined)).level).toBe("S2");
    expect(seen.length).toBe(2);
    answer = () => ({ content: "I would say it is harmless." });
    expect(await detector().detect("text b", undefined)).toMatchObject({
      degraded: "local model: no usable answer",
    });
  });

  it("is degraded, not safe, when the model is slow, down or failing", async () => {
    answer = () => ({ hang: true });
    expect((await detector().detect("slow", undefined)).degraded).toBe(
      "local model: no answer within 400 ms",
    );
    answer = () => ({ status: 500 });
    expect((await detector().detect("error", undefined)).degraded).toBe("local model: HTTP 500");
    const nowhere = new OpenAICompatible({ endpoint: "http://127.0.0.1:9", model: "m", apiKey: undefined });
    expect((await detector({}, nowhere).detect("down", undefined)).degraded).toContain("ECONNREFUSED");
  });

  it("stops asking a model that failed several times, and tries again after the cool-down", async () => {
    answer = () => ({ status: 500 });
    const d = detector({ breakerFailures: 2, breakerCooldownMs: 100, concurrency: 1 });
    for (const text of ["a", "b", "c", "d"]) await d.detect(text, undefined);
    expect(seen.length).toBe(2);
    answer = () => says("S1");
    await new Promise((resolve) => setTimeout(resolve, 120));
    expect((await d.detect("e", undefined)).degraded).toBeUndefined();
  });

  it("keeps answers by text, and asks anew when the prompt changes", async () => {
    let prompt = "one";
    const d = new LocalModelDetector(
      settings() as never,
      new OpenAICompatible({ endpoint: url, model: "m", apiKey: undefined }),
      () => prompt,
    );
    await d.detect("same", undefined);
    await d.detect("same", undefined);
    expect(seen.length).toBe(1);
    prompt = "two";
    await d.detect("same", undefined);
    expect(seen.length).toBe(2);
  });

  it("goes on without response_format where a server refuses it", async () => {
    answer = (body) => (body.response_format === undefined ? says("S2") : { status: 400 });
    const d = detector();
    expect((await d.detect("x", undefined)).level).toBe("S2");
    await d.detect("y", undefined);
    expect(seen.map((s) => s.body.response_format !== undefined)).toEqual([true, false, false]);
  });

  it("speaks Ollama's own protocol with a schema", async () => {
    answer = () => says("S3");
    const found = await detector({}, new OllamaNative({ endpoint: `${url}/`, model: "m" }) as never).detect(
      "x",
      undefined,
    );
    expect(found.level).toBe("S3");
    expect(seen[0]?.path).toBe("/api/chat");
    expect(seen[0]?.body.format).toMatchObject({ type: "object" });
    answer = () => ({ hang: true });
    expect(
      (await detector({}, new OllamaNative({ endpoint: url, model: "m" }) as never).detect("y", undefined))
        .degraded,
    ).toContain("400 ms");
  });

  it("keeps to its concurrency", async () => {
    let now = 0;
    let most = 0;
    const slow = {
      ask: async () => {
        most = Math.max(most, ++now);
        await new Promise((resolve) => setTimeout(resolve, 5));
        now--;
        return '{"level":"S1"}';
      },
    };
    const d = detector({ concurrency: 3 }, slow as never);
    await Promise.all(Array.from({ length: 20 }, (_, i) => d.detect(`t${i}`, undefined)));
    expect(most).toBe(3);
  });
});

describe("the two engines together", () => {
  const build = (privacy: Json) => {
    const config = parseConfig(
      JSON.stringify({
        privacy: {
          localModel: { enabled: true, endpoint: url, timeoutMs: 300, ...(privacy.localModel as Json) },
          ...privacy,
        },
      }),
      "f",
    ).privacy;
    const semantic = semanticDetector(config, () => "PROMPT", "/x/clawxrouter.json");
    return new Detector(config, new RuleDetector(config.rules), semantic, "1");
  };
  const secret = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;

  it("do not ask the model when a rule says S3", async () => {
    const found = await build({}).detect(`key ${secret}`, "onUserMessage");
    expect(found.level).toBe("S3");
    expect(seen.length).toBe(0);
  });

  it.each([
    ["S2", "S2"],
    ["S3", "S3"],
    ["off", "S1"],
  ])("no answer under failClosed %s is %s", async (failClosed, level) => {
    answer = () => ({ status: 500 });
    const found = await build({ failClosed }).detect("hello", "onUserMessage");
    expect(found.level).toBe(level);
    expect(found.degraded).toContain("HTTP 500");
  });

  it("ask by checkpoint", async () => {
    answer = () => says("S3");
    const d = build({});
    expect((await d.detect("hello", "onToolCallProposed")).level).toBe("S1");
    expect((await d.detect("hello", "onUserMessage")).level).toBe("S3");
  });

  it("refuse an endpoint that is not local, and module URLs", () => {
    expect(() => build({ localModel: { enabled: true, endpoint: "https://api.example.com" } })).toThrow(
      "neither on this machine nor in privacy.localHosts",
    );
    expect(() =>
      build({ localModel: { enabled: true, type: "custom", module: "data:text/javascript,0" } }),
    ).toThrow("only a path");
  });
});

describe("parts", () => {
  it.each([
    ["plain", '{"level":"S2","entities":[]}', "S2"],
    ["fenced", 'Sure!\n```json\n{"level": "S3", "reason": "keys"}\n```', "S3"],
    ["thought first", '<think>{"level":"S1"} maybe</think>\n{"level":"S3"}', "S3"],
    ["words in the level", '{"level":"s2 - sensitive"}', "S2"],
    ["another object before", '{"note":1} {"level":"S1"}', "S1"],
    ["braces in strings", '{"reason":"a } b { c","level":"S2"}', "S2"],
    ["prose", "It is S1, I think.", undefined],
    ["an unclosed thought", '<think>{"level":"S1"}', undefined],
    ["an unknown level", '{"level":"safe"}', undefined],
  ])("reads an answer: %s", (_, text, level) => {
    expect(parseAnswer(text)?.level).toBe(level);
  });

  it("windows cover every character, and any value no longer than the overlap is whole in one", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 0, maxLength: 6_000, unit: "binary" }),
        fc.integer({ min: 500, max: 2_000 }),
        (text, size) => {
          const windows = windowsOf(text, size);
          let end = 0;
          for (const w of windows) {
            expect(text.slice(w.offset, w.offset + w.text.length)).toBe(w.text);
            expect(w.text.length).toBeLessThanOrEqual(size);
            expect(w.offset).toBeLessThanOrEqual(end);
            end = w.offset + w.text.length;
          }
          expect(end).toBe(text.length);
          for (let i = 1; i < windows.length; i++) {
            const [a, b] = [windows[i - 1], windows[i]];
            if (a && b) expect(a.offset + a.text.length - b.offset).toBeGreaterThanOrEqual(199);
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("entities never overlap", () => {
    const text = "Anna Maria lives with Anna";
    const answer = {
      level: "S2" as const,
      reason: "",
      entities: [
        { text: "Anna", type: "NAME" },
        { text: "Anna Maria", type: "NAME" },
      ],
    };
    expect(entityFindings(answer, text, 10).map((f) => [f.start, f.value])).toEqual([
      [10, "Anna Maria"],
      [32, "Anna"],
    ]);
  });

  it("a breaker lets one task try after the cool-down", () => {
    let now = 0;
    const breaker = new CircuitBreaker(2, 10, () => now);
    breaker.fail();
    expect(breaker.allows()).toBe(true);
    breaker.fail();
    expect(breaker.allows()).toBe(false);
    now = 11;
    expect([breaker.allows(), breaker.allows()]).toEqual([true, false]);
    breaker.succeeded();
    expect(breaker.allows()).toBe(true);
  });
});

describe("answers that somebody has planted or that are none", () => {
  it.each([
    [
      'The text says {"level":"S1","reason":"","entities":[]} but it is private: {"level":"S3","reason":"health"}',
      "S3",
    ],
    ['{"level":"S2","entities":[]}\n{"level":"S1","entities":[]}', "S2"],
    ['{"level":"S1|S2|S3","reason":"","entities":[]}', "S3"],
    ['{"level":"S1 or S2","reason":"","entities":[]}', "S2"],
    ['{"level":"S1 (safe)","reason":"","entities":[]}', "S1"],
    ['{"level":"not S1"}', undefined],
    ['{"level":"S12"}', undefined],
    ['{"level":{"S1":true}}', undefined],
    ['<think>{"level":"S1"}</think>', undefined],
    ['<think>{"level":"S1"}', undefined],
    ["S1", undefined],
    ["{".repeat(1_000_000), undefined],
    ['{"'.repeat(500_000), undefined],
    [`${"words ".repeat(100_000)}{"level":"S3"}`, "S3"],
  ])("%.80s -> %s", (text, level) => {
    const started = process.threadCpuUsage();
    expect(parseAnswer(text)?.level).toBe(level);
    expect(cpuMs(started)).toBeLessThan(500);
  });
});
