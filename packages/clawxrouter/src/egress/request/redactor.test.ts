import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Json, JsonObject } from "../json.ts";
import { AWS_KEY, CARD, PHONE, POLICY, ruleInspector } from "../testing/setup.ts";
import type { InspectContext, TextInspector } from "../types.ts";
import { Redactor } from "./redactor.ts";
import { sumOf } from "./report.ts";
import { segmentsOf } from "./segments.ts";
import { WireCheck } from "./wire-check.ts";

const context = (): InspectContext => ({
  requestId: "r",
  providerId: "p",
  model: "m",
  session: "s",
  signal: new AbortController().signal,
});

const MAIL = ["li.wei", "mail.example.org"].join("@");
const secrets = [PHONE, CARD, AWS_KEY, MAIL];

/** Free JSON with secrets in any string, key, number or JSON-in-a-string. */
const secretText = fc
  .tuple(
    // What stands around a value decides what detectors see in it: here nothing that speaks against it.
    fc.constantFrom("", "see ", "打给 ", '"q": "', "→ ", "C:\\new "),
    fc.constantFrom(...secrets),
    fc.constantFrom("", ".", "，谢谢", '", ', "\n", " 😀", " end"),
  )
  .map((parts) => parts.join(""));
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4, depthSize: "small" },
    secretText,
    fc.string(),
    fc.constant(Number(PHONE)),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom("phone", "name", "type", "text", "url")),
      tie("tree"),
      { maxKeys: 4 },
    ),
    tie("tree").map((value) => JSON.stringify(value)),
  ),
}));

function numbersAsText(value: Json): Json {
  return JSON.parse(JSON.stringify(value, (_key, item) => (typeof item === "number" ? String(item) : item)));
}

/** Bodies of every dialect with free JSON wherever it allows some. */
const bodies: Array<[string, Parameters<Redactor["redact"]>[1], (value: Json) => JsonObject]> = [
  [
    "chat content",
    "openai-chat",
    (value) => ({ model: "m", messages: [{ role: "user", content: JSON.stringify(value) }] }),
  ],
  [
    "chat parts",
    "openai-chat",
    (value) => ({
      messages: [{ role: "user", content: [{ type: "text", text: String(JSON.stringify(value)) }] }],
    }),
  ],
  [
    "chat arguments",
    "openai-chat",
    (value) => ({
      messages: [
        {
          role: "assistant",
          tool_calls: [{ id: "c", function: { name: "f", arguments: JSON.stringify({ value }) } }],
        },
      ],
    }),
  ],
  // Numbers outside of free data are the protocol's own (sizes, times).
  ["chat unknown field", "openai-chat", (value) => ({ messages: [], extra_field: numbersAsText(value) })],
  [
    "anthropic tool_use",
    "anthropic-messages",
    (value) => ({
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: { value } }] },
      ],
    }),
  ],
  [
    "responses output",
    "openai-responses",
    (value) => ({ input: [{ type: "function_call_output", call_id: "c", output: JSON.stringify(value) }] }),
  ],
  [
    "google args",
    "google-generative-ai",
    (value) => ({ contents: [{ parts: [{ functionCall: { name: "f", args: { value } } }] }] }),
  ],
  [
    "google response",
    "google-generative-ai",
    (value) => ({ contents: [{ parts: [{ functionResponse: { name: "f", response: { value } } }] }] }),
  ],
  [
    "ollama arguments",
    "ollama",
    (value) => ({
      messages: [{ role: "assistant", tool_calls: [{ function: { name: "f", arguments: { value } } }] }],
    }),
  ],
  ["unknown protocol", "unknown", (value) => ({ value })],
];

