import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DIALECTS, type Dialect } from "../testing/dialects.ts";
import { PHONE } from "../testing/setup.ts";
import { ResponseObserver } from "./observer.ts";
import { restoreDocument, streamTransform } from "./transform.ts";
import { vaultRestorer } from "./vault-restorer.ts";

const SESSION = "s";
/** A value that must be escaped in JSON. */
const PATH = 'C:\\用户\\张 "三"\n\ttail';

function setup() {
  const vault = new Vault();
  const phone = vault.tokenise(PHONE, "PHONE", "S2", SESSION);
  const path = vault.tokenise(PATH, "PATH", "S2", SESSION);
  return { vault, phone, path };
}

/** Sends `wire` through the transform in pieces of bytes. */
async function pass(dialect: Dialect, vault: Vault, wire: string, cuts: readonly number[]) {
  const restorer = vaultRestorer(vault, new Set(), SESSION);
  const observer = new ResponseObserver(dialect.protocol);
  const transform = streamTransform(dialect.protocol.framing, {
    protocol: dialect.protocol,
    observer,
    restorer,
  });
  const out: Buffer[] = [];
  transform.on("data", (piece: Buffer) => out.push(piece));
  const done = new Promise((resolve, reject) => transform.on("end", resolve).on("error", reject));
  const bytes = Buffer.from(wire, "utf8");
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    transform.write(bytes.subarray(from, cut));
    from = cut;
  }
  transform.end();
  await done;
  return { wire: Buffer.concat(out).toString("utf8"), usage: observer.usage, restored: restorer.count() };
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const points = [0, ...cuts, text.length];
  return points.slice(1).map((end, index) => text.slice(points[index], end));
}

