/** From a decoded response body to the assistant message, whatever protocol it speaks. */
import { decodeBytes, EscapedText, escapeBytes } from "../body/escaped.ts";
import { anthropicMessages } from "./anthropic-messages.ts";
import type { Assembled, Assembler, Protocol, PureDelta } from "./assembler.ts";
import { embedding } from "./embedding.ts";
import { EventTemplate } from "./event-runs.ts";
import { googleGenerativeAi } from "./google-generative-ai.ts";
import { type Json, object } from "./json.ts";
import { ollama } from "./ollama.ts";
import { openaiCompletions } from "./openai-completions.ts";
import { openaiResponses } from "./openai-responses.ts";
import { readSse } from "./sse.ts";

const FACTORIES: Record<Protocol, () => Assembler> = {
  "openai-completions": openaiCompletions,
  "openai-responses": openaiResponses,
  "anthropic-messages": anthropicMessages,
  "google-generative-ai": googleGenerativeAi,
  ollama,
  embedding,
};

export function createAssembler(protocol: Protocol): Assembler {
  return FACTORIES[protocol]();
}

/** Host API names that speak one of the protocols under another name. */
const API_ALIASES: Record<string, Protocol> = {
  "openai-completions": "openai-completions",
  "openai-responses": "openai-responses",
  "openai-chatgpt-responses": "openai-responses",
  "openai-codex-responses": "openai-responses",
  "azure-openai-responses": "openai-responses",
  "anthropic-messages": "anthropic-messages",
  "google-generative-ai": "google-generative-ai",
  "google-vertex": "google-generative-ai",
  ollama: "ollama",
};

/** The protocol of a request by its URL path, else by what the host calls the provider's API. */
export function protocolOf(path: string, api: string | undefined): Protocol | undefined {
  const bare = path.split("?", 1)[0] ?? path;
  if (/\/(embeddings|embed)$|:(embedContent|batchEmbedContents)$/.test(bare)) return "embedding";
  if (/\/chat\/completions$|\/v1\/completions$/.test(bare)) return "openai-completions";
  if (/\/responses$/.test(bare)) return "openai-responses";
  if (/\/messages$/.test(bare)) return "anthropic-messages";
  if (/:(generateContent|streamGenerateContent)$/.test(bare)) return "google-generative-ai";
  if (/\/api\/(chat|generate)$/.test(bare)) return "ollama";
  return api === undefined ? undefined : API_ALIASES[api];
}

export type StreamShape = "sse" | "ndjson" | "document";

/** Characters of a body's start that tell its shape: comments that keep a connection alive may come first. */
const SHAPE_HEAD = 65_536;

/**
 * How a body is cut into events, by its content type and, where that is silent or lies, by its first characters.
 * @param start gives the start of the body, one byte a character or decoded.
 */
export function shapeOf(contentType: string | undefined, start: (length: number) => string): StreamShape {
  const type = contentType?.toLowerCase() ?? "";
  if (type.includes("text/event-stream")) return "sse";
  if (type.includes("ndjson") || type.includes("jsonl")) return "ndjson";
  const head = start(SHAPE_HEAD)
    .replace(/^(\ufeff|\u00ef\u00bb\u00bf)/, "")
    .trimStart();
  if (/^(:[^\r\n]*[\r\n]+)*(data|event|id|retry):/.test(head)) return "sse";
  const newline = head.startsWith("{") ? head.indexOf("\n") : -1;
  const severalLines = newline !== -1 && head.slice(newline).trimStart().startsWith("{");
  return severalLines && object(parse(head.slice(0, newline))) ? "ndjson" : "document";
}

/** Sees everything of a response while it is put together, so that it is parsed only once. */
export interface Inspector {
  json(value: unknown): void;
  text(value: string): void;
  /** Something was left out that neither the events nor the result show as it was said. */
  unsure(): void;
}

export interface Assembly {
  /** Undefined when the body is nothing that the protocol's assembler can read. */
  assembled: Assembled | undefined;
  /** The body escaped for a JSON string, where it came off for free: to be released by whoever gets it. */
  escaped?: EscapedText;
}

/**
 * Puts a response together.
 * @param inspector told every parsed event and every text that is none; events that repeat an earlier one but for a
 * piece of the answer are left out: their answer is in the result.
 */
export function assemble(
  protocol: Protocol,
  shape: StreamShape,
  body: Buffer | string,
  inspector?: Inspector,
): Assembly {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  const assembler = createAssembler(protocol);
  if (shape === "sse") {
    const assembly = assembleSse(assembler, bytes, inspector);
    // An error is often plain JSON under the content type of the stream that was asked for.
    return assembly.assembled ? assembly : assemble(protocol, "document", bytes, inspector);
  }
  const text = bytes.toString("utf8");
  let events = 0;
  const whole = shape === "document" ? parse(text) : undefined;
  const items = Array.isArray(whole)
    ? whole
    : object(whole)
      ? undefined
      : text.split("\n").map((line) => parse(line) ?? line);
  if (items === undefined) {
    inspector?.json(whole);
    assembler.document(whole as Json);
    return { assembled: assembler.result() };
  }
  for (const item of items) {
    const json = object(item);
    if (json) {
      inspector?.json(json);
      assembler.event(json, undefined);
      events++;
    } else if (typeof item === "string") inspector?.text(item);
  }
  return { assembled: events > 0 ? assembler.result() : undefined };
}

