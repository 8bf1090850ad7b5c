/** A secret at any place of a stream: over windows, runs and the cap. */
import { createHash } from "node:crypto";
import { expect, it, vi } from "vitest";
import { assemble } from "../assemble/assemble.ts";
import { bodyFields, type CollectedBody, collectBody } from "../body/body-fields.ts";
import { BodyCollector } from "../body/collector.ts";
import { EscapedText } from "../body/escaped.ts";
import { createBodyRedactor } from "../redaction/body.ts";
import { createSecretFinder } from "../redaction/secrets.ts";
import { everythingSaid } from "./http-lines.ts";

vi.setConfig({ testTimeout: 60_000 });

const redactor = createBodyRedactor(createSecretFinder(false));
const SECRET = `AK${"IA"}${"QX3ZP7LMN4TRB6WD"}`;
const event = (content: string) =>
  `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content } }] })}\n\n`;

/** What a line would say of a streamed body, as the recorder makes it. */
function lineOf(stream: string, maxBytes: number): { body: string; fields: object } {
  const collector = new BodyCollector("all");
  for (let at = 0; at < stream.length; at += 4999) collector.push(stream.slice(at, at + 4999));
  const collected = collectBody(collector, undefined) as CollectedBody;
  const inspection = redactor.inspect();
  const { assembled, escaped } = assemble("openai-completions", "sse", collected.decoded.bytes, inspection);
  if (assembled) for (const said of everythingSaid(assembled.message)) inspection.text(said);
  const { fields, raw } = bodyFields(collected, "lines", maxBytes, redactor, { inspection, escaped });
  let body = fields.body ?? "";
  if (raw) {
    const text = raw.escaped ?? new EscapedText();
    if (!raw.escaped) text.addBytes(raw.bytes);
    body = String(JSON.parse(text.between('"', '"').toString("utf8")));
    text.release();
  }
  collector.release();
  const { body: _body, ...rest } = fields;
  return { body, fields: rest };
}

function said(body: string): string {
  return [...body.matchAll(/"content":"([^"]*)"?/g)].map((match) => match[1]).join("");
}

it.each([
  ["a character an event", [...SECRET]],
  ["whole", [SECRET]],
  ["three pieces", SECRET.match(/.{1,7}/g) ?? []],
])("is not in the line, %s, wherever the cap and the windows cut it", (_name, parts) => {
  const secret = parts.map(event).join("");
  for (const maxBytes of [1024, 1025, 1501, 65_536, 262_144]) {
    const border = Math.min(maxBytes, 65_536);
    for (let from = border - secret.length - 60; from <= border + 40; from += 7) {
      const filler = Math.max(0, from - event("").length);
      const stream = `${event(`${"w".repeat(filler)} `)}${secret}${event(" and on").repeat(30)}`;
      const { body, fields } = lineOf(stream, maxBytes);
      // Pieces that stand before the cap give away no more than their beginning.
      expect(said(body)).not.toContain(SECRET.slice(0, 12));
      const bytes = Buffer.byteLength(stream);
      if (bytes > maxBytes) expect(Buffer.byteLength(body)).toBeLessThanOrEqual(maxBytes);
      expect(fields).toMatchObject({
        originalLength: bytes,
        truncated: bytes > maxBytes,
        capturedBytes: Math.min(bytes, maxBytes),
        sha256: createHash("sha256").update(stream).digest("hex"),
      });
    }
  }
});

it("a clean stream is cut at the cap between characters and is otherwise what came", () => {
  const stream = event("é你😀\n").repeat(400);
  const bytes = Buffer.from(stream);
  for (let maxBytes = 1024; maxBytes < 1200; maxBytes++) {
    const { body } = lineOf(stream, maxBytes);
    const got = Buffer.from(body);
    expect(got.length).toBeGreaterThan(maxBytes - 4);
    expect(bytes.subarray(0, got.length).equals(got)).toBe(true);
  }
  expect(lineOf(stream, bytes.length).body).toBe(stream);
});
