import type { Json, JsonObject } from "../json.ts";
import type { Usage } from "../types.ts";

/** Request and response shapes that the proxy understands. */
export type ProtocolId =
  | "openai-chat"
  | "openai-responses"
  | "anthropic"
  | "google"
  | "ollama"
  | "openai-embeddings"
  | "meta";

/** A place in a stream event that holds a piece of a longer text. */
export interface DeltaSlot {
  /** Pieces with the same channel belong to one text. */
  channel: string;
  /** `json`: the text is JSON being written, so a restored value is escaped as in a JSON string. */
  kind: "text" | "json";
  get(): string;
  set(piece: string): void;
}

/** What to do with one stream event. */
export interface EventPlan {
  slots: DeltaSlot[];
  /** Channels that end with this event: their held-back rest goes out before it, or in its slot. `all` or a prefix. */
  closes: readonly string[] | "all";
  /** True when the other strings of the event hold whole texts (`*.done`, snapshots): each is restored on its own. */
  whole: boolean;
}

/** A complete answer, for synthetic completions and for callers that asked for a stream but got none. */
export interface AnswerContext {
  model: string;
  /** Name of the endpoint: `api/generate` and `api/chat` differ. */
  endpoint: string;
  /** Epoch milliseconds. */
  now: number;
  /** Unique, for ids. */
  requestId: string;
}

/** One wire protocol: all shapes the same, so that the next reads like the first. */
export interface Protocol {
  id: ProtocolId;
  /** `sse` or `ndjson`: how it streams. */
  framing: "sse" | "ndjson";
  /** True when the request asks for a stream. */
  wantsStream(body: JsonObject, endpoint: string, query: URLSearchParams): boolean;
  /** Where the pieces of text are in one stream event. */
  plan(event: JsonObject): EventPlan;
  /** Keys whose string value is JSON text (tool arguments), in whole answers and requests. */
  jsonKeys: ReadonlySet<string>;
  /** Token usage in an answer or a stream event, if it tells. */
  usage(value: JsonObject): Usage | undefined;
  /** Id by which a later request may go on from this answer; it stands where usage does. */
  answerId?(value: JsonObject): string | undefined;
  /** A whole answer that says `text` and ends the turn. */
  completion(text: string, context: AnswerContext): JsonObject;
  /** The answer as the frames of a stream (without framing): `[event name, data]`. */
  streamOf(completion: JsonObject): Array<{ event: string | undefined; data: Json | "[DONE]" }>;
}
