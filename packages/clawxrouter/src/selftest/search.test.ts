import { randomBytes } from "node:crypto";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { LeakSearch, type Wire } from "./search.ts";
import { secrets } from "./secrets.ts";

const all = secrets("planted");
const search = new LeakSearch(all);

/** A request as the host sends them, with a value in it. */
const body = (content: string) =>
  JSON.stringify({
    model: "main",
    stream: true,
    messages: [
      { role: "system", content: "You are a helper. ".repeat(40) },
      { role: "user", content: `[Mon 2026-11-30 18:00 UTC] before ${content} after` },
    ],
  });
const wire = (raw: string | Buffer, more: Partial<Wire> = {}): Wire => ({
  url: "/v1/chat/completions",
  headers: { "content-type": "application/json" },
  raw: Buffer.isBuffer(raw) ? raw : Buffer.from(raw),
  ...more,
});

const wide = (text: string) =>
  text.replaceAll(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));
const b64 = (text: string) => Buffer.from(text).toString("base64");
const percent = (text: string) =>
  Buffer.from(text)
    .toString("hex")
    .replaceAll(/../g, (two) => `%${two}`);

const HIDDEN: Record<string, (text: string) => string> = {
  plain: (t) => t,
  "JSON in a JSON string": (t) => JSON.stringify({ arguments: JSON.stringify({ note: t }) }),
  "\\u escapes": (t) => [...t].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
  "\\x escapes": (t) =>
    [...t].map((c) => (c < "\u0100" ? `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}` : c)).join(""),
  "percent-encoded": encodeURIComponent,
  "percent-encoded, every byte": percent,
  "percent-encoded twice": (t) => encodeURIComponent(percent(t)),
  "HTML entities": (t) => [...t].map((c) => `&#${c.codePointAt(0)};`).join(""),
  "HTML entities, hexadecimal": (t) => [...t].map((c) => `&#x${c.codePointAt(0)?.toString(16)};`).join(""),
  "quoted-printable": (t) => percent(t).toUpperCase().replaceAll("%", "="),
  base64: b64,
  "base64, grown together with a word": (t) => `ab${b64(t)}`,
  "base64url without padding": (t) => Buffer.from(t).toString("base64url"),
  "base64 in lines of 76": (t) => b64(`x${t}`).replaceAll(/.{76}/g, "$&\n"),
  "base64 twice": (t) => b64(b64(t)),
  "base64 of percent": (t) => b64(percent(t)),
  "base64 of gzip": (t) => gzipSync(t).toString("base64"),
  "base64 of UTF-16": (t) => Buffer.from(t, "utf16le").toString("base64"),
  hexadecimal: (t) => Buffer.from(t).toString("hex"),
  "hexadecimal with colons": (t) =>
    Buffer.from(t)
      .toString("hex")
      .replaceAll(/..(?=.)/g, "$&:"),
  "full-width": wide,
  "full-width and percent": (t) => percent(wide(t)),
  "zero-width between": (t) => [...t].join("\u200b"),
  "soft hyphens between": (t) => [...t].join("\u00ad"),
  "spaces between": (t) => [...t].join(" "),
  "dashes and quotes between": (t) => [...t].join('-"'),
  "upper case": (t) => t.toUpperCase(),
  backwards: (t) => [...t].reverse().join(""),
  "backwards, then base64": (t) => b64([...t].reverse().join("")),
};

