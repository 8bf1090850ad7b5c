/**
 * The vocabulary of routing. A code router of the user implements {@link ClawXrouterRouter}; everything it may
 * use is in this file.
 */
import type { Finding, Level } from "@clawx/shared-security";
import type { Checkpoint, ModelRef, RouterEntryConfig, Tier } from "../config-file/schema.ts";

export type { Finding, Level } from "@clawx/shared-security";
export type { Checkpoint, ModelRef, Tier } from "../config-file/schema.ts";

/**
 * What a router wants done.
 * `passthrough` no opinion; `transform` send it redacted; `redirect` send it to `target`; `block` send nothing.
 */
export type RouterAction = "passthrough" | "transform" | "redirect" | "block";

/** What is being routed. */
export interface RouterContext {
  checkpoint: Checkpoint;
  /** Text to judge: the user's message, tool arguments as JSON, or a tool result. */
  message: string;
  sessionKey?: string;
  agentId?: string;
  /** True for a turn of a subagent. */
  subagent?: boolean;
  /** Tool name and arguments at the tool checkpoints. */
  toolName?: string;
  toolParams?: Readonly<Record<string, unknown>>;
  /** Media that came with the message; `image` needs a model that sees. */
  attachments?: readonly { kind: string; mimeType?: string }[];
  /** The model the host would use. */
  currentModel?: Partial<ModelRef>;
  /** Rough size of the conversation so far, in tokens, when it is known. */
  conversationTokens?: number;
  /** Aborted when the deadline of the checkpoint has passed. */
  signal: AbortSignal;
}

/** A router's answer. Only `level` and `action` are required. */
export interface RouterDecision {
  level: Level;
  action: RouterAction;
  /** For `redirect`. */
  target?: ModelRef;
  /** Short, for people; must not quote private text. */
  reason?: string;
  findings?: readonly Finding[];
  /** 0..1; 1 when absent. */
  confidence?: number;
  tier?: Tier;
  /** Set when a part of the router did not answer, e.g. `local model: timeout`. */
  degraded?: string;
}

/**
 * A router of the pipeline. Register one of your own by a module whose default export is a router and an entry
 * `privacy.routers.<id> {type: "custom", module: "./my-router.js", weight: 60}` in clawxrouter.json.
 * When it throws, is late or cannot be loaded, one that is there for privacy fails closed: the text counts as
 * `privacy.failClosed` says. One that is there for the cost has no opinion then.
 */
export interface ClawXrouterRouter {
  /** Must equal the key in `privacy.routers`. */
  readonly id: string;
  /** What it is there for; when absent, `privacy` from weight 50 on (the first phase) and `cost` below. */
  readonly purpose?: "privacy" | "cost";
  detect(
    context: RouterContext,
    config: Readonly<RouterEntryConfig>,
  ): RouterDecision | Promise<RouterDecision>;
}

/** A decision with who made it. */
export interface RoutedDecision extends RouterDecision {
  router: string;
  weight: number;
  /** Milliseconds the router took. */
  durationMs: number;
  error?: string;
}

/** What the pipeline decided: the merged decision and every router's own. */
export interface PipelineResult {
  level: Level;
  action: RouterAction;
  target: ModelRef | undefined;
  reason: string;
  /** Who won the merge; undefined when no router ran. */
  router: string | undefined;
  findings: readonly Finding[];
  tier: Tier | undefined;
  degraded: string | undefined;
  decisions: readonly RoutedDecision[];
  /** Routers that did not run because an earlier one found private text. */
  skipped: readonly string[];
}

/** What a judge may know beside the prompt. */
export interface JudgeContext {
  sessionKey?: string;
  /** Characters of the whole conversation, when known. */
  conversationChars?: number;
  hasTools?: boolean;
  attachments?: readonly { kind: string; mimeType?: string }[];
  signal?: AbortSignal;
}

export interface JudgeVerdict {
  tier: Tier;
  /** 0..1 */
  confidence: number;
  reason: string;
}

/** Grades how hard a task is. Implementations: `judge/` (embedded classifier), the local LLM judge. */
export interface Judge {
  readonly id: string;
  classify(prompt: string, context: JudgeContext): Promise<JudgeVerdict>;
}
