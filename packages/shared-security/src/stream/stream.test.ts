import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detect as detectAll } from "../detect/detect.ts";
import { MAX_PLACEHOLDER_LENGTH } from "../placeholder/placeholder.ts";
import { replaceFindings } from "../redact/redact.ts";
import type { Finding } from "../types.ts";
import { Vault } from "../vault/vault.ts";
import { redactStream } from "./redact.ts";
import { redactJsonStream } from "./redact-json.ts";
import { restoreStream, type TextStream } from "./restore.ts";

function run(stream: TextStream, pieces: readonly string[]): string {
  return pieces.map((piece) => stream.push(piece)).join("") + stream.end();
}

/** The text cut at the given places. */
function cut(text: string, places: readonly number[]): string[] {
  const sorted = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...sorted].map((from, index) => text.slice(from, sorted[index] ?? text.length));
}

const splits = fc.array(fc.nat(5000), { maxLength: 40 });

function vaultWithValues(): Vault {
  const vault = new Vault();
  vault.tokenise('a"quoted"\nvalue\\', "PHONE", "S2", "s");
  vault.tokenise("张三 🔒", "PERSON", "S2", "s");
  vault.tokenise("-----BEGIN\nkey-----", "PRIVATE_KEY", "S3", "s");
  return vault;
}

const PIECES = [
  "[REDACTED:PHONE_1]",
  "[REDACTED:PERSON_1]",
  "[PRIVATE:PRIVATE_KEY_1]",
  "\\[REDACTED:PERSON\\_1\\]",
  "[REDACTED::PHONE_1]",
  "[REDACTED:::::::PHONE_1]",
  "%5BREDACTED%3APERSON_1%5D",
  "[REDACTED:PHONE_",
  "[REDAC",
  "[[REDACTED:",
  "\\\\\\[",
  "\\",
  "]",
  "%5",
  " and some words ",
  "中文",
  '"',
];
const modelText = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ maxLength: 5 })), { maxLength: 20 })
  .map((pieces) => pieces.join(""));