describe("redact", () => {
  it.each(bodies)("%s: no secret leaves, wherever it stands", async (_name, protocol, build) => {
    const vault = new Vault();
    // Known beforehand: whether detectors would see a value among random words is not what is tested here.
    for (const secret of secrets) vault.tokenise(secret, "SECRET", "S2", "s");
    const redactor = new Redactor(ruleInspector(), vault);
    const check = new WireCheck(vault);
    await fc.assert(
      fc.asyncProperty(tree, async (value) => {
        const source = JSON.stringify(build(value));
        const { body, parts } = await redactor.redact(JSON.parse(source), protocol, context(), POLICY);
        const wire = JSON.stringify(body);
        for (const secret of secrets) {
          expect(wire.includes(secret), `${secret} of ${source} in ${wire}`).toBe(false);
        }
        const hit = await check.find([wire]);
        expect(
          hit && `${JSON.stringify(vault.get(hit.token)?.value)} in ${wire} of ${source}`,
        ).toBeUndefined();
        if (secrets.some((secret) => source.includes(secret)))
          expect(sumOf(parts.values(), new Set(), undefined).level).not.toBe("S1");
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 120) },
    );
  });

  it("a value found in one text is replaced in all, earlier ones and other roles too", async () => {
    const vault = new Vault();
    const detector: TextInspector = {
      version: () => "1",
      inspect: async (items) =>
        items.map(({ text }) => {
          const start = text.indexOf("Zhang Wei");
          const known = text.includes("customer") && start !== -1;
          const finding = {
            start,
            end: start + 9,
            type: "NAME",
            level: "S2" as const,
            rule: "r",
            confidence: 1,
            value: "Zhang Wei",
          };
          return known ? { level: "S2", findings: [finding] } : { level: "S1", findings: [] };
        }),
    };
    const redactor = new Redactor(detector, vault);
    const messages = [
      { role: "system", content: "Notes of Zhang Wei." },
      { role: "user", content: "our customer Zhang Wei called" },
      { role: "assistant", content: "Zhang Wei, noted" },
    ];
    const { body } = await redactor.redact({ messages }, "openai-chat", context(), POLICY);
    expect(JSON.stringify(body)).not.toContain("Zhang Wei");
    expect(JSON.stringify(body).match(/\[REDACTED:NAME_1\]/g)).toHaveLength(3);
  });

  it("a text that is nothing but tokens of its own is not wrapped again", async () => {
    const vault = new Vault();
    const token = vault.tokenise("a private letter", "TEXT", "S3", "s");
    const all: TextInspector = {
      version: () => "1",
      inspect: async (items) => items.map(() => ({ level: "S3", findings: [] })),
    };
    const contents = [token, `🔒${token}`, ` 🔒${token}\n`];
    const messages = contents.map((content) => ({ role: "user", content }));
    const { body } = await new Redactor(all, vault).redact({ messages }, "openai-chat", context(), POLICY);
    expect(body).toEqual({ messages });
  });

  describe("values at the border of two texts", () => {
    const parts = async (...texts: string[]) => {
      const vault = new Vault();
      const redactor = new Redactor(ruleInspector(), vault);
      const content = texts.map((text) => ({ type: "text", text }));
      const { body } = await redactor.redact(
        { messages: [{ role: "user", content }] },
        "openai-chat",
        context(),
        POLICY,
      );
      return { wire: JSON.stringify(body), values: [...vault.entries()].map(({ value }) => value) };
    };

    it("a key cut in two leaves no part behind, and its parts are no values of their own", async () => {
      const { wire, values } = await parts(
        `the key is ${AWS_KEY.slice(0, 9)}`,
        `${AWS_KEY.slice(9)} and that is it`,
      );
      expect(wire).not.toContain(AWS_KEY.slice(0, 9));
      expect(wire).not.toContain(AWS_KEY.slice(9));
      expect(wire).toContain("and that is it");
      expect(values).toEqual([]);
    });

    it("a word before an address is not part of it", async () => {
      const { wire, values } = await parts("hello", MAIL, "world");
      expect(values).toEqual([MAIL]);
      expect(wire).toContain('"hello"');
      expect(wire).toContain('"world"');
    });

    it("a private key goes on in the next text", async () => {
      const line = "MIIEpAIBAAKCAQEA7bq8c9JtHq4kz0Yt1Q2w3e4r5t6y7u8i9o0pAsDfGhJkLzXc";
      const begin = `-----BEGIN RSA ${"PRIVATE KEY"}-----`;
      const end = `-----END RSA ${"PRIVATE KEY"}-----`;
      const lines = Array.from({ length: 12 }, (_, index) => `${line.slice(index)}${line.slice(0, index)}`);
      const { wire } = await parts(
        `${begin}\n${lines.slice(0, 6).join("\n")}\n`,
        `${lines.slice(6).join("\n")}\n${end}`,
      );
      for (const part of lines) expect(wire).not.toContain(part);
    });
  });

  it("restoring gives every text back", async () => {
    const vault = new Vault();
    const redactor = new Redactor(ruleInspector(), vault);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(secretText, fc.string({ unit: "grapheme" }), fc.constant("[REDACTED:PHONE_1]"))),
        async (parts) => {
          const text = parts.join(" ");
          const { body } = await redactor.redact(
            { prompt: text },
            "ollama",
            { ...context(), session: undefined },
            POLICY,
          );
          const [leaf] = Object.values(body);
          // A whole JSON document in the text is read as one; its restoring is the stream's business.
          fc.pre(!/^\s*[[{]/.test(text));
          // An own placeholder in history stays one and comes back as its value.
          expect(vault.restore(String(leaf))).toBe(
            vault.restore(
              text.replaceAll("[REDACTED:PHONE_1]", (token) =>
                vault.get(token) ? token : token.replace(":", "::"),
              ),
            ),
          );
        },
      ),
      { numRuns: 150 },
    );
  });

  it("does not change what it was not asked to", async () => {
    const redactor = new Redactor(ruleInspector(), new Vault());
    const body = {
      model: "m",
      messages: [{ role: "user", content: "nothing to hide" }],
      temperature: 1,
      seed: 2 ** 40,
    };
    const { body: same, parts } = await redactor.redact(
      structuredClone(body),
      "openai-chat",
      context(),
      POLICY,
    );
    expect(same).toEqual(body);
    expect(parts.size).toBe(0);
  });

  it("refuses bodies that are made to hold it up", async () => {
    const redactor = new Redactor(ruleInspector(), new Vault());
    const many = { input: Array.from({ length: 25_001 }, (_, index) => `t${index}`) };
    await expect(redactor.redact(many, "embeddings", context(), POLICY)).rejects.toThrow(
      /more than 25000 texts/,
    );
    const deep: JsonObject = JSON.parse(`{"a":${"[".repeat(900)}${"]".repeat(900)}}`);
    await expect(redactor.redact(deep, "openai-chat", context(), POLICY)).rejects.toThrow(/nested too deep/);
  });
});

