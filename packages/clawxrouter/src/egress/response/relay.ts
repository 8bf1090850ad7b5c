import type { ServerResponse } from "node:http";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { asObject, parseJson } from "../json.ts";
import { framed } from "../synthetic.ts";
import type { UpstreamResponse } from "../upstream.ts";
import { restoreDocument, streamTransform, type TransformOptions } from "./transform.ts";

/** Largest JSON answer restored as a document, in bytes; embeddings of many texts are the largest seen. */
const MAX_DOCUMENT = 128 * 1024 * 1024;

export interface RelayOptions extends TransformOptions {
  /** True when the caller asked for a stream. */
  wantsStream: boolean;
}

/**
 * Passes an upstream's answer to the caller: status and headers as they are, placeholders restored, pieces as
 * they come (the slower side sets the pace).
 * @throws when either side breaks off; the caller must then be cut too
 */
export async function relay(
  answer: UpstreamResponse,
  response: ServerResponse,
  headers: Record<string, string | string[]>,
  options: RelayOptions,
): Promise<void> {
  const type = String(answer.headers["content-type"] ?? "").toLowerCase();
  const framing = await framingOf(type, answer, options);
  if (framing) {
    response.writeHead(answer.status, headers);
    const restored = streamTransform(framing, options);
    // Headers go out with the first piece when that is here already, else by themselves: thinking takes minutes.
    const flush = setImmediate(() => response.flushHeaders());
    restored.once("data", () => clearImmediate(flush));
    try {
      await pipeline(answer.body, restored, response);
    } finally {
      clearImmediate(flush);
    }
    return;
  }
  if (type.includes("json") || type.startsWith("text/")) {
    const text = await readText(answer, options);
    const restored = restoreDocument(text, options);
    const whole = answer.status === 200 && options.wantsStream ? asObject(parseJson(restored)) : undefined;
    if (whole && whole.error === undefined && options.protocol.framing === "sse") {
      // Some servers answer a streaming request with a whole completion; the caller still gets its stream.
      const stream = framed(options.protocol, whole);
      response.writeHead(200, { ...headers, "content-type": stream.contentType });
      response.end(stream.body);
      return;
    }
    const bytes = Buffer.from(restored, "utf8");
    response.writeHead(answer.status, { ...headers, "content-length": bytes.length });
    response.end(bytes);
    return;
  }
  response.writeHead(answer.status, headers);
  await pipeline(answer.body, counter(options), response);
}

/** How the answer streams; undefined when it comes whole. */
async function framingOf(
  type: string,
  { body, status }: UpstreamResponse,
  { wantsStream, protocol }: RelayOptions,
): Promise<"sse" | "ndjson" | undefined> {
  if (type.startsWith("text/event-stream")) return "sse";
  if (type.includes("ndjson")) return "ndjson";
  if (!wantsStream || status !== 200 || protocol.framing !== "sse") return undefined;
  // Some servers stream events under another name: the first bytes tell.
  const first = await firstBytes(body);
  return /^\uFEFF?(?:data|event|id|retry)?:/.test(first) ? "sse" : undefined;
}

/** The first bytes of a stream as text, which stay in it; empty when there are none. */
async function firstBytes(body: Readable): Promise<string> {
  for (;;) {
    const piece: Buffer | null = body.read();
    if (piece) {
      body.unshift(piece);
      return piece.subarray(0, 16).toString("utf8");
    }
    if (body.readableEnded || body.destroyed) return "";
    await new Promise<void>((resolve) => {
      const done = (): void => {
        for (const event of ["readable", "end", "error", "close"]) body.off(event, done);
        resolve();
      };
      for (const event of ["readable", "end", "error", "close"]) body.once(event, done);
    });
  }
}

async function readText(answer: UpstreamResponse, options: RelayOptions): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of answer.body) {
    const bytes: Buffer = part;
    size += bytes.length;
    if (size > MAX_DOCUMENT) throw new Error(`the provider's answer is larger than ${MAX_DOCUMENT} bytes`);
    options.onBytes?.(bytes.length);
    parts.push(bytes);
  }
  return Buffer.concat(parts, size).toString("utf8");
}

function counter(options: RelayOptions): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      options.onBytes?.(chunk.length);
      done(null, chunk);
    },
  });
}
