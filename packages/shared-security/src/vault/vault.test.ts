import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPlaceholders, MAX_PLACEHOLDER_LENGTH } from "../placeholder/placeholder.ts";
import type { Finding, PrivateLevel } from "../types.ts";
import { VaultError } from "./seal.ts";
import type { VaultChange } from "./types.ts";
import { Vault } from "./vault.ts";

const finding = (
  text: string,
  start: number,
  end: number,
  type = "PHONE",
  level: PrivateLevel = "S2",
): Finding => ({
  start,
  end,
  type,
  level,
  rule: "test/rule",
  confidence: 1,
  value: text.slice(start, end),
});

/** Texts full of what could be mistaken for a placeholder, or for an escaped one. */
const PIECES = [
  "[REDACTED:PHONE_1]",
  "[REDACTED::PHONE_1]",
  "[PRIVATE:KEY_2]",
  "[private:key_2]",
  "\\[REDACTED:ID\\_CARD\\_1\\]",
  "%5BREDACTED%3APHONE_1%5D",
  "%5BREDACTED%3A:PHONE_1%5D",
  "【REDACTED：PHONE_1】",
  "[REDACTED: PHONE_1]",
  "[REDACTED:PHO",
  "NE_1]",
  "[REDACTED",
  ":",
  "::",
  "：",
  "\\",
  "\\\\",
  "[",
  "]",
  "%5B",
  "%",
  "_1]",
  "C:\\Users\\",
  "🔒",
  "\ud83d",
  "电话",
  "\n",
];
const tricky = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: "binary", maxLength: 6 })), { maxLength: 14 })
  .map((pieces) => pieces.join(""));

/** A text with findings anywhere in it, overlapping or not. */
const redactable = fc
  .tuple(tricky, fc.array(fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 12 })), { maxLength: 5 }))
  .map(([text, spans]) => ({
    text,
    findings: spans
      .filter(([start]) => start < text.length)
      .map(([start, length], index) => {
        const level = index % 2 === 0 ? "S2" : "S3";
        return finding(
          text,
          start,
          Math.min(text.length, start + length),
          index % 3 === 0 ? "PHONE" : "KEY",
          level,
        );
      }),
  }));

describe("Vault: restore(redact(x)) = x", () => {
  it("holds for any text, findings and placeholder-like literals", () => {
    fc.assert(
      fc.property(fc.array(redactable, { minLength: 1, maxLength: 3 }), (texts) => {
        const vault = new Vault();
        for (const { text, findings } of texts) {
          expect(vault.restore(vault.replaceFindings(text, findings))).toBe(text);
        }
      }),
      { numRuns: 10_000 },
    );
  });

  it("holds with the values of many sessions in one vault", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(redactable, fc.constantFrom("a", "b")), { maxLength: 6 }), (texts) => {
        const vault = new Vault();
        for (const [{ text, findings }, session] of texts) {
          const redacted = vault.replaceFindings(text, findings, { session });
          expect(vault.restore(redacted, { session })).toBe(text);
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("holds through JSON: parse(restoreJson(stringify(redacted))) = original", () => {
    fc.assert(
      fc.property(fc.array(redactable, { maxLength: 4 }), (texts) => {
        const vault = new Vault();
        const redacted = texts.map(({ text, findings }) => vault.replaceFindings(text, findings));
        const json = vault.restoreJson(JSON.stringify({ args: redacted }));
        expect(JSON.parse(json)).toEqual({ args: texts.map(({ text }) => text) });
      }),
      { numRuns: 2000 },
    );
  });

  it("gives a literal with two backslashes back through JSON", () => {
    const text = String.raw`[REDACTED:PHO\\_1] and [REDACTED:PHO\_1\]`;
    const vault = new Vault();
    const redacted = vault.replaceFindings(`${text} 13800138000`, [
      finding(`${text} 13800138000`, text.length + 1, text.length + 12),
    ]);
    expect(JSON.parse(vault.restoreJson(JSON.stringify([redacted])))).toEqual([`${text} 13800138000`]);
  });

  it("leaves nothing behind of what was found, overlapping or not", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(..."abcdefgh"), minLength: 1, maxLength: 40 }),
        fc.array(fc.tuple(fc.nat(39), fc.nat(40))),
        (text, places) => {
          const findings = places
            .filter(([start]) => start < text.length)
            .map(([start, end]) => finding(text, start, Math.min(end, text.length)));
          const clear = new Vault().replaceFindings(text, findings).replace(/\[REDACTED:\w+\]/g, "");
          const outside = [...text].filter(
            (_, at) => !findings.some(({ start, end }) => start <= at && at < end),
          );
          expect(clear).toBe(outside.join(""));
        },
      ),
    );
  });

  it("gives each value its own placeholder", () => {
    const text = "a 13800138000 b 13900139000";
    const redacted = new Vault().replaceFindings(text, [finding(text, 2, 13), finding(text, 16, 27)]);
    expect(redacted).toBe("a [REDACTED:PHONE_1] b [REDACTED:PHONE_2]");
  });
});