describe("segmentsOf", () => {
  it("cuts long texts without losing or cutting anything", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("word ", "line of text\n", "字", "😀"),
        fc.uniqueArray(fc.nat(600_000), { maxLength: 8 }),
        (unit, starts) => {
          const text = unit.repeat(Math.ceil(700_000 / unit.length));
          const findings = starts
            .toSorted((a, b) => a - b)
            .filter((start, index, all) => index === 0 || start - (all[index - 1] ?? 0) > 40)
            .map((start) => ({
              start,
              end: start + 40,
              type: "X",
              level: "S2" as const,
              rule: "r",
              confidence: 1,
              value: "",
            }));
          const segments = segmentsOf(text, findings);
          expect(segments.map((segment) => segment.text).join("")).toBe(text);
          let at = 0;
          const back = segments.flatMap((segment) => {
            const moved = segment.findings.map(({ start, end }) => [start + at, end + at]);
            for (const { end } of segment.findings) expect(end).toBeLessThanOrEqual(segment.text.length);
            at += segment.text.length;
            return moved;
          });
          expect(back).toEqual(findings.map(({ start, end }) => [start, end]));
        },
      ),
      { numRuns: 20 },
    );
  });
});

describe("WireCheck", () => {
  const value = 'C:\\用户\\"张三"\nsecret';
  const forms = {
    raw: value,
    "JSON-escaped": JSON.stringify(value),
    "escaped twice": JSON.stringify(JSON.stringify(value)),
    "as Python escapes": JSON.stringify(value).replace(
      /[\u0080-\uffff]/g,
      (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    ),
  };
  it.each([0, 1, 2])("finds a value in base64, %i bytes before it", async (before) => {
    const vault = new Vault();
    vault.tokenise(value, "PATH", "S2", "s");
    const bytes = Buffer.concat([
      Buffer.from("ab".slice(0, before)),
      Buffer.from(value),
      Buffer.from("tail"),
    ]);
    for (const encoding of ["base64", "base64url"] as const) {
      expect(await new WireCheck(vault).find([`"${bytes.toString(encoding)}"`])).toBeDefined();
    }
    expect(await new WireCheck(vault).find([`?q=${encodeURIComponent(value)}&`])).toBeDefined();
  });

  it.each(Object.entries(forms))("finds a value %s", async (_name, wire) => {
    const vault = new Vault();
    const token = vault.tokenise(value, "PATH", "S2", "s");
    expect(await new WireCheck(vault).find([`..${wire}..`])).toMatchObject({ token, type: "PATH" });
  });

  it("finds what indexOf finds, for any values and texts", async () => {
    const alphabet = fc.string({ unit: fc.constantFrom("A", "b", "1", "-", "张"), maxLength: 14 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(alphabet, { maxLength: 8 }),
        fc.string({ unit: fc.constantFrom("A", "b", "1", "-", "张", "\u0000"), maxLength: 300 }),
        async (values, text) => {
          const vault = new Vault();
          const known = values.filter((item) => item.length >= 2);
          for (const item of known) vault.tokenise(item, "X", "S2", "s");
          const hit = await new WireCheck(vault).find([text]);
          const long = known.filter((item) => item.length >= 8);
          if (long.some((item) => text.includes(item))) expect(hit).toBeDefined();
          if (!known.some((item) => text.includes(item))) expect(hit).toBeUndefined();
        },
      ),
      { numRuns: 300 },
    );
  });

  it("takes short values as whole words only", async () => {
    const vault = new Vault();
    vault.tokenise("Ann", "NAME", "S2", "s");
    vault.tokenise("张三", "NAME", "S2", "s");
    const check = new WireCheck(vault);
    expect(await check.find(['{"text":"Annual report"}'])).toBeUndefined();
    expect(await check.find(['{"text":"Dear Ann,"}'])).toBeDefined();
    expect(await check.find(['{"text":"客户张三来电"}'])).toBeDefined();
  });

  it("does not take the protocol's own words and numbers for values", async () => {
    const vault = new Vault();
    for (const value of ["user", "admin", "content", "max_tokens", "4096"])
      vault.tokenise(value, "X", "S2", "s");
    const wire = JSON.stringify({
      max_tokens: 4096,
      messages: [{ role: "user", content: "x" }],
      tools: [{ name: "admin" }],
    });
    expect(await new WireCheck(vault).find([wire])).toBeUndefined();
    const texts = new Redactor(ruleInspector(), vault);
    const { body } = await texts.redact(
      { messages: [{ role: "user", content: "log in as admin with 4096." }] },
      "openai-chat",
      context(),
      POLICY,
    );
    expect(JSON.stringify(body)).not.toMatch(/admin|4096/);
  });

  it("follows the vault: new values count, forgotten ones no longer", async () => {
    const vault = new Vault();
    const check = new WireCheck(vault);
    const token = vault.tokenise("first-secret-value", "X", "S2", "s");
    expect(await check.find(["first-secret-value"])).toBeDefined();
    vault.remove(token);
    vault.tokenise("second-secret-value", "X", "S2", "s");
    expect(await check.find(["first-secret-value"])).toBeUndefined();
    expect(await check.find(["second-secret-value"])).toBeDefined();
  });

  it("searches again only for what has come since, and finds all of that", async () => {
    const vault = new Vault();
    const check = new WireCheck(vault);
    const pieces = Array.from({ length: 40 }, (_, i) => ({
      text: `piece ${i} with value-${i * 31}@mail.example.org in it`,
      searchedAt: -1,
    }));
    expect(await check.findAnew(pieces)).toBeUndefined();
    // Up to 256 are looked for apart; then all again; values may go in between.
    for (let i = 0; i < 400; i += 1) {
      const token = vault.tokenise(`nobody-${i}@mail.example.org`, "EMAIL", "S2", "s");
      if (i % 97 === 0) vault.remove(token);
      if (i % 3 === 0) expect(await check.findAnew(pieces)).toBeUndefined();
    }
    for (const index of [7, 39, 0]) {
      vault.tokenise(`value-${index * 31}@mail.example.org`, "EMAIL", "S2", "s");
      expect((await check.findAnew(pieces))?.type).toBe("EMAIL");
      // It stays found until it is gone from there.
      expect((await check.findAnew(pieces))?.type).toBe("EMAIL");
      const piece = pieces[index];
      if (piece) Object.assign(piece, { text: "gone", searchedAt: -1 });
      expect(await check.findAnew(pieces)).toBeUndefined();
    }
  });

  it("finds a value across the windows of a long body", async () => {
    const vault = new Vault();
    vault.tokenise("the-secret-at-the-border", "X", "S2", "s");
    const check = new WireCheck(vault);
    for (const shift of [0, 5, 12, 23]) {
      const wire = `${"x".repeat(2 * 1024 * 1024 - shift)}the-secret-at-the-border${"y".repeat(100)}`;
      expect(await check.find([wire]), String(shift)).toBeDefined();
    }
  });
});

it("what counts as private only because the detector is down waits for its judgement, in the vault too", async () => {
  const vault = new Vault();
  const down: TextInspector = {
    inspect: async (items) =>
      items.map(() => ({ level: "S3", findings: [], reason: "down", degraded: "the local model is down" })),
    version: () => "1",
  };
  const body = { messages: [{ role: "system", content: "You are a helpful assistant that waters plants." }] };
  const redacted = await new Redactor(down, vault).redact(body, "openai-chat", context(), POLICY);
  expect(JSON.stringify(redacted.body)).not.toContain("plants");
  expect([...vault.entries()].map(({ type, level }) => [type, level])).toEqual([["UNJUDGED", "S3"]]);
});
