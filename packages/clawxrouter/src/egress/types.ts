/**
 * What the egress proxy needs from the rest of ClawXRouter and what it offers. No host type in here: the
 * hooks, the CLI and the tests all build these options from their own sources.
 */

import type { Finding, LeafRole, Level, Vault } from "@clawx/shared-security";

/**
 * Wire protocols by OpenClaw's `models.providers.<id>.api` names. Others (`bedrock-converse-stream`,
 * `google-vertex`, `github-copilot`, ...) are refused: what is not understood does not leave.
 */
export const EGRESS_APIS = [
  "openai-completions",
  "openai-responses",
  "azure-openai-responses",
  "anthropic-messages",
  "google-generative-ai",
  "ollama",
] as const;

/** One of {@link EGRESS_APIS}. */
export type EgressApi = (typeof EGRESS_APIS)[number];

/** The true upstream of a provider, from ClawXRouter's own configuration; never from a request. */
export interface Upstream {
  /** The provider's own base URL as it was before `setup`, e.g. `https://api.openai.com/v1`. */
  baseUrl: string;
  /** `models.providers.<id>.api`; embeddings endpoints are accepted under every API. */
  api: EgressApi;
  /** True: private text may go there. Accepted only when the host is loopback or one of `localHosts`. */
  local: boolean;
  /** Model ids that the configuration names for it: these are public, even when somebody's private text holds one. */
  models?: readonly string[];
  /** Headers added to, and winning over, those of the request. */
  headers?: Readonly<Record<string, string>>;
}

/** Where in a request a text stood; inspectors may weigh a system prompt otherwise than a user's words. */
export type TextRole = LeafRole;

/** One text of a request, to be judged. */
export interface InspectItem {
  text: string;
  role: TextRole;
  /**
   * `text`: prose. `data`: free data (tool arguments, JSON) as `"name": "value"` lines. `seam`: some 300 characters
   * around the border of two texts, for values and sentences cut in two: judged as any text, by the same detectors.
   * `name`: an id, a name or a word of the protocol, of which there are many: for quick detectors.
   */
  kind: "text" | "data" | "seam" | "name";
}

/** The request that the texts belong to. */
export interface InspectContext {
  requestId: string;
  providerId: string;
  model: string | undefined;
  /** Conversation as {@link EgressProxyOptions.sessionOf} gave it; undefined for utility calls. */
  session: string | undefined;
  /** Aborted when the caller hung up or the inspection deadline passed. */
  signal: AbortSignal;
}

/** The judgement on one text. */
export interface TextVerdict {
  level: Level;
  /**
   * Spans to replace, in UTF-16 units of the item's text. An S3 verdict without any S3 span (a keyword, a
   * semantic judgement) makes the whole text one private value.
   */
  findings: readonly Finding[];
  /** Short and free of private text, e.g. `rule credentials/aws-key`. */
  reason?: string;
  /** Set when a detector did not answer and the verdict rests on the others, e.g. `local model: timeout`. */
  degraded?: string;
}

/**
 * Judges texts. The proxy asks once per distinct text and version, keeps verdicts by SHA-256 and never asks
 * for text that it has already judged; degraded verdicts are not kept. A throw, a rejection or a wrong
 * number of verdicts fails closed: the request is answered by a synthetic completion and nothing is sent.
 */
export interface TextInspector {
  inspect(items: readonly InspectItem[], context: InspectContext): Promise<readonly TextVerdict[]>;
  /** Changes whenever the same text may be judged otherwise (rules, prompts, models, policy). */
  version(): string;
}

/** `withhold` puts a note in the part's place; `block` answers with a synthetic completion; `allow` sends it. */
export type MediaPolicy = "withhold" | "block" | "allow";

export interface EgressPolicy {
  /** An S3 text on its way to a cloud model: replace it by a token, or end the turn with an explanation. */
  s3: "placeholder" | "block";
  /** S2 values: reversible placeholders, or end the turn (for `s2Policy: "local"`). */
  s2: "placeholder" | "block";
  /** Parts that no detector can read. */
  media: { image: MediaPolicy; audio: MediaPolicy; file: MediaPolicy };
  /** Largest request body accepted, in bytes. */
  maxBodyBytes: number;
  /** Longest wait for the inspector, in milliseconds; then the request fails closed. */
  inspectTimeoutMs: number;
}

/** Counts by entity type; never values. */
export type ReplacedCounts = Record<string, number>;

/** Token usage as the upstream reported it; undefined where it said nothing. */
export interface Usage {
  inputTokens?: number;
  outputTokens?: number;
  cacheReadTokens?: number;
  cacheWriteTokens?: number;
}