/** Events read at once: strings of this size are cheap to make and to forget. */
const WINDOW = 64 * 1024;

/** A stream shorter than this is not worth looking for runs in. */
const SHORT = 1024;

/** Templates that fitted nothing: after so many the stream is taken event by event. */
const MAX_MISSES = 8;

/**
 * A stream is cut and compared one byte a character: that costs no decoding. Only what is parsed or kept becomes text.
 */
function assembleSse(assembler: Assembler, bytes: Buffer, inspector: Inspector | undefined): Assembly {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let events = 0;
  let misses = bytes.length < SHORT ? MAX_MISSES + 1 : 0;
  let known: EventTemplate | undefined;
  let escaped: EscapedText | undefined;
  /** The text that was added to last, and all that were. */
  let lane: unknown;
  const lanes = new Set<unknown>();
  /** The window of the stream that is read: where it starts, and its text. */
  let at = hasBom ? 3 : 0;
  let text = "";
  /** What of the window is escaped already. */
  let escapedTo = 0;

  const onEvent = (name: string | undefined, raw: string, start: number, end: number): number | undefined => {
    events++;
    const data = decodeBytes(raw);
    const json = data.charCodeAt(0) === 0x7b ? object(parse(data)) : undefined;
    if (!json) {
      assembler.mark(data.trim());
      inspector?.text(data);
      return undefined;
    }
    inspector?.json(json);
    const delta = assembler.event(json, name);
    if (delta && delta.lane !== lane) {
      // One of two texts that take turns goes on: the result mixes them, and runs hide their pieces.
      if (lanes.has(delta.lane)) inspector?.unsure();
      lanes.add(delta.lane);
      lane = delta.lane;
    }
    if (!delta || misses > MAX_MISSES) return undefined;
    const block = text.slice(start, end);
    if (!known?.fits(block)) known = templateOf(block, raw, delta);
    const run = known?.run(text, end);
    if (!run) {
      misses++;
      return undefined;
    }
    misses = 0;
    events += run.events;
    delta.add(run.said);
    if (!escaped) {
      escaped = new EscapedText();
      escaped.addBytes(bytes.subarray(0, at));
    }
    escaped.add(escapeBytes(text.slice(escapedTo, run.firstPieceEnd)));
    for (const part of run.escaped) escaped.add(part);
    escapedTo = run.runEnd;
    return run.nextEvent;
  };
  const onOther = inspector && ((line: string) => inspector.text(decodeBytes(line)));

  while (at < bytes.length) {
    const end = endOfEvents(bytes, at);
    text = bytes.toString("latin1", at, end);
    escapedTo = 0;
    readSse(text, onEvent, onOther);
    escaped?.add(escapeBytes(text.slice(escapedTo)));
    at = end;
  }
  if (events === 0) return { assembled: undefined };
  const assembled = assembler.result();
  return escaped ? { assembled, escaped } : { assembled };
}

/** Where a window of whole events ends: after a blank line, at the end where there is none. */
function endOfEvents(bytes: Buffer, from: number): number {
  for (let size = WINDOW; from + size < bytes.length; size *= 4) {
    const blank = bytes.lastIndexOf("\n\n", from + size - 2, "latin1");
    if (blank >= from) return blank + 2;
  }
  return bytes.length;
}

/**
 * The template of an event that is a pure piece of text.
 * @param block the event with its field names and blank line. @param raw its data.
 * @returns undefined when the piece cannot be told for sure from the rest of the event.
 */
function templateOf(block: string, raw: string, delta: PureDelta): EventTemplate | undefined {
  if (!block.endsWith("\n\n") || block.includes("\r")) return undefined;
  const json = JSON.stringify(delta.piece);
  const utf8 = Buffer.from(json, "utf8").toString("latin1");
  // Some servers write all but ASCII as escapes (Python's json.dumps).
  const literal = block.includes(utf8) ? utf8 : json.replace(/[\x7f-\uffff]/g, escapeUnit);
  const at = block.indexOf(literal);
  const inData = raw.indexOf(literal);
  if (at === -1 || inData === -1 || block.indexOf(literal, at + 1) !== -1) return undefined;
  const probe = object(parse(`${raw.slice(0, inData)}"\\u0001probe"${raw.slice(inData + literal.length)}`));
  if (!probe || delta.read(probe) !== "\u0001probe") return undefined;
  return new EventTemplate(block.slice(0, at + 1), block.slice(at + literal.length - 1));
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
