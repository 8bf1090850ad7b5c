import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FIXTURES } from "./fixtures/index.ts";
import { openPayload, PayloadError, walkPayload, walkPayloadAsync } from "./payload.ts";
import { protocolOfPath } from "./protocols/index.ts";
import type { Leaf, WireProtocol } from "./types.ts";

type Steps = readonly (string | number)[];

/** Every string of a value with its path; found without any knowledge of protocols. */
function stringsOf(value: unknown, path: Steps = []): { path: Steps; text: string }[] {
  if (typeof value === "string") return [{ path, text: value }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    stringsOf(item, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}

/** A copy of `value` with `text` at `path`. */
function plant(value: unknown, path: Steps, text: string): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return text;
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? plant(item, rest, text) : item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, key === step ? plant(item, rest, text) : item]),
  );
}

const same = (a: Steps, b: Steps): boolean =>
  a.length === b.length && a.every((step, index) => step === b[index]);

const LEAVES = FIXTURES.flatMap(([name, protocol, body]) =>
  stringsOf(body).map(({ path, text }) => ({
    name: `${name}: ${path.join(".")}`,
    protocol,
    body,
    path,
    text,
  })),
);

describe("numbers of persons", () => {
  it("are found wherever a text could stand, however they are written", () => {
    const texts = (body: unknown): string[] =>
      openPayload(body, "openai-chat")
        .leaves.filter((leaf) => leaf.kind === "number")
        .map((leaf) => leaf.text);
    expect(texts({ user: 13800138000, seed: 13800138000, max_tokens: 10000000 })).toEqual(["13800138000"]);
    expect(texts({ metadata: { phone: 1.3800138e10 } })).toEqual(["13800138000"]);
    const args = '{"a":1.3800138e10,"b":13800138000.0,"c":-13800138000,"d":1.5e300,"e":1.5,"f":13800138000}';
    const call = { id: "c", type: "function", function: { name: "f", arguments: args } };
    expect(texts({ messages: [{ role: "assistant", tool_calls: [call] }] })).toEqual([
      "13800138000",
      "13800138000",
      "-13800138000",
      "13800138000",
    ]);
    expect(texts({ x: 13800138000 })).toEqual(["13800138000"]);
  });
});