describe("Vault: placeholders", () => {
  it("gives one value one placeholder, and two values two, over turns", () => {
    const vault = new Vault();
    const first = vault.tokenise("13800138000", "PHONE", "S2", "s");
    expect(first).toBe("[REDACTED:PHONE_1]");
    expect(vault.tokenise("13900139000", "PHONE", "S2", "s")).toBe("[REDACTED:PHONE_2]");
    expect(vault.tokenise("13800138000", "PHONE", "S2", "s")).toBe(first);
  });

  it("marks S3 values by another word, and raises a value that turns out to be S3", () => {
    const vault = new Vault();
    const asS2 = vault.tokenise("opaque-value", "TOKEN", "S2", "s");
    const asS3 = vault.tokenise("opaque-value", "API_KEY", "S3", "s");
    expect([asS2, asS3]).toEqual(["[REDACTED:TOKEN_1]", "[PRIVATE:API_KEY_1]"]);
    expect(vault.tokenise("opaque-value", "TOKEN", "S2", "s")).toBe(asS3);
    expect(vault.restore(`${asS2} ${asS3}`, { session: "s", levels: ["S2"] })).toBe(`${asS2} ${asS3}`);
  });

  it("never restores S3 where only S2 is allowed", () => {
    const vault = new Vault();
    const phone = vault.tokenise("13800138000", "PHONE", "S2", "s");
    const key = vault.tokenise("-----key-----", "PRIVATE_KEY", "S3", "s");
    expect(vault.restore(`${phone} ${key}`, { session: "s", levels: ["S2"] })).toBe(`13800138000 ${key}`);
    expect(vault.restore(`${phone} ${key}`, { session: "s" })).toBe("13800138000 -----key-----");
  });

  it("brings any type name to the placeholder's form, no longer than promised", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (type) => {
        const token = new Vault().tokenise("v", type, "S2");
        const [match, ...more] = findPlaceholders(token);
        expect(match?.token).toBe(token);
        expect(more).toEqual([]);
        expect(token.length).toBeLessThanOrEqual(MAX_PLACEHOLDER_LENGTH);
      }),
    );
  });

  it.each([
    ["\\[REDACTED:PHONE\\_1\\]", "a&b 1"],
    ["[redacted:phone_1]", "a&b 1"],
    ["【REDACTED：PHONE_1】", "a&b 1"],
    ["[REDACTED: PHONE_1]", "a&b 1"],
    ["https://x.test/?q=%5BREDACTED%3APHONE_1%5D", "https://x.test/?q=a%26b%201"],
    ["C:\\[REDACTED:PHONE_1]", "C:\\a&b 1"],
    ["[REDACTED:PHONE_2]", "[REDACTED:PHONE_2]"],
    ["[REDACTED::PHONE_1]", "[REDACTED:PHONE_1]"],
  ])("restores what a model made of a placeholder: %s", (written, expected) => {
    const vault = new Vault();
    vault.tokenise("a&b 1", "PHONE", "S2");
    expect(vault.restore(written)).toBe(expected);
  });

  it("collects the tokens it put in, for the answer to the same request", () => {
    const vault = new Vault();
    const minted = new Set<string>();
    const text = "call 13800138000";
    vault.replaceFindings(text, [finding(text, 5, 16)], { minted });
    expect([...minted]).toEqual(["[REDACTED:PHONE_1]"]);
  });
});

describe("Vault: sessions", () => {
  it("gives a session its own placeholder and never resolves another's", () => {
    const vault = new Vault();
    const a = vault.tokenise("13800138000", "PHONE", "S2", "a");
    const b = vault.tokenise("13800138000", "PHONE", "S2", "b");
    expect(a).not.toBe(b);
    expect(vault.restore(`${a} ${b}`, { session: "b" })).toBe(`${a} 13800138000`);
    expect(vault.restore(a, { session: ["b", "a"] })).toBe("13800138000");
    expect(vault.restore(a, { session: "b", tokens: new Set([a]) })).toBe("13800138000");
  });

  it("no token of one session restores in another, whatever the other typed", () => {
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{3,8}$/), { minLength: 1, maxLength: 5 }),
        tricky,
        (values, typed) => {
          const vault = new Vault();
          const tokens = values.map((value) => vault.tokenise(`secret-${value}`, "KEY", "S2", "a"));
          const sent = vault.replaceFindings(`${typed}${tokens.join(" ")}`, [], { session: "b" });
          const answer = vault.restore(`${sent}\n${tokens.join(" ")}`, { session: "b", tokens: new Set() });
          for (const value of values) expect(answer).not.toContain(`secret-${value}`);
        },
      ),
    );
  });

  it("never gives a number twice: not after forgetting, eviction or a restart", () => {
    const vault = new Vault({ maxEntries: 2 });
    const tokens = new Set<string>();
    for (let i = 0; i < 10; i++) tokens.add(vault.tokenise(`value ${i}`, "PHONE", "S2", `s${i}`));
    vault.forgetSession("s9");
    const again = Vault.fromJSON(JSON.parse(JSON.stringify(vault)));
    for (let i = 0; i < 10; i++) tokens.add(again.tokenise(`other ${i}`, "PHONE", "S2", "t"));
    expect(tokens.size).toBe(20);
  });

  it("drops everything of a forgotten session and nothing else", () => {
    const vault = new Vault();
    const a = vault.tokenise("value-of-a", "KEY", "S3", "a");
    const b = vault.tokenise("value-of-b", "KEY", "S3", "b");
    vault.forgetSession("a");
    expect(vault.restore(`${a} ${b}`)).toBe(`${a} value-of-b`);
    expect(vault.findKnown("value-of-a value-of-b").map(({ value }) => value)).toEqual(["value-of-b"]);
  });
});

