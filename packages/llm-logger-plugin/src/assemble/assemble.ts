/** From a decoded response body to the assistant message, whatever protocol it speaks. */
import { anthropicMessages } from "./anthropic-messages.ts";
import {
  type Assembled,
  type Assembler,
  type Json,
  object,
  type Protocol,
  type PureDelta,
} from "./assembler.ts";
import { embedding } from "./embedding.ts";
import { googleGenerativeAi } from "./google-generative-ai.ts";
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

/** How a body is cut into events, by its content type and, where that lies, by its first characters. */
export function shapeOf(contentType: string | undefined, text: string): StreamShape {
  const type = contentType?.toLowerCase() ?? "";
  if (type.includes("text/event-stream")) return "sse";
  if (type.includes("ndjson") || type.includes("jsonl")) return "ndjson";
  const head = text.slice(0, 200).trimStart();
  if (/^(data|event|id|retry):/.test(head)) return "sse";
  return "document";
}

/** Sees everything of a response while it is put together, so that it is parsed only once. */
export interface Inspector {
  json(value: unknown): void;
  text(value: string): void;
}

/**
 * Puts a response together.
 * @param inspector told every parsed event and every text that is none; events that repeat an earlier one but for a
 * piece of the answer are left out: their answer is in the result.
 * @returns undefined when the text is nothing that the protocol's assembler can read.
 */
export function assemble(
  protocol: Protocol,
  shape: StreamShape,
  body: Buffer | string,
  inspector?: Inspector,
): Assembled | undefined {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : body;
  const assembler = createAssembler(protocol);
  if (shape === "sse") return assembleSse(assembler, bytes, inspector);
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
    return assembler.result();
  }
  for (const item of items) {
    const json = object(item);
    if (json) {
      inspector?.json(json);
      assembler.event(json, undefined);
      events++;
    } else if (typeof item === "string") inspector?.text(item);
  }
  return events > 0 ? assembler.result() : undefined;
}

/**
 * A stream is cut and compared one byte a character: that costs no decoding. Only what is parsed or kept becomes text.
 */
function assembleSse(
  assembler: Assembler,
  bytes: Buffer,
  inspector: Inspector | undefined,
): Assembled | undefined {
  const hasBom = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let events = 0;
  let template: Template | undefined;
  let pieces: string[] = [];
  const flush = () => {
    if (pieces.length > 0) template?.delta.add(decodeBytes(pieces.join("")));
    pieces = [];
  };
  const onEvent = (name: string | undefined, raw: string): void => {
    events++;
    const piece = template?.match(raw);
    if (piece !== undefined) {
      pieces.push(piece);
      return;
    }
    flush();
    const data = decodeBytes(raw);
    const json = data.charCodeAt(0) === 0x7b ? object(parse(data)) : undefined;
    if (!json) {
      assembler.mark(data.trim());
      inspector?.text(data);
      return;
    }
    inspector?.json(json);
    const delta = assembler.event(json, name);
    if (delta) template = Template.of(raw, delta) ?? template;
  };
  const onOther = inspector && ((line: string) => inspector.text(decodeBytes(line)));
  readSse(bytes.toString("latin1", hasBom ? 3 : 0), onEvent, onOther);
  flush();
  return events > 0 ? assembler.result() : undefined;
}

/** UTF-8 text from a string that holds one byte a character. */
function decodeBytes(raw: string): string {
  return /^[\t -~]*$/.test(raw) ? raw : Buffer.from(raw, "latin1").toString("utf8");
}

/** The fixed text around the one piece in which like events differ. */
class Template {
  readonly delta: PureDelta;
  readonly #before: string;
  readonly #after: string;

  private constructor(delta: PureDelta, before: string, after: string) {
    this.delta = delta;
    this.#before = before;
    this.#after = after;
  }

  /**
   * @param raw the event, one byte a character.
   * @returns undefined when the piece cannot be told for sure from the rest of the event.
   */
  static of(raw: string, delta: PureDelta): Template | undefined {
    const literal = Buffer.from(JSON.stringify(delta.piece), "utf8").toString("latin1");
    const at = raw.indexOf(literal);
    if (at === -1 || raw.indexOf(literal, at + 1) !== -1) return undefined;
    const before = raw.slice(0, at);
    const after = raw.slice(at + literal.length);
    const probe = object(parse(`${before}"\\u0001probe"${after}`));
    return probe && delta.read(probe) === "\u0001probe" ? new Template(delta, before, after) : undefined;
  }

  /** The raw piece of an event that is exactly the fixed parts around one JSON string without escapes. */
  match(raw: string): string | undefined {
    const from = this.#before.length;
    const to = raw.length - this.#after.length;
    if (to - from < 2 || raw.charCodeAt(from) !== 0x22 || raw.charCodeAt(to - 1) !== 0x22) return undefined;
    if (!raw.startsWith(this.#before) || !raw.endsWith(this.#after)) return undefined;
    const inner = raw.slice(from + 1, to - 1);
    return inner.includes('"') || inner.includes("\\") ? undefined : inner;
  }
}

function parse(text: string): unknown {
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