/** Why a request did not go upstream. */
export type RefusalCode =
  | "bad-host"
  | "browser-origin"
  | "bad-key"
  | "bad-path"
  | "unknown-provider"
  | "unknown-endpoint"
  | "bad-method"
  | "bad-content-type"
  | "body-too-large"
  | "bad-body"
  | "closed"
  | "local-not-local"
  | "inspect-failed"
  | "policy-s2"
  | "policy-s3"
  | "media"
  | "final-check"
  | "upstream-unreachable";

interface EventBase {
  requestId: string;
  /** Epoch milliseconds. */
  at: number;
  providerId: string | undefined;
  session: string | undefined;
}

/** A request was inspected and is about to leave. */
export interface ForwardEvent extends EventBase {
  kind: "forward";
  api: EgressApi;
  endpoint: string;
  model: string | undefined;
  local: boolean;
  stream: boolean;
  level: Level;
  replaced: ReplacedCounts;
  /** Placeholders that stand in what is sent, those of earlier turns included. */
  placeholders?: number;
  /** What is new since the model's last answer, as it leaves; undefined for local models and where there are no messages. */
  newest?: string | undefined;
  mediaWithheld: number;
  signaturesStripped: number;
  reasons: readonly string[];
  degraded: string | undefined;
  requestBytes: number;
  sentBytes: number;
  /** Milliseconds from the first byte of the request until it was ready to leave. */
  inspectMs: number;
}

/** The exchange is over. */
export interface EndEvent extends EventBase {
  kind: "end";
  /** Status of the upstream; undefined when none came. */
  status: number | undefined;
  outcome: "ok" | "http-error" | "network-error" | "client-abort" | "timeout";
  usage: Usage | undefined;
  /** Placeholders put back in the response. */
  restored: number;
  ttfbMs: number | undefined;
  durationMs: number;
  responseBytes: number;
  upstreamRequestId: string | undefined;
}

/** A request was answered by the proxy itself and nothing left. */
export interface RefusedEvent extends EventBase {
  kind: "refused";
  code: RefusalCode;
  /** HTTP status of the answer: 200 for a synthetic completion. */
  status: number;
  /** What, where and what to do; free of private text. */
  detail: string;
  level: Level | undefined;
}

/** What the proxy tells logs, statistics and the dashboard. */
export type EgressEvent = ForwardEvent | EndEvent | RefusedEvent;

/** Ids of a W3C trace context, as far as they are known. */
export interface TraceHint {
  /** 32 hex digits. */
  traceId: string | undefined;
  /** 16 hex digits. */
  spanId: string | undefined;
}

/** What a request tells of its trace: its `traceparent`, and the async context that our own process made it in. */
export interface TraceHints extends TraceHint {
  /** Good when the `traceparent` is not known: another tracer may have put its own there. */
  context?: TraceHint | undefined;
}

/** What identifies the conversation of a request. */
export interface SessionHint extends TraceHints {
  providerId: string;
}

export interface EgressProxyOptions {
  /** Always loopback; `127.0.0.1` unless a test says `::1`. */
  host?: "127.0.0.1" | "::1";
  /** Port to listen on; 0 takes a free one. */
  port: number;
  /** Per-install key (at least 32 URL-safe characters), part of every base URL: see `proxyBaseUrl`. */
  installKey: string;
  /** Live: called for every request. Keys are provider ids. */
  upstreams(): Readonly<Record<string, Upstream>>;
  /** Live: hosts besides loopback that count as local, e.g. `["gpu.lan", "192.168.1.20"]`. */
  localHosts?(): readonly string[];
  inspect: TextInspector;
  /** The installation's vault: placeholders out, values back in (S2 only, in the session or request they belong to). */
  vault: Vault;
  /** Which conversation a request belongs to (by trace id); undefined for utility calls and embeddings. */
  sessionOf?(hint: SessionHint): string | undefined;
  /** Live: called for every request. */
  policy(): EgressPolicy;
  /** Live: a text when traffic must stop (red posture); it is shown to the user. Undefined: open. */
  closedBecause?(): string | undefined;
  onEvent?(event: EgressEvent): void;
}

export interface EgressProxy {
  readonly port: number;
  /** Requests on their way, for status and tests. */
  inFlight(): number;
  /** Stops accepting, ends what runs after `graceMs` (default 2000), frees the port and the sockets. */
  close(graceMs?: number): Promise<void>;
}

/** Thrown by `createEgressProxy` when the port is taken; traffic is then closed, not open. */
export class PortBusyError extends Error {
  readonly port: number;
  constructor(port: number) {
    super(
      `ClawXRouter proxy: port ${port} on 127.0.0.1 is taken. Private traffic is stopped. Free the port ` +
        `(find its owner with: ss -ltnp 'sport = :${port}'), or set "privacy.proxyPort" to a free one and run: ` +
        "openclaw clawxrouter setup",
    );
    this.name = "PortBusyError";
    this.port = port;
  }
}
