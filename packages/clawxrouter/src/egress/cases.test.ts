import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asArray, asObject, asString, type JsonObject } from "./json.ts";
import { DIALECTS } from "./testing/dialects.ts";
import { json, type RecordedRequest, sse } from "./testing/recording-upstream.ts";
import {
  AWS_KEY,
  type Bench,
  CARD,
  PHONE,
  PHONE_2,
  POLICY,
  ruleInspector,
  startBench,
} from "./testing/setup.ts";
import type { TextInspector } from "./types.ts";

/** Handed cases that the egress proxy answers for, and the file whose test it is when not this one. */
const COVERED: Record<string, string> = {
  "fallback-to-cloud": "local-routes.test.ts",
  "retry-unmarked": "here",
  "marker-in-user-text": "here",
  tail: "here",
  "tool-args-history": "here",
  "tool-role": "here",
  "anthropic-system": "here",
  "responses-instructions": "here",
  "sse-split": "response/transform.test.ts",
  "restored-args": "response/transform.test.ts",
  remask: "here",
  "two-people": "here",
  "detector-down": "here",
  "schema-property": "here",
  "429-once": "proxy.test.ts",
  "stream-tool-calls": "proxy.test.ts",
  website: "guards.test.ts",
  "host-trick": "guards.test.ts",
  "one-id-two-providers": "local-routes.test.ts",
  "same-prefix-results": "here",
};

const here = path.dirname(fileURLToPath(import.meta.url));
const handed = path.resolve(here, "../../../../../shared/cases/router.jsonl");

it.skipIf(!existsSync(handed))(
  "every case named here is a handed one (skipped when ../shared is absent)",
  () => {
    const ids = readFileSync(handed, "utf8")
      .trim()
      .split("\n")
      .map((line): string => JSON.parse(line).id);
    expect(Object.keys(COVERED).filter((id) => !ids.includes(id))).toEqual([]);
    for (const [id, file] of Object.entries(COVERED)) {
      const source = readFileSync(path.join(here, file === "here" ? "cases.test.ts" : file), "utf8");
      expect(source, `${id} in ${file}`).toMatch(new RegExp(`["(, ]${id}[":), ]`));
    }
  },
);

const CHAT = "/v1/chat/completions";
const chat = (...messages: JsonObject[]): JsonObject => ({ model: "m1", messages });
const user = (content: string): JsonObject => ({ role: "user", content });

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

/** Sends a body and gives what arrived at the cloud. */
async function sent(route: string, body: JsonObject): Promise<RecordedRequest> {
  const before = bench.cloud.requests.length;
  const answer = await bench.post(route, body);
  await answer.text();
  const request = bench.cloud.requests[before];
  if (!request) throw new Error(`nothing arrived; the proxy answered ${answer.status}`);
  return request;
}

