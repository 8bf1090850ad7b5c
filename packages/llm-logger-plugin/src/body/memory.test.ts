import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BodyCollector } from "./collector.ts";
import { EscapedText } from "./escaped.ts";
import { giveBack, growMemory, takeMemory } from "./memory.ts";

describe("memory used again and again", () => {
  it("belongs to one at a time, and keeps what was in it when it grows", () => {
    const first = takeMemory(10_000);
    const second = takeMemory(10_000);
    expect(second.buffer).not.toBe(first.buffer);
    first.fill(1);
    second.fill(2);
    const grown = growMemory(first, 10_000, 300_000);
    expect(grown.length).toBeGreaterThanOrEqual(300_000);
    expect(grown.subarray(0, 10_000).every((byte) => byte === 1)).toBe(true);
    expect(second.every((byte) => byte === 2)).toBe(true);
    giveBack(grown);
    expect(takeMemory(300_000).buffer).toBe(grown.buffer);
    giveBack(second);
  });

  it("is held up to a limit while nobody uses it", () => {
    const many = Array.from({ length: 40 }, () => takeMemory(1_000_000));
    for (const memory of many) giveBack(memory);
    const again = new Set(Array.from({ length: 40 }, () => takeMemory(1_000_000).buffer));
    const reused = many.filter((memory) => again.has(memory.buffer)).length;
    expect(reused).toBeLessThanOrEqual(8);
    expect(takeMemory(5_000_000).length).toBeGreaterThanOrEqual(5_000_000);
  });

  it("bodies that come at the same time never mix, whenever each one ends", () => {
    const chunk = fc.record({
      lane: fc.nat(4),
      size: fc.integer({ min: 0, max: 40_000 }),
      ends: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(chunk, { maxLength: 60 }), (chunks) => {
        const open = new Map<number, { collector: BodyCollector; parts: Buffer[] }>();
        for (const [i, { lane, size, ends }] of chunks.entries()) {
          const one = open.get(lane) ?? { collector: new BodyCollector("all"), parts: [] };
          open.set(lane, one);
          const bytes = Buffer.alloc(size, i + 1);
          one.collector.push(bytes);
          one.parts.push(Buffer.from(bytes));
          // What the client does with its chunk afterwards is its own affair.
          bytes.fill(0);
          if (!ends) continue;
          const whole = Buffer.concat(one.parts);
          expect(one.collector.joined().equals(whole)).toBe(true);
          expect(one.collector.sha256()).toBe(createHash("sha256").update(whole).digest("hex"));
          one.collector.release();
          one.collector.release();
          open.delete(lane);
        }
        for (const { collector, parts } of open.values())
          expect(collector.joined().equals(Buffer.concat(parts))).toBe(true);
        // Two collectors that gave theirs back twice must not have given one memory to two others.
        const [a, b] = [takeMemory(20_000), takeMemory(20_000)];
        expect(a.buffer).not.toBe(b.buffer);
      }),
      { numRuns: 60 },
    );
  });
});

describe("a tail", () => {
  it("holds a head and the newest bytes, for any chunks", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400_000 }), { maxLength: 12 }), (sizes) => {
        const collector = new BodyCollector("tail");
        const whole = Buffer.concat(
          sizes.map((size, i) => {
            const bytes = Buffer.alloc(size, i + 1);
            collector.push(bytes);
            return bytes;
          }),
        );
        const held = collector.joined();
        expect(collector.wireBytes).toBe(whole.length);
        if (collector.complete) expect(held.equals(whole)).toBe(true);
        else {
          expect(held.subarray(0, 4096).equals(whole.subarray(0, 4096))).toBe(true);
          const newest = held.subarray(4098);
          expect(newest.length).toBeGreaterThanOrEqual(256 * 1024 - 1);
          expect(newest.equals(whole.subarray(whole.length - newest.length))).toBe(true);
        }
        collector.release();
      }),
      { numRuns: 60 },
    );
  });

  it("gives the first event and the last ones, and nothing where they cannot be told apart", () => {
    const of = (text: string) => {
      const collector = new BodyCollector("tail");
      for (let at = 0; at < text.length; at += 700) collector.push(text.slice(at, at + 700));
      return collector.ends()?.toString();
    };
    const event = (n: number) => `data: {"n":${n}}\n\n`;
    const many = Array.from({ length: 5_000 }, (_, n) => event(n)).join("");
    expect(of(`: alive\n\n${many}data: [DONE]\n\n`)).toBe(
      `: alive\n\n${event(0)}${event(4_998)}${event(4_999)}data: [DONE]\n\n`,
    );
    expect(of(many.replaceAll("\n", "\r\n"))).toBeUndefined();
    expect(of(event(1))).toBeUndefined();
    expect(of("")).toBeUndefined();
    expect(of(`data: ${"x".repeat(5_000)}\n\n${many}`)).toBeUndefined();
  });
});

describe("EscapedText", () => {
  it("is what JSON.stringify makes of the text, between any head and tail", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 50 }), { maxLength: 20 }),
        fc.integer({ min: 0, max: 70_000 }),
        fc.string({ unit: "grapheme" }),
        (parts, filler, head) => {
          const text = `${'é"\\\n'.repeat(filler / 4)}${parts.join("")}`.toWellFormed();
          const escaped = new EscapedText();
          escaped.addBytes(Buffer.from(text));
          const long = head.toWellFormed() + "h".repeat(filler);
          const line = escaped.between(`${long}"`, '"}').toString("utf8");
          expect(line).toBe(`${long}${JSON.stringify(text)}}`);
          escaped.release();
        },
      ),
      { numRuns: 100 },
    );
  });
});
