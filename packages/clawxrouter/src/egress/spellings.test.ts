/** What somebody would try who knows how values are looked for: other notations, other places, numbers that are no text. */
import { KnownIndex, Vault } from "@clawx/shared-security";
import { afterEach, describe, expect, it } from "vitest";
import type { Json, JsonObject } from "./json.ts";
import { type Bench, PHONE, startBench } from "./testing/setup.ts";

const CHAT = "/v1/chat/completions";
let bench: Bench;
afterEach(async () => bench.close());

const bytes = (text: string): number[] => [...Buffer.from(text)];
const WRITTEN: Record<string, (value: string) => string> = {
  "broken over lines of a mail": (value) => `> as I said ${value.slice(0, 5)}\n> ${value.slice(5)}`,
  "in cells below each other": (value) => `| a | ${value.slice(0, 5)} |\n| b | ${value.slice(5)} |`,
  backwards: (value) => [...value].reverse().join(""),
  "one digit a line": (value) => [...value].join("\n"),
  "in tags": (value) =>
    bytes(value)
      .map((byte) => String.fromCodePoint(0xe0000 + byte))
      .join(""),
  "as bytes": (value) => bytes(value).join(" "),
  "as a list of bytes": (value) => JSON.stringify(bytes(value)),
  "as a Buffer in JSON": (value) => JSON.stringify({ type: "Buffer", data: bytes(value) }),
  "as a dump": (value) =>
    `00000000: ${Buffer.from(value)
      .toString("hex")
      .match(/.{1,4}/g)
      ?.join(" ")}`,
};
const PLACES: Record<string, (text: string) => JsonObject> = {
  "a message": (text) => ({ messages: [{ role: "user", content: text }] }),
  "a field that nobody knows yet": (text) => ({ x_new: { deep: [{ note: text }] } }),
  "a name that nobody knows yet": (text) => ({ [text]: 1 }),
  "`safety_identifier`": (text) => ({ safety_identifier: text }),
  "`prompt_cache_key`": (text) => ({ prompt_cache_key: text }),
  "a tool's description": (text) => ({
    tools: [{ type: "function", function: { name: "f", description: text, parameters: {} } }],
  }),
  "a schema": (text) => ({
    tools: [
      { type: "function", function: { name: "f", parameters: { properties: { a: { default: text } } } } },
    ],
  }),
  "arguments of a tool": (text) => ({
    messages: [
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c", type: "function", function: { name: "f", arguments: JSON.stringify({ a: text }) } },
        ],
      },
      { role: "tool", tool_call_id: "c", content: "ok" },
    ],
  }),
  metadata: (text) => ({ metadata: { a: text } }),
};

/** Every string and number of a body. */
function textsOf(value: Json | undefined): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (typeof value === "object" && value !== null)
    return Object.entries(value).flatMap(([key, item]) => [key, ...textsOf(item)]);
  return [];
}

describe.each(Object.entries(PLACES))("a value that another conversation knows, in %s", (_place, make) => {
  it.each(Object.entries(WRITTEN))("does not leave %s", async (_how, write) => {
    bench = await startBench({ vault: new Vault(), upstreamPath: "" });
    bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:other");
    const body = { model: "m1", messages: [{ role: "user", content: "hi" }], ...make(write(PHONE)) };
    await (await bench.post(CHAT, body)).text();
    const index = new KnownIndex();
    index.add({ value: PHONE, type: "X", level: "S2" });
    expect(bench.cloud.requests).toHaveLength(1);
    for (const text of textsOf(bench.cloud.requests[0]?.json)) expect(index.find(text)).toEqual([]);
  });
});

describe("a number that is no text", () => {
  const number = Number(PHONE);
  it.each<[string, JsonObject]>([
    ["negative", { x: -number }],
    ["with a point set into it", { metadata: { a: number / 100_000_000 } }],
    ["as a count", { call_count: number }],
    ["as a limit", { max_tokens: number }],
    ["in JSON in a text", { messages: [{ role: "tool", tool_call_id: "c", content: `{"a":-${PHONE}}` }] }],
  ])("does not leave %s, known or not", async (_, extra) => {
    for (const known of [false, true]) {
      bench = await startBench({ vault: new Vault(), upstreamPath: "" });
      if (known) bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:other");
      const body = { model: "m1", messages: [{ role: "user", content: "hi" }], ...extra };
      await (await bench.post(CHAT, body)).text();
      expect(bench.cloud.requests).toHaveLength(1);
      expect(bench.cloud.requests[0]?.body.replaceAll(".", "")).not.toContain(PHONE);
      if (!known) await bench.close();
    }
  });

  it.each<[string, JsonObject]>([
    ["a seed", { seed: number }],
    ["a time", { created_at: number }],
    ["a number with a fraction", { metadata: { a: number + 0.5 } }],
  ])("does not leave as %s once it is known, and the request goes", async (_, extra) => {
    bench = await startBench({ vault: new Vault(), upstreamPath: "" });
    bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:other");
    await bench.post(CHAT, { model: "m1", messages: [{ role: "user", content: "hi" }], ...extra });
    expect(bench.cloud.requests).toHaveLength(1);
    expect(bench.cloud.requests[0]?.body).not.toContain(PHONE);
  });

  it("measures and times stay what they are", async () => {
    bench = await startBench({ vault: new Vault(), upstreamPath: "" });
    const extra = {
      temperature: 0.7,
      created_at: 1_796_075_341,
      metadata: { lat: 39.904211, price: 1234567.5 },
    };
    await bench.post(CHAT, { model: "m1", messages: [{ role: "user", content: "hi" }], ...extra });
    expect(bench.cloud.requests[0]?.json).toMatchObject(extra);
  });
});

describe("a header", () => {
  it.each<Record<string, string>>([
    { "x-user": PHONE },
    { "user-agent": `host/1 (${PHONE})` },
    { accept: `application/json; for=${PHONE}` },
    { [`x-${PHONE}`]: "1" },
    { "content-type": `application/json; for=${PHONE}` },
  ])("that holds a value does not go along: %j", async (headers) => {
    bench = await startBench({ vault: new Vault(), upstreamPath: "" });
    const body = { model: "m1", messages: [{ role: "user", content: "hi" }] };
    await (await bench.post(CHAT, body, { headers })).text();
    for (const request of bench.cloud.requests) expect(JSON.stringify(request.headers)).not.toContain(PHONE);
  });
});

describe("the name of a model", () => {
  it("that holds a value is refused, when no configuration names it", async () => {
    bench = await startBench({ vault: new Vault(), upstreamPath: "" });
    const answer = await bench.post(CHAT, { model: PHONE, messages: [{ role: "user", content: "hi" }] });
    await answer.text();
    expect(bench.cloud.requests).toEqual([]);
    await bench.post(CHAT, { model: "gpt-4o-2024-08-06", messages: [{ role: "user", content: "hi" }] });
    expect(bench.cloud.requests).toHaveLength(1);
  });
});