describe("what the search for leaks sees", () => {
  // Upper case, and characters beyond Latin that \x cannot write, make other texts; the values are what counts.
  for (const [how, hide] of Object.entries(HIDDEN)) {
    it(`every planted value, ${how}`, () => {
      const missed = all.filter(
        ({ name, values }) => !values.every((value) => search.find(wire(body(hide(value)))).includes(name)),
      );
      expect(missed.map(({ name }) => name)).toEqual([]);
    });
  }

  const PACKED: [string, (raw: string) => Buffer, string][] = [
    ["gzip", (raw) => gzipSync(raw), "gzip"],
    ["gzip without its header", (raw) => gzipSync(raw), ""],
    ["gzip twice", (raw) => gzipSync(gzipSync(raw)), "gzip, gzip"],
    ["deflate", (raw) => deflateSync(raw), "deflate"],
    ["raw deflate", (raw) => deflateRawSync(raw), "deflate"],
    ["brotli", (raw) => brotliCompressSync(raw), "br"],
    ["zstd", (raw) => zstdCompressSync(raw), "zstd"],
    ["UTF-16", (raw) => Buffer.from(raw, "utf16le"), ""],
    ["UTF-16 big-endian", (raw) => Buffer.from(raw, "utf16le").swap16(), ""],
  ];
  it.each(PACKED)("every planted value in a body packed with %s", (_, pack, encoding) => {
    const found = search.find(
      wire(pack(body(all.map(({ text }) => text).join("\n"))), {
        headers: { "content-encoding": encoding },
      }),
    );
    expect(all.filter(({ name }) => !found.includes(name)).map(({ name }) => name)).toEqual([]);
  });

  it("values in the address and in a header", () => {
    const [phone] = all;
    if (phone === undefined) throw new Error("no secrets");
    const [value = ""] = phone.values;
    expect(search.find(wire("", { url: `/v1/models?q=${encodeURIComponent(wide(value))}` }))).toContain(
      phone.name,
    );
    expect(search.find(wire("", { headers: { "x-note": b64(`tel ${value}`) } }))).toContain(phone.name);
  });

  it("a body that ended in the middle", () => {
    const [phone] = all;
    const whole = Buffer.from(body(phone?.text ?? ""));
    expect(search.find(wire(whole.subarray(0, whole.length - 9)))).toContain(phone?.name);
  });

  it("values cut in two, over two texts of one body and over two bodies", () => {
    for (const { name, values } of all) {
      for (const value of values) {
        const half = Math.floor(value.length / 2);
        const [one, two] = [value.slice(0, half), value.slice(half)];
        const message = (text: string) => ({ role: "user", content: `[Mon 2026-11-30 18:00 UTC] ${text}` });
        const both = JSON.stringify({
          messages: [message(one), { role: "assistant", content: "yes?" }, message(two)],
        });
        const first = JSON.stringify({ messages: [message(one)] });
        expect(search.findAcross([wire(both)]), name).toContain(name);
        expect(search.findAcross([wire(first), wire(first), wire(both)]), name).toContain(name);
        const parts = {
          messages: [{ role: "user", content: [one, two].map((text) => ({ type: "text", text })) }],
        };
        expect(search.findAcross([wire(JSON.stringify(parts))]), name).toContain(name);
        const stream = [one, two]
          .map((content) => `data: ${JSON.stringify({ delta: { content } })}\n\n`)
          .join("");
        expect(search.findAcross([wire(stream)]), name).toContain(name);
      }
    }
  });

  it("a piece of a long value, wherever it was cut", () => {
    const key = all.find(({ name }) => name === "key-0");
    const [line = ""] = key?.values ?? [];
    for (let at = 0; at + 24 <= line.length; at++)
      expect(search.find(wire(body(line.slice(at, at + 24))))).toContain("key-0");
  });

  it("nothing in 1 MB of clean text, random bytes and other secrets", { timeout: 30_000 }, () => {
    const others = secrets("others").map(({ text }) => text);
    for (let i = 0; i < 8; i++) {
      const noise = `${others.join("\n")}\n${randomBytes(60_000).toString(i % 2 === 0 ? "base64" : "hex")}`;
      expect(search.find(wire(body(noise)))).toEqual([]);
      expect(search.findAcross([wire(body(noise))])).toEqual([]);
    }
  });

  it("placeholders are no leak", () => {
    expect(search.find(wire(body("[REDACTED:PHONE_1] 🔒[PRIVATE:TEXT_1]")))).toEqual([]);
  });
});
