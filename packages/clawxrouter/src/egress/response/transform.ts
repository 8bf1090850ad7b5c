import { Transform, type TransformCallback } from "node:stream";
import { asObject, type JsonObject, parseJson } from "../json.ts";
import type { Protocol } from "../protocols/types.ts";
import { EventRewriter, restoreWhole } from "./event-rewriter.ts";
import { LineSplitter } from "./ndjson.ts";
import type { ResponseObserver } from "./observer.ts";
import type { Restorer } from "./restorer.ts";
import { type SseBlock, SseSplitter, sseBlock, withData } from "./sse.ts";

/** What an answer goes through on its way to the caller. */
export interface TransformOptions {
  protocol: Protocol;
  observer: ResponseObserver;
  /** Undefined when the request held no placeholder: nothing can come back, the bytes pass unchanged. */
  restorer: Restorer | undefined;
  /** The caller asked for a JSON document as the answer's text. */
  jsonText?: boolean;
  /** Called with the size of each piece of the upstream's decoded answer. */
  onBytes?(count: number): void;
}

/** Restores a streamed answer (SSE or NDJSON) event by event. */
export function streamTransform(framing: "sse" | "ndjson", options: TransformOptions): Transform {
  return framing === "sse" ? sseTransform(options) : ndjsonTransform(options);
}

function sseTransform({ protocol, observer, restorer, jsonText, onBytes }: TransformOptions): Transform {
  const splitter = new SseSplitter();
  const rewriter = restorer && new EventRewriter(protocol, restorer, jsonText);
  const handle = (block: SseBlock): string => {
    if (block.data === undefined) return block.raw;
    if (!rewriter) {
      observer.see(block.data);
      return block.raw;
    }
    const event = asObject(parseJson(block.data));
    if (!event) return (block.data === "[DONE]" ? flush() : "") + block.raw;
    observer.see(block.data, event);
    const result = rewriter.rewrite(event);
    const before = result.before
      .map((made) => sseBlock(JSON.stringify(made), eventName(made, block.event)))
      .join("");
    return before + (result.changed ? withData(block, JSON.stringify(result.event)) : block.raw);
  };
  const flush = (): string =>
    (rewriter?.end() ?? [])
      .map((made) => sseBlock(JSON.stringify(made), eventName(made, undefined)))
      .join("");
  return textTransform(
    onBytes,
    (text) => splitter.push(text).map(handle).join(""),
    () => {
      const last = splitter.end();
      return (last ? handle(last) : "") + flush();
    },
  );
}

function ndjsonTransform({ protocol, observer, restorer, jsonText, onBytes }: TransformOptions): Transform {
  const splitter = new LineSplitter();
  const rewriter = restorer && new EventRewriter(protocol, restorer, jsonText);
  const handle = (line: string): string => {
    if (!rewriter) {
      observer.see(line);
      return `${line}\n`;
    }
    const event = asObject(parseJson(line));
    if (!event) return `${line}\n`;
    observer.see(line, event);
    const { before, event: rewritten, changed } = rewriter.rewrite(event);
    return `${before.map((made) => `${JSON.stringify(made)}\n`).join("")}${changed ? JSON.stringify(rewritten) : line}\n`;
  };
  return textTransform(
    onBytes,
    (text) => splitter.push(text).map(handle).join(""),
    () => {
      const last = splitter.end();
      const rest = last === undefined ? "" : handle(last);
      return rest + (rewriter?.end() ?? []).map((made) => `${JSON.stringify(made)}\n`).join("");
    },
  );
}

/**
 * Restores a whole JSON answer.
 * @returns the text to send; what is not JSON is restored as plain text
 */
export function restoreDocument(text: string, { protocol, observer, restorer }: TransformOptions): string {
  if (!restorer) {
    observer.see(text);
    return text;
  }
  const parsed = parseJson(text);
  const value: JsonObject | undefined = asObject(parsed);
  if (value) {
    observer.see(text, value);
    return restoreWhole(value, protocol.jsonKeys, restorer) ? JSON.stringify(value) : text;
  }
  if (Array.isArray(parsed))
    return restoreWhole(parsed, protocol.jsonKeys, restorer) ? JSON.stringify(parsed) : text;
  return restorer.whole(text, "text");
}

/** SSE event names repeat the JSON `type` where a protocol names its events. */
function eventName(event: JsonObject, neighbour: string | undefined): string | undefined {
  if (typeof event.type === "string") return event.type;
  return neighbour;
}

function textTransform(
  onBytes: ((count: number) => void) | undefined,
  onText: (text: string) => string,
  onEnd: () => string,
): Transform {
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  const guarded = (work: () => string, done: TransformCallback): void => {
    try {
      const out = work();
      done(null, out === "" ? undefined : Buffer.from(out, "utf8"));
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes?.(chunk.length);
      guarded(() => onText(decoder.decode(chunk, { stream: true })), done);
    },
    flush(done) {
      guarded(() => {
        const rest = decoder.decode();
        return (rest === "" ? "" : onText(rest)) + onEnd();
      }, done);
    },
  });
}