describe("Vault: text that was through it already", () => {
  const setUp = () => {
    const vault = new Vault();
    const own = vault.tokenise("13800138000", "PHONE", "S2", "a");
    const secret = vault.tokenise("the-private-key", "KEY", "S3", "a");
    return { vault, own, secret };
  };

  it("keeps the session's own tokens and private ones, escapes what only looks like one", () => {
    const { vault, own, secret } = setUp();
    const text = `${own} ${secret} [REDACTED:PHONE_77] [REDACTED::X_1]`;
    expect(vault.replaceFindings(text, [], { session: "a", ownTokens: "keep" })).toBe(
      `${own} ${secret} [REDACTED::PHONE_77] [REDACTED::X_1]`,
    );
    expect(vault.replaceFindings(own, [], { session: "b", ownTokens: "keep" })).toBe("[REDACTED::PHONE_1]");
  });

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(redactable, ({ text, findings }) => {
        const vault = new Vault();
        const once = vault.replaceFindings(text, findings, { session: "a" });
        expect(vault.replaceFindings(once, [], { session: "a", ownTokens: "keep" })).toBe(once);
      }),
    );
  });

  it("does not tear a token apart when a detector sees something in it", () => {
    const { vault, own } = setUp();
    const text = `x ${own} y`;
    expect(vault.replaceFindings(text, [finding(text, 3, 10)], { session: "a", ownTokens: "keep" })).toBe(
      text,
    );
  });

  it("replaces what stands around a token in a finding, never the token", () => {
    const { vault, own } = setUp();
    const text = `key=abc${own}def end`;
    const redacted = vault.replaceFindings(text, [finding(text, 4, text.length - 4, "KEY")], {
      session: "a",
      ownTokens: "keep",
    });
    expect(redacted).toBe(`key=[REDACTED:KEY_1]${own}[REDACTED:KEY_2] end`);
    expect(vault.restore(redacted, { session: "a" })).toBe("key=abc13800138000def end");
  });

  it("names the tokens in a text, unknown private ones included", () => {
    const { vault, own, secret } = setUp();
    const uses = vault.tokensIn(`${own} ${secret} [PRIVATE:KEY_99] [REDACTED:PHONE_99] [PRIVATE::KEY_1]`);
    expect(uses.map(({ token, level, known }) => [token, level, known])).toEqual([
      [own, "S2", true],
      [secret, "S3", true],
      ["[PRIVATE:KEY_99]", "S3", false],
    ]);
  });
});