describe("openPayload: no string is missed", () => {
  it("has fixtures of every protocol, with hundreds of strings", () => {
    expect(new Set(FIXTURES.map(([, protocol]) => protocol)).size).toBe(7);
    expect(LEAVES.length).toBeGreaterThan(400);
  });

  it("sees prose planted anywhere but in the structure of a JSON Schema", () => {
    const missed: string[] = [];
    for (const { name, protocol, body, path } of LEAVES) {
      const canary = "my phone is 13800138000, please call";
      const payload = openPayload(plant(body, path, canary), protocol);
      if (payload.leaves.some((leaf) => leaf.text === canary && same(leaf.path(), path))) continue;
      if (payload.excluded.some((excluded) => excluded.why === "schema" && same(excluded.path, path)))
        continue;
      missed.push(name);
    }
    expect(missed).toEqual([]);
  });

  it("sees a key planted anywhere, or lists the place as excluded or unscanned", () => {
    const missed: string[] = [];
    for (const { name, protocol, body, path } of LEAVES) {
      const canary = `AK${"IA"}IOSFODNN7CANARY1`;
      const payload = openPayload(plant(body, path, canary), protocol);
      const seen =
        payload.leaves.some((leaf) => leaf.text === canary && same(leaf.path(), path)) ||
        payload.excluded.some((excluded) => excluded.text === canary && same(excluded.path, path)) ||
        payload.unscanned.some((unscanned) => same(unscanned.path, path));
      if (!seen) missed.push(name);
    }
    expect(missed).toEqual([]);
  });

  it("leaves nothing out: each string is a leaf, excluded, unscanned or JSON that was gone into", () => {
    for (const [name, protocol, body] of FIXTURES) {
      const payload = openPayload(body, protocol);
      const places = [
        ...payload.leaves.map((leaf) => leaf.path()),
        ...payload.excluded.map(({ path }) => path),
        ...payload.unscanned.map(({ path }) => path),
      ];
      for (const { path, text } of stringsOf(body)) {
        if (text === "") continue;
        const inside = places.some((place) => path.every((step, index) => step === place[index]));
        expect(inside, `${name}: ${path.join(".")}`).toBe(true);
      }
    }
  });

  it("excludes only what the list says", () => {
    const chat = FIXTURES[0];
    const payload = openPayload(chat?.[2], "openai-chat");
    const fields = new Set(
      payload.excluded
        .filter(({ why }) => why !== "schema")
        .map(({ path }) => path.filter((step) => typeof step === "string").join(".")),
    );
    expect([...fields].sort()).toEqual(
      [
        "audio.format",
        "audio.voice",
        "function_call.name",
        "messages.audio.id",
        "messages.content.cache_control.type",
        "messages.content.image_url.detail",
        "messages.content.input_audio.format",
        "messages.content.type",
        "messages.function_call.name",
        // The fixture's are text in base64: looked at as names are.
        "messages.reasoning_details.data",
        "messages.reasoning_details.format",
        "messages.reasoning_details.id",
        "messages.reasoning_details.signature",
        "messages.reasoning_details.type",
        "messages.role",
        "messages.tool_call_id",
        "messages.tool_calls.custom.name",
        "messages.tool_calls.function.name",
        "messages.tool_calls.id",
        "messages.tool_calls.type",
        "modalities",
        "model",
        "prediction.content.type",
        "prediction.type",
        "reasoning_effort",
        "response_format.json_schema.name",
        "response_format.type",
        "service_tier",
        "tool_choice.function.name",
        "tool_choice.type",
        "tools.custom.name",
        "tools.function.name",
        "tools.type",
        "verbosity",
        "functions.name",
      ]
        .filter((field) => field !== "function_call.name")
        .sort(),
    );
  });

  it("reads prose in schemas, property names and long numbers of data, and no number of the protocol", () => {
    const payload = openPayload(FIXTURES[0]?.[2], "openai-chat");
    const texts = payload.leaves.map(({ text }) => text);
    for (const text of [
      "City, e.g. Berlin",
      "nested text",
      "Hamburg",
      "Name of the place",
      "Unit of temperature",
      "20261130",
      "keeper",
      "Carol",
    ]) {
      expect(texts).toContain(text);
    }
    for (const text of ["12345678", "10000000", "1790000000", "celsius", "^[a-z]+$", "hostname", "v1"])
      expect(texts).not.toContain(text);
  });
});

describe("openPayload: what could not be read", () => {
  const unscanned = (index: number) =>
    openPayload(FIXTURES[index]?.[2], FIXTURES[index]?.[1] ?? "unknown").unscanned.map(
      ({ kind, mediaType, carried, path, bytes }) =>
        `${path.filter((step) => step !== "messages").join(".")} ${kind} ${mediaType} ${carried} ${bytes}`,
    );

  it("is reported with kind, type, place and size: OpenAI chat", () => {
    expect(unscanned(0)).toEqual([
      "2.content.1.image_url.url image image/png inline 40",
      "2.content.2.image_url.url image undefined url undefined",
      "2.content.3.input_audio.data audio wav inline 44",
      "2.content.4.file.file_data file application/pdf inline 43",
      "2.content.5.file.file_id file undefined id undefined",
      "3.reasoning_details.0.signature opaque undefined inline 64",
      "3.reasoning_details.1.data opaque undefined inline 64",
    ]);
  });

  it("Anthropic", () => {
    expect(unscanned(4)).toEqual([
      "1.content.1.source.data image image/png inline 40",
      "1.content.2.source.url file undefined url undefined",
      "1.content.3.source.file_id file undefined id undefined",
      "1.content.4.source.data file application/pdf inline 43",
      "1.content.8.file_id file undefined id undefined",
      "2.content.0.signature opaque undefined inline 64",
      "2.content.1.data opaque undefined inline 64",
      "2.content.5.content.0.encrypted_content opaque undefined inline 64",
      "3.content.1.content.1.source.data image image/png inline 40",
    ]);
  });

  it("token numbers instead of text", () => {
    expect(openPayload({ model: "m", input: [[1, 2, 3], [4]] }, "embeddings").unscanned).toMatchObject([
      { kind: "tokens" },
      { kind: "tokens" },
    ]);
    expect(openPayload({ model: "m", prompt: "x", context: [1, 2] }, "ollama").unscanned).toMatchObject([
      { kind: "tokens", path: ["context"] },
    ]);
  });

  it("reads text that comes as base64 or as a data: URL, and puts it back so", () => {
    const body = {
      contents: [
        {
          parts: [
            {
              inlineData: {
                mimeType: "text/plain",
                data: Buffer.from("call 13800138000").toString("base64"),
              },
            },
          ],
        },
      ],
    };
    const walked = walkPayload(body, "google-generative-ai", (text) =>
      text.replace("13800138000", "[REDACTED:PHONE_1]"),
    );
    expect(walked.body).toEqual({
      contents: [
        {
          parts: [
            {
              inlineData: {
                mimeType: "text/plain",
                data: Buffer.from("call [REDACTED:PHONE_1]").toString("base64"),
              },
            },
          ],
        },
      ],
    });
    expect(walked.unscanned).toEqual([]);
    const plain = openPayload(
      { messages: [{ role: "user", content: "data:text/plain,13800138000" }] },
      "openai-chat",
    );
    expect(plain.leaves.map(({ text }) => text)).toEqual(["data:text/plain,13800138000"]);
  });

  it("does not let words pass as media", () => {
    for (const url of ["data:image/png;base64,AAAA my phone is 13800138000", "my phone is 13800138000"]) {
      const payload = openPayload(
        { messages: [{ role: "user", content: [{ type: "image_url", image_url: { url } }] }] },
        "openai-chat",
      );
      expect(payload.leaves.map(({ text }) => text)).toEqual([url]);
    }
  });
});

