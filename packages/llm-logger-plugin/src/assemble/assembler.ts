/** What every protocol's assembler does: take events one by one, give the message they make. */
import type { AssembledMessage, ToolCall, Usage } from "../events.ts";
import { nestedDeeperThan } from "./depth.ts";
import type { Json } from "./json.ts";

/** Arguments nested deeper stay text: no tool has such. */
const MAX_ARGUMENT_DEPTH = 200;

export type Protocol =
  | "openai-completions"
  | "openai-responses"
  | "anthropic-messages"
  | "google-generative-ai"
  | "ollama"
  | "embedding";

export interface Assembled {
  protocol: Protocol;
  /** The protocol's own last event was seen (`[DONE]`, `message_stop`, `response.completed` ...): an abort after it is none. */
  terminal: boolean;
  /** The model said why it stopped, or the document was whole. */
  finished: boolean;
  message: AssembledMessage;
  usage?: Usage;
  finishReason?: string;
  responseId?: string;
  model?: string;
  /** An error that the provider sent inside a successful response. */
  error?: string;
}

/**
 * An event that did nothing but add one piece of text. Streams consist of such events, alike but for that piece, so a
 * reader that knows one of them need not parse the next.
 */
export interface PureDelta {
  piece: string;
  /** Which of the message's texts the piece belongs to. */
  lane: unknown;
  /** Takes in the piece of another such event. */
  add(piece: string): void;
  /** The piece in an event of this kind; undefined for any other event. */
  read(data: Json): string | undefined;
}

export interface Assembler {
  /** One streamed event. @param name the SSE event name, where there is one. */
  event(data: Json, name: string | undefined): PureDelta | undefined;
  /** One whole, unstreamed response. */
  document(data: Json): void;
  /** The stream's own end mark that is no JSON (`[DONE]`). */
  mark(text: string): void;
  result(): Assembled;
}

/** Grows a message from pieces. Strings are joined once, at the end: appending per token would be quadratic in places. */
export class MessageBuilder {
  readonly #text: string[] = [];
  readonly #thinking: string[] = [];
  readonly #calls = new Map<string, { id: string | null; name: string; args: string[]; parsed?: unknown }>();

  text(piece: unknown): void {
    if (typeof piece === "string" && piece !== "") this.#text.push(piece);
  }

  thinking(piece: unknown): void {
    if (typeof piece === "string" && piece !== "") this.#thinking.push(piece);
  }

  /** @param key tells the calls of one message apart: their index or item id. */
  toolCall(
    key: string,
    part: { id?: unknown; name?: unknown; args?: unknown; parsed?: unknown; whole?: boolean },
  ): void {
    const known = this.#calls.get(key) ?? { id: null, name: "", args: [] };
    this.#calls.set(key, known);
    if (typeof part.id === "string" && part.id !== "") known.id = part.id;
    if (typeof part.name === "string" && part.name !== "") known.name = part.name;
    if (typeof part.args === "string") {
      if (part.whole) known.args = [part.args];
      else known.args.push(part.args);
    }
    if (part.parsed !== undefined) known.parsed = part.parsed;
  }

  /** Takes over what only `other` has: a final event may repeat less than was streamed. */
  completeFrom(other: MessageBuilder): void {
    if (this.#text.length === 0) this.#text.push(other.#text.join(""));
    if (this.#thinking.length === 0) this.#thinking.push(other.#thinking.join(""));
    if (this.#calls.size === 0) for (const [key, call] of other.#calls) this.#calls.set(key, call);
  }

  get callCount(): number {
    return this.#calls.size;
  }

  build(): AssembledMessage {
    const toolCalls: ToolCall[] = [...this.#calls.values()].map(({ id, name, args, parsed }) => ({
      id,
      name,
      arguments: args.length > 0 ? parseArguments(args.join("")) : (parsed ?? {}),
    }));
    return { text: this.#text.join(""), thinking: this.#thinking.join(""), toolCalls };
  }
}

function parseArguments(text: string): unknown {
  if (text === "") return {};
  if (nestedDeeperThan(text, MAX_ARGUMENT_DEPTH)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