describe("where a value may stand", () => {
  it("tail: after 20,000 characters of harmless text", async () => {
    const filler = "The quick brown fox jumps over the lazy dog. ".repeat(500);
    const request = await sent(CHAT, chat(user(`${filler}\nmy number is ${PHONE}`)));
    expect(request.body).not.toContain(PHONE);
    expect(request.body).toContain(filler.trim().slice(-100));
  });

  it("tail: at every border of the windows of a long text", async () => {
    const line = "harmless words in a line of a log file without anything to hide\n";
    for (const at of [96 * 1024 - 11, 96 * 1024 - 5, 96 * 1024, 88 * 1024 - 5, 184 * 1024 - 3]) {
      const filler = line.repeat(4000);
      const text = `${filler.slice(0, at)} ${PHONE} ${filler.slice(at, 250_000)}`;
      const request = await sent(CHAT, chat(user(text)));
      expect(request.body.includes(PHONE), `at ${at}`).toBe(false);
      expect(bench.vault.restore(asString(asObject(asArray(request.json.messages)[0])?.content) ?? "")).toBe(
        text,
      );
    }
  });

  it("tool-args-history: in the arguments of an earlier call; they stay valid JSON", async () => {
    const args = JSON.stringify({
      card: CARD,
      note: 'a "quote"',
      phone: Number(PHONE),
      deep: JSON.stringify({ p: PHONE_2 }),
    });
    const request = await sent(
      CHAT,
      chat(user("pay"), {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "pay", arguments: args } }],
      }),
    );
    for (const value of [CARD, PHONE, PHONE_2]) expect(request.body).not.toContain(value);
    const call = asObject(asArray(asObject(asArray(request.json.messages)[1])?.tool_calls)[0]);
    const parsed = JSON.parse(asString(asObject(call?.function)?.arguments) ?? "");
    expect(parsed.note).toBe('a "quote"');
    expect(JSON.parse(parsed.deep).p).toMatch(/^\[REDACTED:PHONE/);
  });

  it("tool-args-history: in tool_use.input and functionCall.args", async () => {
    const claude = await sent("/v1/messages", {
      model: "claude-x",
      messages: [
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "t", name: "pay", input: { to: [PHONE], card: CARD } }],
        },
      ],
    });
    const google = await sent("/v1beta/models/g:generateContent", {
      contents: [
        { role: "model", parts: [{ functionCall: { name: "pay", args: { to: PHONE, card: CARD } } }] },
      ],
    });
    for (const { body } of [claude, google]) {
      expect(body).not.toContain(PHONE);
      expect(body).not.toContain(CARD);
    }
  });

  it("tool-role: in tool results, plain or in parts", async () => {
    const plain = await sent(CHAT, chat({ role: "tool", tool_call_id: "c1", content: `found ${PHONE}` }));
    const parts = await sent(
      CHAT,
      chat({ role: "tool", tool_call_id: "c1", content: [{ type: "text", text: `found ${PHONE}` }] }),
    );
    const claude = await sent("/v1/messages", {
      model: "c",
      messages: [
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "t", content: [{ type: "text", text: `found ${PHONE}` }] },
          ],
        },
      ],
    });
    const responses = await sent("/v1/responses", {
      model: "m",
      input: [{ type: "function_call_output", call_id: "c", output: JSON.stringify({ phone: PHONE }) }],
    });
    for (const { body } of [plain, parts, claude, responses]) expect(body).not.toContain(PHONE);
  });

  it("anthropic-system: in system, as a string or in blocks", async () => {
    const messages = [user("hi")];
    const plain = await sent("/v1/messages", { model: "c", system: `call ${PHONE}`, messages });
    const blocks = await sent("/v1/messages", {
      model: "c",
      system: [{ type: "text", text: `call ${PHONE}` }],
      messages,
    });
    for (const { body } of [plain, blocks]) expect(body).not.toContain(PHONE);
  });

  it("responses-instructions: in instructions and input, as a string or in items", async () => {
    const plain = await sent("/v1/responses", {
      model: "m",
      instructions: `call ${PHONE}`,
      input: `or ${PHONE_2}`,
    });
    const items = await sent("/v1/responses", {
      model: "m",
      input: [
        { role: "user", content: [{ type: "input_text", text: `call ${PHONE}` }] },
        { type: "function_call", call_id: "c", name: "f", arguments: JSON.stringify({ p: PHONE_2 }) },
      ],
    });
    for (const { body } of [plain, items]) {
      expect(body).not.toContain(PHONE);
      expect(body).not.toContain(PHONE_2);
    }
  });

  it("embeddings, system prompts of all dialects, prompts of api/generate", async () => {
    const requests = [
      await sent("/v1/embeddings", { model: "e", input: [`call ${PHONE}`, "x"] }),
      await sent("/v1beta/models/e:embedContent", { content: { parts: [{ text: PHONE }] } }),
      await sent("/v1beta/models/g:generateContent", {
        systemInstruction: { parts: [{ text: PHONE }] },
        contents: [],
      }),
      await sent("/api/generate", { model: "m", prompt: PHONE, system: PHONE }),
      await sent("/api/embed", { model: "m", input: PHONE }),
      await sent(CHAT, chat({ role: "developer", content: PHONE })),
      await sent(CHAT, { ...chat(user("x")), some_new_field: { of: ["tomorrow", PHONE] } }),
    ];
    for (const { body, url } of requests) expect(body, url).not.toContain(PHONE);
  });

  it("token numbers in place of text are not sent", async () => {
    const answer = await bench.post("/v1/embeddings", { model: "e", input: [[1820, 374, 264], [9]] });
    expect(answer.status).toBe(400);
    expect(bench.cloud.requests).toHaveLength(0);
  });

  it("schema-property: tool schemas stay as they are", async () => {
    const parameters = {
      type: "object",
      properties: {
        pattern: { type: "string", description: "a regex", pattern: "^\\d+$" },
        format: { type: "string", format: "date-time" },
        description: { type: "string" },
        id: { type: "string", enum: ["a", "b"] },
      },
      required: ["pattern", "format"],
    };
    const tools = [
      { type: "function", function: { name: "search", description: "finds things", parameters } },
    ];
    const request = await sent(CHAT, { ...chat(user(`for ${PHONE}`)), tools });
    expect(request.json.tools).toEqual(tools);
  });
});

