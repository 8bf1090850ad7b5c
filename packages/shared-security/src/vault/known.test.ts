import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KnownIndex } from "./known.ts";
import { Vault } from "./vault.ts";

/** Made-up base64 in the shape of a private key; from a fixed seed so that failures repeat. */
function keyLines(lines: number): string[] {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let state = 12345;
  const next = (): string => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return alphabet[(state >>> 8) & 63] ?? "A";
  };
  return Array.from({ length: lines }, () => Array.from({ length: 64 }, next).join(""));
}

const BEGIN = "-----BEGIN ";
const LINES = keyLines(12);
const PEM = `${BEGIN}PRIVATE KEY-----\n${LINES.join("\n")}\n-----END PRIVATE KEY-----\n`;

function indexOf(...values: [string, string?][]): KnownIndex {
  const index = new KnownIndex();
  for (const [value, type] of values) index.add({ value, type: type ?? "SECRET", level: "S3" });
  return index;
}

const found = (index: KnownIndex, text: string): string[] => index.find(text).map(({ value }) => value);

/** What is left of a text when everything found is taken out. */
function rest(index: KnownIndex, text: string): string {
  let out = "";
  let at = 0;
  for (const { start, end } of index.find(text)) {
    out += `${text.slice(at, start)}#`;
    at = end;
  }
  return out + text.slice(at);
}

