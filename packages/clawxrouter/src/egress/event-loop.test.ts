import { Vault } from "@clawx/shared-security";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import { parseInTurns, stringifyInTurns } from "./request/large-json.ts";
import { Redactor } from "./request/redactor.ts";
import { WireCheck } from "./request/wire-check.ts";
import { leastStretch } from "./testing/longest-stretch.ts";
import { json } from "./testing/recording-upstream.ts";
import { type Bench, PHONE, POLICY, ruleInspector, startBench } from "./testing/setup.ts";

let bench: Bench;
beforeAll(async () => {
  bench = await startBench();
  bench.cloud.answer((_request, response) => json(response, 200, { choices: [] }));
  // Rules and code are compiled once in the life of a process, not by an input.
  for (let turn = 0; turn < 3; turn += 1) {
    const messages = Array.from({ length: 1000 }, (_, i) => ({
      role: "user",
      content: `warm up ${i}, call ${PHONE}\n`,
    }));
    await (await bench.post("/v1/chat/completions", { model: "m", messages })).text();
  }
});
afterAll(() => bench.close());

const chat = (content: string): JsonObject => ({ model: "m", messages: [{ role: "user", content }] });
const MB = 1024 * 1024;
const large: Array<[string, () => JsonObject]> = [
  [
    "prose with a value here and there",
    () => chat(`${"words and more words. ".repeat(200)}${PHONE}\n`.repeat(1000)),
  ],
  ["one line", () => chat("words and more words, ".repeat((4 * MB) / 22))],
  ["one character", () => chat("a".repeat(4 * MB))],
  ["half placeholders", () => chat("[REDACTED:[".repeat((2 * MB) / 11))],
  ["Chinese", () => chat("这是一段没有任何隐私内容的普通文字，".repeat((2 * MB) / 18))],
  [
    "many messages",
    () => ({
      messages: Array.from({ length: 10_000 }, (_, i) => ({
        role: "user",
        content: `message number ${i} of a very long list of messages`,
      })),
    }),
  ],
  ["a table of one number", () => chat(`${PHONE},`.repeat(30_000))],
  [
    "a table of numbers",
    () => chat(Array.from({ length: 30_000 }, (_, i) => `139${String(10_000_000 + i * 7)}`).join(",\n")),
  ],
  [
    "some thousand numbers",
    () => chat(Array.from({ length: 4000 }, (_, i) => `139${String(20_000_000 + i * 7)}`).join(", call\n")),
  ],
];

const LIMIT_MS = 50;
const TRIES = 5;

it.each(large)(
  "%s: nobody waits longer than 50 ms",
  async (_name, build) => {
    const bytes = Buffer.from(JSON.stringify(build()));
    const context = {
      requestId: "r",
      providerId: "p",
      model: "m",
      session: "s",
      signal: new AbortController().signal,
    };
    let wire = "";
    const longest = await leastStretch(TRIES, LIMIT_MS, async () => {
      const parsed = await parseInTurns(bytes.toString());
      if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
        throw new Error("no object");
      const vault = new Vault();
      const { body } = await new Redactor(ruleInspector(), vault).redact(
        parsed,
        "openai-chat",
        context,
        POLICY,
      );
      wire = await stringifyInTurns(body, bytes.length);
      await new WireCheck(vault).find([wire]);
    });
    expect(wire).not.toMatch(/139\d{8}/);
    console.log(`${_name}: ${longest.toFixed(0)} ms`);
    expect(longest).toBeLessThan(LIMIT_MS);
  },
  60_000,
);

it("a vault of some thousand values does not hold up the first request", async () => {
  const vault = new Vault();
  for (let i = 0; i < 3000; i += 1)
    vault.tokenise(`user${i}.${i * 7919}@mail.example.org`, "EMAIL", "S2", "s");
  let found: Array<string | undefined> = [];
  const longest = await leastStretch(TRIES, LIMIT_MS, async () => {
    const check = new WireCheck(vault);
    // The second does not wait for the first to be asked to: it must find as much.
    const hits = await Promise.all([
      check.find(["x"]),
      check.find(["to: user2999.23749081@mail.example.org"]),
    ]);
    found = hits.map((hit) => hit?.type);
  });
  expect(found).toEqual([undefined, "EMAIL"]);
  expect(longest).toBeLessThan(LIMIT_MS);
});

it("a body of some megabytes arrives whole and redacted", async () => {
  const text = `${"words and more words. ".repeat(200)}${PHONE}\n`.repeat(1000);
  const answer = await bench.post("/v1/chat/completions", chat(text));
  expect(answer.status).toBe(200);
  const sent: { messages: Array<{ content: string }> } = JSON.parse(
    bench.cloud.requests.at(-1)?.body ?? "{}",
  );
  expect(bench.vault.restore(sent.messages[0]?.content ?? "")).toBe(text);
});