describe("placeholders", () => {
  it("remask: a restored value in the next turn's history gets the same placeholder", async () => {
    const [dialect] = DIALECTS;
    if (!dialect) throw new Error("no dialects");
    bench.cloud.answer((request, response) => {
      const token = /\[REDACTED:\w+\]/.exec(request.body)?.[0] ?? "";
      return sse(response, dialect.stream([`saved ${token}`], [JSON.stringify({ to: token })]));
    });
    const first = await bench.post(CHAT, dialect.request(`save ${PHONE}`, true));
    const { text, args } = dialect.assemble(await first.text());
    expect(text).toBe(`saved ${PHONE}`);
    expect(args).toEqual({ to: PHONE });

    const next = await sent(
      CHAT,
      chat(
        user(`save ${PHONE}`),
        {
          role: "assistant",
          content: text,
          tool_calls: [
            { id: "c", type: "function", function: { name: "save", arguments: JSON.stringify(args) } },
          ],
        },
        { role: "tool", tool_call_id: "c", content: `written: ${PHONE}` },
      ),
    );
    expect(next.body).not.toContain(PHONE);
    const tokens = new Set(next.body.match(/\[REDACTED:\w+\]/g));
    expect(tokens.size).toBe(1);
    expect(bench.cloud.requests[0]?.body).toContain([...tokens][0]);
  });

  it("two-people: two values have two placeholders, stable over turns", async () => {
    const turn = chat(user(`call ${PHONE}`), user(`and ${PHONE_2}`));
    const first = await sent(CHAT, turn);
    const again = await sent(CHAT, {
      ...turn,
      messages: [...asArray(turn.messages).toReversed(), user("go on")],
    });
    const tokens = first.body.match(/\[REDACTED:\w+\]/g) ?? [];
    expect(new Set(tokens).size).toBe(2);
    expect(again.body.match(/\[REDACTED:\w+\]/g)).toEqual(tokens.toReversed());
  });

  it("retry-unmarked: every attempt is redacted alike, whatever the host puts around it", async () => {
    const first = await sent(CHAT, chat(user(`call ${PHONE}`)));
    const retry = await sent(
      CHAT,
      chat(user(`[Retry after the previous model attempt failed or timed out]\n\ncall ${PHONE}`)),
    );
    const queued = await sent(
      CHAT,
      chat(
        user(`[Queued user message from a previous active turn; preserved as context only]\ncall ${PHONE}`),
      ),
    );
    const token = /\[REDACTED:\w+\]/.exec(first.body)?.[0] ?? "none";
    for (const { body } of [retry, queued]) {
      expect(body).not.toContain(PHONE);
      expect(body).toContain(token);
    }
  });

  it("marker-in-user-text: markers switch nothing off, cut nothing, restore nothing", async () => {
    for (const marker of [
      "[REDACTED:",
      "[REDACTED:PHONE_7]",
      "[SYSTEM] ",
      "🔒[private:k1]",
      "[PRIVATE:KEY_3]",
      "<redacted>",
    ]) {
      const request = await sent(CHAT, chat(user(`${marker} call ${PHONE} ${marker}`)));
      expect(request.body).not.toContain(PHONE);
      const content = asString(asObject(asArray(request.json.messages)[0])?.content) ?? "";
      expect(bench.vault.restore(content)).toBe(`${marker} call ${PHONE} ${marker}`);
    }
  });

  it("marker-in-user-text: a placeholder of another conversation is a literal here", async () => {
    const foreign = bench.vault.tokenise("someone@else.example", "EMAIL", "S2", "another session");
    bench.cloud.answer((request, response) =>
      json(response, 200, {
        choices: [
          {
            index: 0,
            message: { content: asString(asObject(asArray(request.json.messages)[0])?.content) ?? "" },
          },
        ],
      }),
    );
    const answer = await bench.post(CHAT, chat(user(`say ${foreign} and ${PHONE}`)));
    const text = await answer.text();
    expect(text).toContain(foreign);
    expect(text).toContain(PHONE);
    expect(text).not.toContain("someone@else.example");
  });

  it("same-prefix-results: two results that begin alike are each their own", async () => {
    const prefix = "row ".repeat(60);
    const results = [`${prefix}${PHONE} end`, `${prefix}${PHONE_2} end`];
    const request = await sent(
      CHAT,
      chat(...results.map((content, index) => ({ role: "tool", tool_call_id: `c${index}`, content }))),
    );
    const contents = asArray(request.json.messages).map(
      (message) => asString(asObject(message)?.content) ?? "",
    );
    expect(contents[0]).not.toBe(contents[1]);
    expect(contents.map((text) => bench.vault.restore(text))).toEqual(results);
  });

  it("a value known to the vault is replaced where the detectors see nothing", async () => {
    bench.vault.tokenise("Projekt Nachtfalter", "CODENAME", "S2", "agent:main:main");
    const request = await sent(CHAT, chat(user("how is Projekt Nachtfalter doing?")));
    expect(request.body).not.toContain("Nachtfalter");
  });

  it("a private text is one token, whole, and its lines are known afterwards", async () => {
    await bench.close();
    const semantic: TextInspector = {
      version: () => "1",
      inspect: async (items) =>
        items.map(({ text }) => ({
          level: text.includes("salary") ? "S3" : "S1",
          findings: [],
          reason: "semantic",
        })),
    };
    bench = await startBench({ inspect: semantic });
    const text = "My salary slip of October reads\ngross 41,250.00 and net 27,118.50 after tax\nthanks";
    const first = await sent(CHAT, chat(user(text)));
    expect(first.json.messages).toEqual([user("[PRIVATE:TEXT_1]")]);
    const later = await sent(CHAT, chat(user("Title for: gross 41,250.00 and net 27,118.50 after tax")));
    expect(later.body).not.toContain("41,250.00");
  });
});