describe("KnownIndex: whole values", () => {
  it("finds every value of any length wherever it stands", () => {
    const value = fc
      .string({ unit: "grapheme", minLength: 6, maxLength: 40 })
      .filter((text) => text.trim().length >= 6);
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 30 }),
        fc.array(fc.string(), { maxLength: 30 }),
        (values, around) => {
          const index = indexOf(...values.map((text): [string] => [text]));
          const text = values.map((text, i) => (around[i] ?? "") + text).join("");
          const findings = index.find(text);
          let at = 0;
          values.forEach((wanted, i) => {
            const start = at + (around[i] ?? "").length;
            at = start + wanted.length;
            expect(
              findings.some((finding) => finding.start <= start && finding.end >= start + wanted.length),
            ).toBe(true);
          });
          for (const finding of findings) expect(finding.value).toBe(text.slice(finding.start, finding.end));
          expect(index.has(text)).toBe(true);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("finds nothing in texts without the values", () => {
    const index = indexOf(["13800138000"], ["alice@example.com"], [PEM], ["张三丰"]);
    const text =
      "The quick brown fox: 13800138001, alice@example.org, 张三, -----BEGIN PRIVATE KEY----- is a header.";
    expect(index.find(text)).toEqual([]);
    expect(index.has(text)).toBe(false);
  });

  it("takes short Latin values and digits only as words, short Chinese ones anywhere", () => {
    const index = indexOf(["Li"], ["4711"], ["王芳"]);
    expect(found(index, "Listen, Li: 147112 is not 4711. 客户王芳说 Li")).toEqual([
      "Li",
      "4711",
      "王芳",
      "Li",
    ]);
  });

  it("does not mind case and full width from eight units on, nor invisible characters ever", () => {
    const index = indexOf(["Alice@Example.com"], ["13800138000"], ["张三丰"], ["bob\u200bsmith-9"]);
    expect(found(index, "ALICE@example.COM ａｌｉｃｅ＠example.com １３８００１３８０００")).toHaveLength(3);
    expect(found(index, "138\u200b0013\u00ad8000 张\u2060三丰 bobsmith-9")).toHaveLength(3);
  });

  it("counts how often a value was added, and forgets it with the last removal", () => {
    const index = indexOf(["secret-value-1"], ["secret-value-1"], ["secret-value-2"]);
    index.remove("secret-value-1");
    expect(found(index, "secret-value-1 secret-value-2")).toHaveLength(2);
    index.remove("secret-value-1");
    index.remove("never added");
    expect(found(index, "secret-value-1 secret-value-2")).toEqual(["secret-value-2"]);
    expect(index.size).toBe(1);
  });

  it("reports the type and the strictest level", () => {
    const index = new KnownIndex();
    index.add({ value: "13800138000", type: "PHONE", level: "S2" });
    index.add({ value: "call 13800138000 now", type: "NOTE", level: "S3" });
    expect(index.find("call 13800138000 now")).toMatchObject([
      { type: "NOTE", level: "S3", rule: "vault/known", start: 0, end: 20 },
    ]);
    expect(index.find("x 13800138000")).toMatchObject([{ type: "PHONE", level: "S2" }]);
  });
});

describe("KnownIndex: encoded values", () => {
  const VALUES = [
    "13800138000",
    "alice+x@example.com",
    'p@ss"w\\rd\n9Z',
    "张三丰是客户",
    "postgres://u:p%40w@db.internal:5432/x",
  ];

  it.each([
    ["JSON", (value: string) => JSON.stringify({ value })],
    ["JSON in JSON", (value: string) => JSON.stringify(JSON.stringify({ value }))],
    [
      "ASCII JSON",
      (value: string) =>
        JSON.stringify({ value }).replace(
          /[^\0-\x7f]/g,
          (u) => `\\u${u.charCodeAt(0).toString(16).padStart(4, "0").toUpperCase()}`,
        ),
    ],
    ["percent", (value: string) => `https://x.test/?q=${encodeURIComponent(value)}&r=1`],
    ["base64", (value: string) => `echo ${Buffer.from(value).toString("base64")} | base64 -d`],
    ["base64 after one byte", (value: string) => Buffer.from(`x${value}yz`).toString("base64")],
    ["base64 after two bytes", (value: string) => Buffer.from(`xy${value}z`).toString("base64")],
    ["base64url", (value: string) => Buffer.from(`${value}?>`).toString("base64url")],
    ["hex", (value: string) => Buffer.from(value).toString("hex").toUpperCase()],
  ])("sees them in %s", (name, encode) => {
    for (const value of VALUES) {
      // Encodings of an encoding are followed once; what needs no escape is the same in all of them.
      if (name === "JSON in JSON" && JSON.stringify(value).length > value.length + 2) continue;
      if (value.length < 8 && /base64|hex/.test(name)) continue;
      expect(found(indexOf([value]), encode(value)), `${name} of ${JSON.stringify(value)}`).toHaveLength(1);
    }
  });
});

describe("KnownIndex: parts of a private key", () => {
  const index = indexOf([PEM, "PRIVATE_KEY"]);

  it.each([
    ["whole", PEM, /^#\n?$/],
    ["one line", `the line ${LINES[4]} of it`, /^the line # of it$/],
    ["half a line", `starts with ${LINES[3]?.slice(0, 24)}...`, /^starts with #\.\.\.$/],
    ["the middle of a line", `${LINES[7]?.slice(11, 40)}`, /^#$/],
    [
      "lines, indented",
      LINES.slice(2, 6)
        .map((line) => `    ${line}`)
        .join("\n"),
      /^ {4}#$/,
    ],
    [
      "lines, quoted",
      LINES.slice(2, 6)
        .map((line) => `> ${line}`)
        .join("\n"),
      /^> #$/,
    ],
    ["lines in JSON", JSON.stringify(LINES.slice(0, 5).join("\n")), /^"#"$/],
    ["lines in JSON in JSON", JSON.stringify(JSON.stringify(LINES.slice(0, 5).join("\n"))), /^"\\"#\\""$/],
    [
      "as string constants",
      LINES.slice(0, 4)
        .map((line) => `  "${line}\\n" +`)
        .join("\n"),
      /^ {2}"#\\n" \+$/,
    ],
    ["with CRLF", LINES.slice(0, 5).join("\r\n"), /^#$/],
    ["without line ends", LINES.join(""), /^#$/],
    ["base64 of the file, wrapped", Buffer.from(PEM).toString("base64").replace(/.{76}/g, "$&\n"), /^#=*$/],
    ["percent-encoded", encodeURIComponent(PEM), /^#(?:%0A)?$/],
  ])("%s", (_name, text, expected) => {
    expect(rest(index, text)).toMatch(expected);
  });

  it("any part of 20 units or more of a key line is found", () => {
    fc.assert(
      fc.property(fc.nat(LINES.length - 1), fc.nat(44), (line, from) => {
        const part = (LINES[line] ?? "").slice(from, from + 20);
        expect(found(index, `x ${part} y`)).toEqual([part]);
      }),
    );
  });

  it("the header that all tokens of a kind share is no part of any", () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const head = part({ alg: "HS256", typ: "JWT" });
    const token = (subject: string, signature: string) =>
      `${head}.${part({ sub: subject, iat: 1 })}.${signature}`;
    const [a = "", b = "", c = ""] = LINES.map((line) => line.replaceAll(/[+/]/g, "x"));
    const index = indexOf([token("1234567890", a), "JWT"]);
    expect(found(index, `Bearer ${token("9876543210", b)}`)).toEqual([]);
    expect(found(index, `Bearer ${token("1234567890", a)}`)).toEqual([token("1234567890", a)]);
    expect(found(index, `the end: ${a.slice(10, 50)}, ${c}`)).toEqual([a.slice(10, 50)]);
  });

  it("does not take the words of a private text for the text, but its lines", () => {
    const note =
      "Dear Bob,\nmy salary of this year is 123,456 and yours is less.\n我的病历：上个月确诊了糖尿病。\nBest regards";
    const text = indexOf([note, "TEXT"]);
    expect(
      rest(
        text,
        "He wrote: my salary of this year is 123,456 and yours is less. And 我的病历：上个月确诊了糖尿病。",
      ),
    ).toBe("He wrote: # And #");
    expect(rest(text, "Dear Bob,\nthis year is good. Best regards")).toBe(
      "Dear Bob,\nthis year is good. Best regards",
    );
    expect(rest(text, `x${note}y`)).toBe("x#y");
  });
});

describe("KnownIndex: cost", () => {
  it("stays linear on values and texts made to be slow", () => {
    const a = "a".repeat(50_000);
    const slow: [string[], string][] = [
      [["a".repeat(5000)], a.repeat(4)],
      [
        [`${"a".repeat(5000)}b`, `b${"a".repeat(5000)}`, `${"a".repeat(2500)}b${"a".repeat(2500)}`],
        a.repeat(4),
      ],
      [Array.from({ length: 200 }, (_, i) => `${"ab".repeat(100)}${i}`), "ab".repeat(100_000)],
      [[`A1${"a".repeat(4000)}`, `${"Ab1".repeat(1000)}x`], "Ab1".repeat(60_000)],
      [["\u200b".repeat(100), `x${"\u200b".repeat(50)}y12345`], "\u200b".repeat(200_000)],
    ];
    for (const [values, text] of slow) {
      const index = indexOf(...values.map((value): [string] => [value]));
      const started = performance.now();
      index.find(text);
      // Measured: 8 to 80 ms for 200 kB; a quadratic search would take minutes. Tests share a machine.
      expect(performance.now() - started).toBeLessThan(3000);
    }
  });

  it("finds what a plain search for each value finds", () => {
    const vault = new Vault();
    const words = ["abcdefgh", "bcdefghi", "abcdefghabcdefgh", "hgfedcba12", "12345678"];
    for (const word of words) vault.tokenise(word, "W", "S2");
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 3 })), { maxLength: 12 }),
        (pieces) => {
          const text = pieces.join("");
          const covered = new Uint8Array(text.length);
          for (const word of words) {
            for (
              let at = text.toLowerCase().indexOf(word);
              at >= 0;
              at = text.toLowerCase().indexOf(word, at + 1)
            )
              covered.fill(1, at, at + word.length);
          }
          const byIndex = new Uint8Array(text.length);
          for (const { start, end } of vault.findKnown(text)) byIndex.fill(1, start, end);
          // An escape before a value may be read as its first characters (`\\612345678`), and signs between the letters of a
          // value hide none: then a little more is covered.
          if (!/^[a-z0-9]*$/.test(text))
            for (const [at, plain] of covered.entries()) expect(byIndex[at]).toBeGreaterThanOrEqual(plain);
          else expect(byIndex).toEqual(covered);
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("values written another way", () => {
  const index = new KnownIndex();
  for (const value of ["13800138000", "11010519491231002X", "alice.wu@acme-corp.cn"])
    index.add({ value, type: "X", level: "S2" });

  it.each([
    ["in groups", "138 0013 8000"],
    ["in groups with dashes", "138-0013-8000"],
    ["broken by a line end", "1380013\n8000"],
    ["with exotic spaces", "138\u00a00013\u20098000"],
    ["with selectors", "138\ufe0f00138000"],
    ["in other digits", "\u0661\u0663\u0668\u0660\u0660\u0661\u0663\u0668\u0660\u0660\u0660"],
    ["with a check letter", "110105 19491231 002X"],
    ["partly escaped", "\\u0061lice.wu@acme-corp.cn"],
    ["in character references", "&#97;lice.wu@acme-corp.cn"],
  ])("%s", (_how, text) => {
    const padded = `see ${text} there`;
    expect(index.find(padded).map(({ value }) => value)).toEqual([text]);
    expect(index.has(padded)).toBe(true);
  });

  it("leaves other numbers", () => {
    for (const text of ["138 0013 8001", "1 2 3 4 5 6 7 8 9 10", "2024-01-02 10:20:30"])
      expect(index.has(text)).toBe(false);
  });
});

it("a text with a key and a token in it does not make the header of every token private", () => {
  const part = (text: string): string => Buffer.from(text).toString("base64url");
  const header = part('{"alg":"HS256","typ":"JWT"}');
  const token = (who: string): string =>
    `${header}.${part(`{"sub":"${who}"}`)}.${part(`${who} signed at length`)}`;
  const key = `-----BEGIN ${"PRIVATE"} KEY-----\n${part("made up for this test, and long enough")}\n-----END ${"PRIVATE"} KEY-----`;
  const index = new KnownIndex();
  index.add({ value: `mine:\n${key}\nJWT ${token("alice-1234567")} end`, type: "TEXT", level: "S3" });
  expect(index.find(`another: ${token("bob-7654321")}`)).toEqual([]);
  expect(index.has(`the same: ${token("alice-1234567")}`)).toBe(true);
});
