/** The log's lines: one JSON object each, common fields first. */
import type { PLUGIN_ID } from "./config.ts";

export type EventType =
  | "llm_input"
  | "provider_request_payload"
  | "http_request"
  | "http_response"
  | "ws_send"
  | "ws_message"
  | "llm_output"
  | "llm_call";

/** Why a model was called. */
export const PURPOSES = [
  "turn",
  "heartbeat",
  "memory",
  "compaction",
  "utility",
  "embedding",
  "unknown",
] as const;
export type Purpose = (typeof PURPOSES)[number];

/** How a request was tied to its call: by its traceparent span, by the host's trace scope, or not at all. */
export type Correlation = "traceparent" | "scope" | "none";

/** How a call attempt ended. */
export const OUTCOMES = ["ok", "http_error", "network_error", "aborted", "shutdown", "no_http"] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** Fields of every line; unknown ones are null so that columns are stable. */
export interface CommonFields {
  /** ISO 8601, milliseconds, UTC. */
  ts: string;
  plugin: typeof PLUGIN_ID;
  eventType: EventType;
  callId: string | null;
  /** The span id of the attempt (a retry is another attempt of the same call). */
  attemptId: string | null;
  traceId: string | null;
  runId: string | null;
  sessionId: string | null;
  sessionKey: string | null;
  agentId: string | null;
  provider: string | null;
  model: string | null;
  purpose: Purpose;
  correlation: Correlation;
}

/** A captured body as written: text when it is UTF-8, base64 otherwise. */
export interface BodyFields {
  body: string | null;
  bodyEncoding?: "base64";
  truncated: boolean;
  /** Bytes of the decoded body that were kept (before redaction). */
  capturedBytes: number;
  /** Bytes of the whole decoded body; of the wire body when it could not be decoded. */
  originalLength: number;
  /** Bytes as they went over the wire. */
  wireBytes: number;
  /** Lower-case hex SHA-256 of the whole decoded body. */
  sha256: string | null;
  contentEncoding?: string;
  /** Set when the content encoding could not be undone; the body is then what came. */
  decodeError?: string;
  /** Values replaced by redaction. */
  redactions?: number;
}

/** Token counts of one attempt as the provider billed them; `input` does not include cache reads and writes. */
export interface Usage {
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  /** Part of `output` spent on reasoning, where the provider says so. */
  reasoning?: number;
  total: number;
}

export interface ToolCall {
  id: string | null;
  name: string;
  /** Parsed arguments when they are JSON, the raw text otherwise. */
  arguments: unknown;
}

/** The assistant message put together from a response. */
export interface AssembledMessage {
  text: string;
  thinking: string;
  toolCalls: ToolCall[];
}