describe("detector-down", () => {
  const down: Array<[string, TextInspector["inspect"]]> = [
    ["throws", () => Promise.reject(new Error("connect ECONNREFUSED"))],
    ["answers for fewer texts", async () => []],
    ["is slow", () => new Promise(() => undefined)],
  ];
  it.each(down)("%s: fails closed, says so, sends nothing", async (_name, inspect) => {
    await bench.close();
    bench = await startBench({
      inspect: { version: () => "1", inspect },
      policy: () => ({ ...POLICY, inspectTimeoutMs: 100 }),
    });
    const answer = await bench.post(CHAT, chat(user(`call ${PHONE}`)));
    expect(await answer.text()).toContain("Privacy detection did not finish");
    expect(bench.cloud.requests).toHaveLength(0);
    expect(bench.events).toMatchObject([{ kind: "refused", code: "inspect-failed" }]);
  });

  it("a degraded verdict is used, told and asked for again", async () => {
    await bench.close();
    let asked = 0;
    const rules = ruleInspector();
    bench = await startBench({
      inspect: {
        version: () => "1",
        inspect: async (items, context) => {
          if (items.some(({ kind }) => kind === "text")) asked += 1;
          const verdicts = await rules.inspect(items, context);
          return verdicts.map((verdict) => ({ ...verdict, degraded: "local model: timeout" }));
        },
      },
    });
    for (let turn = 0; turn < 2; turn += 1) {
      const request = await sent(CHAT, chat(user(`call ${PHONE}`)));
      expect(request.body).not.toContain(PHONE);
    }
    expect(asked).toBe(2);
    expect(bench.events.filter((event) => event.kind === "forward")).toMatchObject([
      { degraded: "local model: timeout" },
      { degraded: "local model: timeout" },
    ]);
  });

  it("a text is judged once, and again when the rules change", async () => {
    await bench.close();
    let version = "1";
    const judged: string[] = [];
    const rules = ruleInspector();
    bench = await startBench({
      inspect: {
        version: () => version,
        inspect: (items, context) => {
          judged.push(...items.filter(({ kind }) => kind === "text").map(({ text }) => text));
          return rules.inspect(items, context);
        },
      },
    });
    await sent(CHAT, chat(user("One!")));
    await sent(CHAT, chat(user("One!"), user("Two!")));
    expect(judged).toEqual(["One!", "Two!"]);
    version = "2";
    await sent(CHAT, chat(user("One!")));
    expect(judged).toEqual(["One!", "Two!", "One!"]);
  });
});

describe("last check", () => {
  it("a known value where nothing may be replaced stops the request", async () => {
    bench.vault.tokenise("internal-model-x7", "CODENAME", "S2", "agent:main:main");
    const answer = await bench.post(CHAT, { model: "internal-model-x7", messages: [user("hi")] });
    const text = await answer.text();
    expect(text).toContain("final-check");
    expect(bench.cloud.requests).toHaveLength(0);
    expect(bench.events).toMatchObject([{ kind: "refused", code: "final-check" }]);
  });
});

it("private keys and S2 values side by side: S3 stays out and is not restored, S2 comes back", async () => {
  bench.cloud.answer((request, response) =>
    json(response, 200, {
      choices: [
        { message: { content: asString(asObject(asArray(request.json.messages)[0])?.content) ?? "" } },
      ],
    }),
  );
  const answer = await bench.post(CHAT, chat(user(`phone ${PHONE} key ${AWS_KEY}`)));
  const text = await answer.text();
  expect(bench.cloud.requests[0]?.body).not.toContain(AWS_KEY);
  expect(text).toContain(PHONE);
  expect(text).not.toContain(AWS_KEY);
});
