/** Secrets where nobody looks, and bodies made to break whoever walks them. */
import { describe, expect, it } from "vitest";
import { assemble } from "../assemble/assemble.ts";
import { bodyFields, collectBody } from "../body/body-fields.ts";
import { BodyCollector } from "../body/collector.ts";
import { createBodyRedactor } from "./body.ts";
import { credentialKey, isCredentialHeader } from "./names.ts";
import { createSecretFinder } from "./secrets.ts";
import { createWireRedactor, redactUrlParts } from "./wire.ts";

const alnum = (n: number, seed = 7) =>
  Array.from(
    { length: n },
    (_, i) => "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"[(i * 17 + seed * 31 + i * i) % 54],
  ).join("");
const token = `gh${"p_"}${alnum(36)}`;
const word = alnum(30, 5);

const finder = createSecretFinder(false);
const wire = createWireRedactor(finder, true);
const bodies = createBodyRedactor(finder);

/** A body as the recorder would write it. */
function written(body: string | Buffer, kind: "json" | "lines" | "text", maxBytes: number): string {
  const collector = new BodyCollector("all");
  collector.push(Buffer.from(body));
  const collected = collectBody(collector, undefined);
  if (collected instanceof Promise) throw new Error("no coding, no wait");
  const { fields, raw } = bodyFields(collected, kind, maxBytes, bodies);
  const text = raw ? raw.bytes.toString("utf8") : (fields.body ?? "");
  return fields.bodyEncoding === "base64" ? Buffer.from(text, "base64").toString("latin1") : text;
}

describe("secrets in odd places", () => {
  it("environment-style and owner-named keys are credentials, tokens of pages and models are not", () => {
    for (const key of [
      "OPENAI_API_KEY",
      "AWS_SECRET_ACCESS_KEY",
      "aws_secret_access_key",
      "github_token",
      "DB_PASSWORD",
      "slackToken",
      "client-secret",
    ])
      expect(bodies.redact(JSON.stringify({ env: { [key]: word } }), "json").text, key).not.toContain(word);
    for (const key of [
      "next_page_token",
      "nextPageToken",
      "eos_token",
      "max_tokens",
      "sync-token",
      "public_key",
      "monkey",
    ])
      expect(credentialKey(key), key).toBeUndefined();
  });

  it("a form's secrets, in the body of a token request", () => {
    const form = `grant_type=refresh_token&refresh_token=${word}&client_secret=${alnum(24, 9)}&scope=a%20b`;
    expect(bodies.redact(form, "text").text).toBe(
      "grant_type=refresh_token&refresh_token=[REDACTED]&client_secret=[REDACTED]&scope=a%20b",
    );
  });

  it("user info with an @ in the password, parameters of a redirect, URLs in error texts", () => {
    expect(redactUrlParts("https://user:p@ss@host/x@y")).toBe("https://[REDACTED]@host/x@y");
    const out = wire.headers([
      ["Location", `https://h/cb?access_token=${word}&x=1`],
      ["Referer", "wss://u:longpass@h/"],
    ]);
    expect(out).toEqual({
      location: "https://h/cb?access_token=[REDACTED]&x=1",
      referer: "wss://[REDACTED]@h/",
    });
    expect(wire.text(`fetch failed: http://u:pw@h/v1?api_key=${word} refused`)).toBe(
      "fetch failed: http://[REDACTED]@h/v1?api_key=[REDACTED] refused",
    );
  });

  it("vendors' header names; rate limits and idempotency keys stay", () => {
    for (const name of [
      "apikey",
      "Token",
      "private-token",
      "x-vault-token",
      "X-Hub-Secret",
      "hf_token",
      "x-aws-secret-key",
    ])
      expect(isCredentialHeader(name), name).toBe(true);
    for (const name of [
      "idempotency-key",
      "x-ratelimit-remaining-tokens",
      "x-cache-key",
      "etag",
      "x-request-id",
    ])
      expect(isCredentialHeader(name), name).toBe(false);
  });

  it("header names of Object's prototype are names like any other", () => {
    const out = wire.headers([
      ["__proto__", "x"],
      ["constructor", "y"],
      ["toString", "z"],
    ]);
    expect(JSON.stringify(out)).toBe('{"__proto__":"x","constructor":"y","tostring":"z"}');
    expect(Object.prototype).not.toHaveProperty("0");
  });

  it("cut JSON in a string: the arguments of a call that was broken off", () => {
    const cut = `{"user":"u","password":"hunter2xyz","note":"unfini`;
    expect(JSON.stringify(bodies.redactValue({ arguments: cut }).value)).not.toContain("hunter2xyz");
    expect(bodies.redact(JSON.stringify({ arguments: cut }), "json").text).not.toContain("hunter2xyz");
  });

  it("a body that is no UTF-8 is looked through as well", () => {
    const body = Buffer.concat([
      Buffer.from(`{"error":"caf`),
      Buffer.from([0xe9]),
      Buffer.from(` ${token}"}`),
    ]);
    const text = written(body, "json", 4096);
    expect(text).toContain('{"error":"caf\xe9 [REDACTED:');
    expect(text).not.toContain(token);
  });
});