describe("Vault: bounds and storage", () => {
  it("keeps its bounds: the oldest S2 goes first, S3 stays longest, use renews", () => {
    const vault = new Vault({ maxEntries: 3 });
    const key = vault.tokenise("private", "KEY", "S3");
    const old = vault.tokenise("old", "PHONE", "S2");
    const used = vault.tokenise("used", "PHONE", "S2");
    vault.tokenise("old", "PHONE", "S2");
    vault.tokenise("new", "PHONE", "S2");
    expect(vault.size).toBe(3);
    expect(vault.restore(`${key} ${old} ${used}`)).toBe(`private old ${used}`);
  });

  it("bounds the size of values too, but never drops the one just made", () => {
    const vault = new Vault({ maxChars: 100 });
    const token = vault.tokenise("x".repeat(500), "TEXT", "S2");
    expect(vault.restore(token)).toBe("x".repeat(500));
    vault.tokenise("y".repeat(50), "TEXT", "S2");
    expect(vault.size).toBe(1);
  });

  it("asks its store for what memory no longer holds", () => {
    const vault = new Vault({
      lookup: (token) =>
        token === "[REDACTED:PHONE_9]"
          ? { token, value: "from disk", type: "PHONE", level: "S2", session: "s" }
          : undefined,
    });
    expect(vault.restore("[REDACTED:PHONE_9]", { session: "s" })).toBe("from disk");
    expect(vault.restore("[REDACTED:PHONE_9]", { session: "t" })).toBe("[REDACTED:PHONE_9]");
  });

  it("tells a store of every change, so that it can be rebuilt", () => {
    const changes: VaultChange[] = [];
    const vault = new Vault({ onChange: (change) => changes.push(change), maxEntries: 2 });
    const tokens = ["a1", "b2", "c3"].map((value) => vault.tokenise(value, "KEY", "S2", "s"));
    const copy = new Vault();
    for (const change of changes) {
      if (change.kind === "remove") copy.remove(change.token);
      else {
        copy.load(change.entry);
        copy.loadCounters({ [change.counterName]: change.counter });
      }
    }
    expect(copy.toJSON()).toEqual(vault.toJSON());
    expect(copy.restore(tokens.join())).toBe(`${tokens[0]},b2,c3`);
  });

  it("comes back from JSON, sealed or not; nothing can be read from the sealed form", () => {
    const key = randomBytes(32);
    const vault = new Vault();
    const token = vault.tokenise("13800138000 \ud800", "PHONE", "S2", "s");
    const sealed = JSON.stringify(vault.toJSON(key));
    expect(sealed).not.toMatch(/13800138000|PHONE/);
    expect(Vault.fromJSON(JSON.parse(sealed), { key }).restore(token, { session: "s" })).toBe(
      "13800138000 \ud800",
    );
    expect(Vault.fromJSON(vault.toJSON()).restore(token)).toBe("13800138000 \ud800");
  });

  it.each([
    ["no key", (sealed: unknown) => Vault.fromJSON(sealed)],
    ["another key", (sealed: unknown) => Vault.fromJSON(sealed, { key: randomBytes(32) })],
    ["a short key", (sealed: unknown) => Vault.fromJSON(sealed, { key: randomBytes(16) })],
    ["no snapshot", () => Vault.fromJSON({ entries: [] })],
  ])("refuses %s with a word on what to do and none of the data", (_why, open) => {
    const vault = new Vault();
    vault.tokenise("13800138000", "PHONE", "S2");
    const sealed: unknown = JSON.parse(JSON.stringify(vault.toJSON(randomBytes(32))));
    expect(() => open(sealed)).toThrow(VaultError);
    expect(() => open(sealed)).not.toThrow(/13800138000/);
  });

  it("refuses a snapshot in clear where a key is given, unless it is told to bring it under the key", () => {
    const key = randomBytes(32);
    const vault = new Vault();
    const token = vault.tokenise("13800138000", "PHONE", "S2", "s");
    const clear: unknown = JSON.parse(JSON.stringify(vault.toJSON()));
    expect(() => Vault.fromJSON(clear, { key })).toThrow(/not encrypted though a key is given.*allowClear/);
    expect(() => Vault.fromJSON(clear, { key })).not.toThrow(/13800138000/);
    const brought = Vault.fromJSON(clear, { key, allowClear: true });
    expect(Vault.fromJSON(brought.toJSON(key), { key }).restore(token, { session: "s" })).toBe("13800138000");
  });

  it("notices a changed ciphertext", () => {
    const key = randomBytes(32);
    const vault = new Vault();
    vault.tokenise("13800138000", "PHONE", "S2");
    const snapshot = vault.toJSON(key);
    if (!("sealed" in snapshot)) throw new Error("not sealed");
    const data = Buffer.from(snapshot.sealed.data, "base64url");
    data[0] = (data[0] ?? 0) ^ 1;
    const changed = { ...snapshot, sealed: { ...snapshot.sealed, data: data.toString("base64url") } };
    expect(() => Vault.fromJSON(changed, { key })).toThrow(VaultError);
  });

  it("has no placeholder for nothing", () => {
    expect(() => new Vault().tokenise("", "PHONE", "S2")).toThrow(RangeError);
  });
});

describe("changed rows", () => {
  const open = (entry: object, counters: object = {}): Vault =>
    Vault.fromJSON({ version: 1, content: { counters, entries: [entry] } });
  const row = { token: "[PRIVATE:X_1]", value: "y1z2", type: "X", level: "S2", session: "" };

  it("do not make a private value less private, empty, or a number unreadable", () => {
    expect(open(row).restore("[PRIVATE:X_1]", { levels: ["S2"] })).toBe("[PRIVATE:X_1]");
    expect(() => open({ ...row, value: "" })).toThrow(/no value/);
    expect(() => open(row, { "S2:X": 9_999_999_999 })).toThrow(/counter/);
    expect(() => open(row, { "S2:X": -5 })).toThrow(/counter/);
  });
});