describe("rewrite", () => {
  it("gives the very same body when nothing changes", () => {
    for (const [name, protocol, body] of FIXTURES) {
      const before = JSON.stringify(body);
      const walked = walkPayload(body, protocol, (text) => text);
      expect(walked.body, name).toBe(body);
      expect(walked.changed).toBe(false);
      expect(JSON.stringify(body)).toBe(before);
    }
  });

  it("changes exactly the leaf that changed, shares the rest, and never the original", () => {
    for (const [name, protocol, body] of FIXTURES) {
      const before = JSON.stringify(body);
      for (const leaf of openPayload(body, protocol).leaves) {
        if (leaf.kind === "key") continue;
        const target = leaf.path();
        const walked = walkPayload(body, protocol, (text, at) =>
          at.kind !== "key" && same(at.path(), target) ? "[REDACTED:X_1]" : text,
        );
        const read = openPayload(walked.body, protocol);
        expect(
          read.leaves.filter((now) => now.kind !== "key" && same(now.path(), target)).map(({ text }) => text),
          `${name} ${target.join(".")}`,
        ).toEqual(["[REDACTED:X_1]"]);
        const others = (list: readonly Leaf[]): string[] =>
          list.filter((other) => other.kind === "key" || !same(other.path(), target)).map(({ text }) => text);
        expect(others(read.leaves)).toEqual(others(openPayload(body, protocol).leaves));
      }
      expect(JSON.stringify(body)).toBe(before);
    }
  });

  it("keeps tool arguments valid JSON, byte for byte where nothing changed", () => {
    const args =
      '{ "phone" : "13800138000",\n  "id":12345678901234567890, "id":1e3, "t":"\\u4e2d\\/", "deep":"{\\"k\\": \\"a\\\\n13800138000\\"}" }';
    const body = {
      messages: [{ role: "assistant", tool_calls: [{ id: "c", function: { name: "f", arguments: args } }] }],
    };
    const walked = walkPayload(body, "openai-chat", (text) => text.replace("13800138000", 'x"y'));
    const after = JSON.stringify(walked.body);
    expect(after).toBe(
      JSON.stringify({
        messages: [
          {
            role: "assistant",
            tool_calls: [
              {
                id: "c",
                function: {
                  name: "f",
                  arguments: args.replace('"13800138000"', '"x\\"y"').replace("13800138000", 'x\\\\\\"y'),
                },
              },
            ],
          },
        ],
      }),
    );
  });

  it("renames property names, without losing one and in their order", () => {
    const body = {
      messages: [
        { role: "tool", content: '{"13800138000":1,"b":2}' },
        {
          role: "assistant",
          content: [{ type: "tool_use", input: { a: 1, "13800138000": 2, "13900139000": 3 } }],
        },
      ],
    };
    const walked = walkPayload(body, "anthropic-messages", (text) => text.replace(/^13\d+$/, "X"));
    expect(JSON.stringify(walked.body)).toBe(
      '{"messages":[{"role":"tool","content":"{\\"X\\":1,\\"b\\":2}"},{"role":"assistant","content":[{"type":"tool_use","input":{"a":1,"X":2,"X_":3}}]}]}',
    );
  });

  it("handles __proto__ as a name like any", () => {
    const body: unknown = JSON.parse(
      '{"messages":[{"role":"user","content":[{"type":"tool_use","input":{"__proto__":{"x":"13800138000"}}}]}]}',
    );
    const walked = walkPayload(body, "anthropic-messages", (text) => text.replace("13800138000", "T"));
    expect(JSON.stringify(walked.body)).toContain('{"__proto__":{"x":"T"}}');
  });

  it("maps every leaf of any JSON body, in any protocol, and stays JSON", () => {
    const protocols = [...new Set(FIXTURES.map(([, protocol]) => protocol))];
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.constantFrom<WireProtocol>(...protocols),
        fc.boolean(),
        (value, protocol, wrap) => {
          const body = wrap
            ? {
                messages: [
                  {
                    role: "assistant",
                    content: value,
                    tool_calls: [{ function: { arguments: JSON.stringify(value) } }],
                  },
                ],
                value,
              }
            : value;
          const walked = walkPayload(body, protocol, (text) => `${text}"\n`);
          expect(() => JSON.parse(JSON.stringify(walked.body))).not.toThrow();
          expect(walkPayload(body, protocol, (text) => text).body).toBe(body);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("works with a map that takes time", async () => {
    const [, protocol, body] = FIXTURES[4] ?? [];
    const map = (text: string): string => text.replaceAll("Berlin", "Bonn");
    const walked = await walkPayloadAsync(body, protocol ?? "unknown", async (text) => {
      await Promise.resolve();
      return map(text);
    });
    expect(walked.body).toEqual(walkPayload(body, protocol ?? "unknown", map).body);
    expect(JSON.stringify(walked.body)).not.toContain("Berlin");
  });

  it("refuses what it cannot read to the bottom", () => {
    let deep: unknown = "13800138000";
    for (let i = 0; i < 10_000; i++) deep = [deep];
    expect(() => openPayload({ messages: deep }, "openai-chat")).toThrow(PayloadError);
    expect(() => openPayload({ messages: [{ role: "user", content: deep }] }, "unknown")).toThrow(
      PayloadError,
    );
  });
});

describe("cost", () => {
  const LENGTH = 100_000;
  const fill = (text: string): string => text.repeat(Math.ceil(LENGTH / text.length)).slice(0, LENGTH);
  let nested = '"x"';
  for (let i = 0; i < 13; i++) nested = JSON.stringify(`[${nested}]`);

  it.each([
    ["strings deep in arrays", `${"[".repeat(60)}${'"a",'.repeat(LENGTH / 4)}"a"${"]".repeat(60)}`],
    ["numbers", `[${"12345678,".repeat(LENGTH / 9)}1]`],
    ["brackets", "[".repeat(LENGTH / 2) + "]".repeat(LENGTH / 2)],
    ["open brackets", fill("[")],
    ["JSON in JSON in JSON", `[${nested}]`],
    ["backslashes", `["${fill("\\\\")}"]`],
    [
      "property names",
      JSON.stringify(Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`k${i}`, i]))),
    ],
    ["base64", fill("QUJD")],
    ["almost a data: URL", `data:image/png;base64,${fill("QUJD")}!`],
  ])("100 kB of %s are walked and rewritten in no time", (_name, content) => {
    const body = { messages: [{ role: "tool", content }] };
    const started = performance.now();
    walkPayload(body, "openai-chat", (text) => `${text}!`);
    // Measured: below 20 ms; a quadratic walk would take minutes. Tests share a machine.
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe("protocolOfPath", () => {
  it.each([
    ["/v1/chat/completions", "openai-chat"],
    ["/v1/responses", "openai-responses"],
    ["/v1/messages?beta=true", "anthropic-messages"],
    ["/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse", "google-generative-ai"],
    ["/v1beta/models/x:batchEmbedContents", "google-generative-ai"],
    ["/api/chat", "ollama"],
    ["/api/generate", "ollama"],
    ["/v1/embeddings", "embeddings"],
    ["/v1/files", "unknown"],
  ])("%s is %s", (path, protocol) => {
    expect(protocolOfPath(path)).toBe(protocol);
  });
});