describe("restoreStream", () => {
  it("gives for any cuts what restore gives for the whole", () => {
    const vault = vaultWithValues();
    fc.assert(
      fc.property(modelText, splits, (text, places) => {
        const options = { session: "s", levels: ["S2"] as const };
        expect(run(restoreStream(vault, options), cut(text, places))).toBe(vault.restore(text, options));
      }),
      { numRuns: 5000 },
    );
  });

  it("restores a placeholder cut at every position, one unit at a time too", () => {
    const vault = vaultWithValues();
    const text = "Hello [REDACTED:PERSON_1], bye";
    for (let i = 0; i <= text.length; i++) {
      expect(run(restoreStream(vault), [text.slice(0, i), text.slice(i)])).toBe("Hello 张三 🔒, bye");
    }
    expect(run(restoreStream(vault), text.split(""))).toBe("Hello 张三 🔒, bye");
  });

  it("holds back no more than a placeholder, and nothing of plain text", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("[REDACTED:PHONE_1]", "[REDACTED:", "plain", "[", " "), { maxLength: 30 }),
        (pieces) => {
          const stream = restoreStream(new Vault());
          let given = 0;
          let got = 0;
          for (const piece of pieces.join("").split("")) {
            given += 1;
            got += stream.push(piece).length;
            expect(given - got).toBeLessThanOrEqual(MAX_PLACEHOLDER_LENGTH);
          }
        },
      ),
    );
    const stream = restoreStream(new Vault());
    expect(stream.push("All of this may go.")).toBe("All of this may go.");
    expect(stream.push(" Not this: [REDACTED:PH")).toBe(" Not this: ");
    expect(stream.push("ANTASY]")).toBe("[REDACTED:PHANTASY]");
  });

  it("holds back a bounded text of anything that looks like a placeholder, and changes nothing by it", () => {
    const vault = vaultWithValues();
    const colons = fc.integer({ min: 1, max: 400 }).map((count) => ":".repeat(count));
    const spelled = fc.array(fc.constantFrom(":", "\\:", "\\\\:", "：", "%3A", "%3a"), { maxLength: 60 });
    const pieces = fc.oneof(
      fc.constantFrom(...PIECES),
      fc.constantFrom(
        "[REDACTED",
        "\\[PRIVATE",
        "%5BREDACTED",
        "【redacted",
        "PHONE_1]",
        "PHONE\\_1\\]",
        "PERSON_1%5D",
      ),
      fc.constantFrom("A_".repeat(40), "A\\_".repeat(80), "[".repeat(50), "9".repeat(40)),
      colons,
      spelled.map((parts) => parts.join("")),
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 8 }), splits, (parts, places) => {
        const text = parts.join("");
        const options = { session: "s", levels: ["S2"] as const };
        const whole = vault.restore(text, options);
        expect(run(restoreStream(vault, options), cut(text, places))).toBe(whole);
        const stream = restoreStream(new Vault());
        let given = 0;
        let got = 0;
        for (const unit of text.split("")) {
          given += 1;
          got += stream.push(unit).length;
          // Each escaped look-alike that is whole lost one colon, of at most five units.
          expect(given - got - 5 * 8 * 2).toBeLessThanOrEqual(5 * MAX_PLACEHOLDER_LENGTH);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("lets the colons of an endless look-alike go as they come", () => {
    const stream = restoreStream(vaultWithValues(), { session: "s" });
    expect(stream.push(`see [REDACTED${":".repeat(5000)}`)).toBe(`see [REDACTED${":".repeat(4999)}`);
    expect(stream.push(":")).toBe(":");
    expect(stream.push("PHONE_1")).toBe("");
    expect(stream.push("] then")).toBe("PHONE_1] then");
    expect(stream.push("[REDACTED:::") + stream.push("!") + stream.end()).toBe("[REDACTED:::!");
  });

  it("stays linear when a model writes a placeholder that never ends", () => {
    const stream = restoreStream(new Vault());
    const started = performance.now();
    let out = stream.push("[REDACTED");
    for (let i = 0; i < 100_000; i++) out += stream.push(":");
    out += stream.end();
    expect(out).toBe(`[REDACTED${":".repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(5000);
  });

  it("counts what it put back", () => {
    const restored: string[] = [];
    run(restoreStream(vaultWithValues(), { onRestore: (token) => restored.push(token) }), [
      "[REDACTED:PHONE_",
      "1] [REDACTED:X_1]",
    ]);
    expect(restored).toEqual(["[REDACTED:PHONE_1]"]);
  });
});

describe("restoreStream in JSON", () => {
  const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: "small" },
      modelText,
      fc.integer(),
      fc.array(tie("node"), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom("a", "path", "[REDACTED:PHONE_1]"), tie("node"), { maxKeys: 3 }),
    ),
  })).node;

  /** What a reader of the arguments must get: every string restored, JSON in strings as JSON. */
  const restoreDeep = (vault: Vault, node: unknown): unknown => {
    if (typeof node === "string") return vault.restore(node);
    if (Array.isArray(node)) return node.map((item) => restoreDeep(vault, item));
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [vault.restore(key), restoreDeep(vault, item)]),
    );
  };

  /** JSON in a string is treated as JSON; here every string is meant as prose. */
  const startsLikeJson = (node: unknown): boolean =>
    /"\s*(?:\{\s*(?:\\"|\})|\[\s*(?:\\"|[\]{[0-9-]))/.test(JSON.stringify(node));

  it("writes valid JSON whose strings are restored, for any cuts", () => {
    const vault = vaultWithValues();
    fc.assert(
      fc.property(value, splits, (node, places) => {
        fc.pre(!startsLikeJson(node));
        const json = JSON.stringify(node);
        const whole = vault.restoreJson(json);
        expect(run(restoreStream(vault, { format: "json" }), cut(json, places))).toBe(whole);
        expect(JSON.parse(whole)).toEqual(restoreDeep(vault, node));
      }),
      { numRuns: 3000 },
    );
  });

  it("takes a bracket before an escaped placeholder for prose", () => {
    const vault = vaultWithValues();
    const text = '[\\[REDACTED:PERSON\\_1\\]"[REDACTED:PHONE_1]';
    expect(JSON.parse(vault.restoreJson(JSON.stringify(text)))).toBe(vault.restore(text));
  });

  it("escapes twice inside JSON in a string", () => {
    const vault = vaultWithValues();
    const file = { phone: "[REDACTED:PHONE_1]", note: 'say "[REDACTED:PERSON_1]"' };
    const json = JSON.stringify({
      path: "x.json",
      content: JSON.stringify(file),
      plain: "[REDACTED:PHONE_1]",
    });
    for (const pieces of [[json], json.split("")]) {
      const args: unknown = JSON.parse(run(restoreStream(vault, { format: "json" }), pieces));
      expect(args).toMatchObject({ path: "x.json", plain: 'a"quoted"\nvalue\\' });
      const content =
        typeof args === "object" && args !== null && "content" in args ? String(args.content) : "";
      expect(JSON.parse(content)).toEqual({ phone: 'a"quoted"\nvalue\\', note: 'say "张三 🔒"' });
    }
  });
});

/** Finds runs of ten or more digits, and PEM-like blocks of any length. */
function detect(text: string): Finding[] {
  return [...text.matchAll(/\d{10,}|<<<[^>]*(?:>>>)?/g)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    type: match[0].startsWith("<") ? "BLOCK" : "NUMBER",
    level: "S2",
    rule: "test/rule",
    confidence: 1,
    value: match[0],
  }));
}

const secretText = fc
  .array(
    fc.oneof(
      fc.constantFrom("1234567890", "12345", "<<<", ">>>", " words ", "。"),
      fc.string({ maxLength: 8 }),
      fc.stringMatching(/^[a-z ]{0,700}$/),
    ),
    { maxLength: 25 },
  )
  .map((pieces) => pieces.join(""));

describe("redactStream", () => {
  it("gives for any cuts the same text, and it is the text of the whole", () => {
    fc.assert(
      fc.property(secretText, splits, (text, places) => {
        const whole = new Vault().replaceFindings(text, detect(text));
        for (const pieces of [
          [text],
          cut(text, places),
          cut(
            text,
            places.map((place) => place * 7),
          ),
        ]) {
          const vault = new Vault();
          const stream = redactStream(detect, (part, findings) => vault.replaceFindings(part, findings));
          const redacted = run(stream, pieces);
          expect(redacted).toBe(whole);
          expect(vault.restore(redacted)).toBe(text);
        }
      }),
      { numRuns: 500 },
    );
  });

  it("lets nothing of a value out that is still growing", () => {
    const vault = new Vault();
    const stream = redactStream(detect, (part, findings) => vault.replaceFindings(part, findings));
    let out = stream.push("key: <<<");
    for (let i = 0; i < 200; i++) out += stream.push("some secret words of a long key ");
    out += stream.push(">>> and the end");
    out += stream.end();
    expect(out).toBe("key: [REDACTED:BLOCK_1] and the end");
  });

  it("holds back a bounded text even when a value never ends, and still lets nothing of it out", () => {
    const vault = new Vault();
    const stream = redactStream(detect, (part, findings) => vault.replaceFindings(part, findings), {
      maxHeld: 4096,
    });
    let given = 0;
    let out = "";
    for (let i = 0; i < 100; i++) {
      out += stream.push(`<<<${"secret ".repeat(100)}`);
      given += 703;
    }
    out += stream.end();
    expect(given).toBeGreaterThan(4096);
    expect(out).not.toContain("secret");
  });

  it("sees the words before a value that were sent already", () => {
    const withContext = (text: string): Finding[] =>
      [...text.matchAll(/(?<=PIN is )\d{4}/g)].map((match) => ({
        start: match.index,
        end: match.index + 4,
        type: "PIN",
        level: "S2",
        rule: "test/rule",
        confidence: 1,
        value: match[0],
      }));
    const text = `${"x".repeat(1270)} PIN is 4711 ${"y".repeat(2000)}`;
    const stream = redactStream(withContext, (part) => part.replace("4711", "****"));
    expect(run(stream, text.split(""))).not.toContain("4711");
    const named = redactStream(withContext, (part, findings) => (findings.length > 0 ? "****" : part), {
      before: "PIN is ",
    });
    expect(run(named, ["47", "11"])).toBe("****");
  });
});

describe("redactJsonStream", () => {
  const redactDeep = (vault: Vault, node: unknown): unknown => {
    if (typeof node === "string") return vault.replaceFindings(node, detect(node));
    if (typeof node === "number" && detect(String(node)).length > 0) return redactDeep(vault, String(node));
    if (Array.isArray(node)) return node.map((item) => redactDeep(vault, item));
    if (typeof node !== "object" || node === null) return node;
    return Object.fromEntries(
      Object.entries(node).map(([key, item]) => [redactDeep(vault, key), redactDeep(vault, item)]),
    );
  };

  it("gives for any cuts valid JSON with every string redacted", () => {
    const node = fc.dictionary(
      fc.stringMatching(/^[a-z]{0,5}$/),
      fc.oneof(secretText, fc.integer(), fc.array(secretText, { maxLength: 3 })),
    );
    fc.assert(
      fc.property(node, splits, (value, places) => {
        const json = JSON.stringify(value, null, 1);
        const vault = new Vault();
        const expected = JSON.stringify(redactDeep(vault, value), null, 1);
        const stream = redactJsonStream(detect, (part, findings) => vault.replaceFindings(part, findings));
        expect(run(stream, cut(json, places))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("decodes escapes cut anywhere, and makes a private number a string", () => {
    const json = '{"a": "x\\u0031234567890\\n\\"q\\"", "n": 12345678901, "m": -12.5e3, "k": true}';
    for (let i = 0; i <= json.length; i++) {
      const vault = new Vault();
      const stream = redactJsonStream(detect, (part, findings) => vault.replaceFindings(part, findings));
      expect(run(stream, [json.slice(0, i), json.slice(i)])).toBe(
        '{"a": "x[REDACTED:NUMBER_1]\\n\\"q\\"", "n": "[REDACTED:NUMBER_2]", "m": -12.5e3, "k": true}',
      );
    }
  });
});

describe("a value too long to be held", () => {
  it("is taken out to its end, whatever the cuts", () => {
    const line = `${"MIIEowIBAAKCAQEAabcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKL"}\n`;
    const begin = "-----BEGIN RSA PRIVATE " + "KEY-----\n";
    const text = `hello ${begin}${line.repeat(1_500)}-----END RSA PRIVATE ${"KEY-----"} bye`;
    for (const size of [97, 4_096, 70_001]) {
      const stream = redactStream(
        (piece) => detectAll(piece),
        (piece, findings) => replaceFindings(piece, findings, () => "#"),
      );
      let out = "";
      for (let i = 0; i < text.length; i += size) out += stream.push(text.slice(i, i + size));
      out += stream.end();
      expect(out.replace(/#+/g, "#")).toBe("hello # bye");
    }
  });
});