describe("secrets that are cut or split", () => {
  const chunk = (index: number, args: string, choice = 0) =>
    `data: ${JSON.stringify({ choices: [{ index: choice, delta: { tool_calls: [{ index, function: { arguments: args } }] } }] })}\n\n`;
  const pieces = (text: string, size: number) => text.match(new RegExp(`.{1,${size}}`, "gs")) ?? [];

  it("the arguments of parallel calls with interleaved indexes", () => {
    const first = JSON.stringify({ cmd: `curl -H ${token}` });
    const second = JSON.stringify({ password: "hunter2xyz", path: "a" });
    let sse = "";
    const a = pieces(first, 5);
    const b = pieces(second, 3);
    for (let i = 0; i < Math.max(a.length, b.length); i++) sse += chunk(0, a[i] ?? "") + chunk(1, b[i] ?? "");
    const inspection = bodies.inspect();
    assemble("openai-completions", "sse", sse, inspection);
    expect(inspection.dirty).toBe(true);
    const out = bodies.redact(sse, "lines", inspection).text;
    const { toolCalls } = assemble("openai-completions", "sse", out).assembled?.message ?? { toolCalls: [] };
    expect(JSON.stringify(toolCalls)).not.toContain(token);
    expect(JSON.stringify(toolCalls)).not.toContain("hunter2xyz");
    expect(toolCalls[1]?.arguments).toEqual({ password: "[REDACTED]", path: "a" });
  });

  it("texts that no assembler keeps: other choices, transcripts, reasoning details", () => {
    const say = (delta: object, index = 0) => `data: ${JSON.stringify({ choices: [{ index, delta }] })}\n\n`;
    for (const event of [
      (piece: string) => say({ content: piece }, 1) + say({ content: "zz" }, 0),
      (piece: string) => say({ audio: { transcript: piece } }),
      (piece: string) => say({ reasoning_details: [{ index: 0, text: piece }] }),
    ]) {
      const sse = pieces(`the key: ${token} !`, 4).map(event).join("");
      const inspection = bodies.inspect();
      assemble("openai-completions", "sse", sse, inspection);
      expect(inspection.dirty).toBe(true);
      const { text } = bodies.redact(sse, "lines", inspection);
      expect(text.match(/REDACTED/g)).toHaveLength(1);
    }
  });

  it("clean streams stay clean", () => {
    const sse = pieces("the quick brown fox jumps over the lazy dog ".repeat(20), 3)
      .map((piece, i) => chunk(i % 3, piece))
      .join("");
    const inspection = bodies.inspect();
    assemble("openai-completions", "sse", sse, inspection);
    expect(inspection.dirty).toBe(false);
    expect(bodies.redact(sse, "lines").count).toBe(0);
  });

  it("over the cap, at every position, in one document and a character an event", () => {
    const cap = 1024;
    for (let before = cap - 60; before <= cap + 10; before += 3) {
      const doc = JSON.stringify({ t: `${"x".repeat(before - 7)} ${token} ${"y".repeat(40_000)}` });
      const kept = written(doc, "json", cap);
      expect(kept).not.toContain(token.slice(0, 12));
      expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(cap);
    }
    const pad = "p".repeat(600);
    const sse = [..."say ", ...token, ..." done"].map(
      (piece) => `data: ${JSON.stringify({ pad, choices: [{ index: 0, delta: { content: piece } }] })}\n\n`,
    );
    for (const at of [8, 20, 35]) {
      const kept = written(sse.join(""), "lines", at * (sse[0]?.length ?? 0));
      const said = [...kept.matchAll(/"content":"([^"]*)"/g)].map((match) => match[1]).join("");
      expect(said).not.toContain(token.slice(0, 8));
    }
  });

  it("shorter text after replacing does not bring up what lies beyond the cap", () => {
    const pem = [
      "-----BEGIN ",
      `PRIVATE KEY-----\n${`${alnum(64)}\n`.repeat(50)}-----END `,
      "PRIVATE KEY-----\n",
    ].join("");
    const cap = 16_384;
    const head = pem.repeat(5);
    const text = `${head}${"z ".repeat((cap + 16_384 - head.length - 20) / 2)}${token} and more ${"w ".repeat(5000)}`;
    const kept = written(text, "text", cap);
    expect(kept).not.toContain(token.slice(0, 8));
    expect(kept).not.toContain(alnum(64));
  });
});

describe("bodies made to break", () => {
  it.each([5_000, 20_000])("%i levels deep: redacted, and in no time", { timeout: 60_000 }, (depth) => {
    for (const deep of [
      `${"[".repeat(depth)}"${token}"${"]".repeat(depth)}`,
      `${'{"a":"x","b":'.repeat(depth)}"${token}"${"}".repeat(depth)}`,
      `${'{"a":"x","b":'.repeat(depth)}"${token}"`,
    ]) {
      const before = process.cpuUsage();
      expect(bodies.redact(deep, "json").text.includes(token)).toBe(false);
      expect(bodies.redact(deep, "lines").text.includes(token)).toBe(false);
      const { user } = process.cpuUsage(before);
      expect(user).toBeLessThan(4_000_000);
      const inspection = bodies.inspect();
      assemble("openai-completions", "document", deep, inspection);
      const call = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { name: "f", arguments: deep } }] } }] })}\n\n`;
      const made = assemble("openai-completions", "sse", call, inspection).assembled?.message;
      expect(JSON.stringify(bodies.redactValue(made).value).includes(token)).toBe(false);
    }
  });

  it("objects nested deep are written as far as they go", () => {
    let deep: unknown = token;
    for (let i = 0; i < 20_000; i++) deep = [deep];
    expect(JSON.stringify(bodies.redactValue({ deep }).value)).toContain("nested too deep");
  });

  it("prototype-named keys survive", () => {
    const body = `{"__proto__":{"apiKey":"${word}"},"constructor":"c","hasOwnProperty":1}`;
    expect(bodies.redact(body, "json").text).toBe(
      '{"__proto__":{"apiKey":"[REDACTED]"},"constructor":"c","hasOwnProperty":1}',
    );
    const copy = bodies.redactValue(JSON.parse(body)).value;
    expect(JSON.stringify(copy)).toBe(
      '{"__proto__":{"apiKey":"[REDACTED]"},"constructor":"c","hasOwnProperty":1}',
    );
  });
});