describe.each(DIALECTS.map((dialect) => [dialect.protocol.id, dialect] as const))("%s", (_id, dialect) => {
  const { vault, phone, path } = setup();
  const text = `打给 ${phone}，路径 ${path}。`;
  const args = JSON.stringify({ to: phone, file: path, nested: JSON.stringify({ again: path }) });
  const expectedText = `打给 ${PHONE}，路径 ${PATH}。`;
  const expectedArgs = { to: PHONE, file: PATH, nested: JSON.stringify({ again: PATH }) };

  it("restores text and tool arguments cut at every position (sse-split, restored-args)", async () => {
    for (let at = 0; at <= Math.max(text.length, args.length); at += 1) {
      const wire = dialect.stream(
        cutAt(text, [Math.min(at, text.length)]),
        cutAt(args, [Math.min(at, args.length)]),
      );
      const result = await pass(dialect, vault, wire, []);
      const assembled = dialect.assemble(result.wire);
      expect(assembled.text).toBe(expectedText);
      expect(assembled.args).toEqual(expectedArgs);
      expect(result.wire).not.toContain("[REDACTED:");
    }
  });

  it("restores the same for every cut of the bytes", async () => {
    const wire = dialect.stream([text.slice(0, 9), text.slice(9)], [args]);
    const bytes = Buffer.byteLength(wire);
    for (let at = 1; at < bytes; at += 1) {
      const assembled = dialect.assemble((await pass(dialect, vault, wire, [at])).wire);
      expect(assembled.text).toBe(expectedText);
      expect(assembled.args).toEqual(expectedArgs);
    }
  });

  it("restores for any pieces of text, arguments and bytes", async () => {
    const cuts = (length: number) =>
      fc.uniqueArray(fc.nat(length), { maxLength: 12 }).map((list) => list.toSorted((a, b) => a - b));
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.constant(phone),
            fc.constant(path),
            fc.string({ unit: "grapheme" }),
            fc.constant("[REDACTED"),
          ),
          { maxLength: 6 },
        ),
        fc.infiniteStream(fc.double({ noNaN: true, min: 0, max: 1 })),
        cuts(args.length),
        async (parts, random, argCuts) => {
          const body = parts.join(" ");
          const draw = (length: number): number[] =>
            Array.from({ length: 6 }, () => Math.floor((random.next().value ?? 0) * length)).toSorted(
              (a, b) => a - b,
            );
          const wire = dialect.stream(cutAt(body, draw(body.length)), cutAt(args, argCuts));
          const result = await pass(dialect, vault, wire, draw(Buffer.byteLength(wire)));
          const assembled = dialect.assemble(result.wire);
          expect(assembled.text).toBe(
            vault.restore(body, { session: SESSION, levels: ["S2"] }).toWellFormed(),
          );
          expect(assembled.args).toEqual(expectedArgs);
          expect(result.usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("restores whole answers", () => {
    const restorer = vaultRestorer(vault, new Set(), SESSION);
    const observer = new ResponseObserver(dialect.protocol);
    const out = restoreDocument(JSON.stringify(dialect.whole(text, args)), {
      protocol: dialect.protocol,
      observer,
      restorer,
    });
    expect(dialect.read(JSON.parse(out))).toEqual({ text: expectedText, args: expectedArgs });
    expect(observer.usage).toMatchObject({ inputTokens: 7, outputTokens: 5 });
  });

  it("sends what is no placeholder at once: nothing but an unfinished placeholder is held back", async () => {
    const restorer = vaultRestorer(vault, new Set(), SESSION);
    const observer = new ResponseObserver(dialect.protocol);
    const transform = streamTransform(dialect.protocol.framing, {
      protocol: dialect.protocol,
      observer,
      restorer,
    });
    const out: string[] = [];
    transform.on("data", (piece: Buffer) => out.push(piece.toString("utf8")));
    const [first = ""] = dialect.stream(["plain words ", "more"], ["{}"]).split("more");
    const event =
      dialect.protocol.framing === "sse"
        ? first.slice(0, first.lastIndexOf("\n\n") + 2)
        : first.slice(0, first.lastIndexOf("\n") + 1);
    transform.write(Buffer.from(event));
    await new Promise((resolve) => setImmediate(resolve));
    expect(out.join("")).toContain("plain words ");
    transform.destroy();
  });

  it("makes a stream of its own completion that an SDK reads back", () => {
    const completion = dialect.protocol.completion("不发送 because", {
      model: "m",
      endpoint: "api/chat",
      now: 0,
      requestId: "r",
    });
    const frames = dialect.protocol.streamOf(completion);
    const wire = frames
      .map(({ event, data }) => {
        const json = data === "[DONE]" ? data : JSON.stringify(data);
        if (dialect.protocol.framing === "ndjson") return `${json}\n`;
        return `${event === undefined ? "" : `event: ${event}\n`}data: ${json}\n\n`;
      })
      .join("");
    expect(dialect.read(completion).text).toBe("不发送 because");
    if (dialect.protocol.id !== "openai-responses")
      expect(dialect.assemble(wire).text).toBe("不发送 because");
    else expect(wire).toContain('"delta":"不发送 because"');
  });

  it("turns a whole answer into a stream without losing tool calls (stream-tool-calls)", () => {
    const frames = dialect.protocol.streamOf(dialect.whole("words", '{"a":1}'));
    const wire = frames
      .map(({ event, data }) => {
        const json = data === "[DONE]" ? data : JSON.stringify(data);
        if (dialect.protocol.framing === "ndjson") return `${json}\n`;
        return `${event === undefined ? "" : `event: ${event}\n`}data: ${json}\n\n`;
      })
      .join("");
    expect(dialect.assemble(wire)).toEqual({ text: "words", args: { a: 1 } });
  });
});

describe("scope", () => {
  it("leaves private and foreign placeholders as they are", async () => {
    const vault = new Vault();
    const mine = vault.tokenise(PHONE, "PHONE", "S2", SESSION);
    const other = vault.tokenise("somebody@else.example", "EMAIL", "S2", "another session");
    const secret = vault.tokenise("very private", "TEXT", "S3", SESSION);
    const [dialect] = DIALECTS;
    if (!dialect) throw new Error("no dialects");
    const wire = dialect.stream([`${mine} ${other} ${secret}`], ["{}"]);
    const result = await pass(dialect, vault, wire, []);
    expect(dialect.assemble(result.wire).text).toBe(`${PHONE} ${other} ${secret}`);
    expect(result.restored).toBe(1);
  });
});
