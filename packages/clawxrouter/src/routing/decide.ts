/**
 * Decides a turn: runs the pipeline on the user's text, keeps the verdict by run (retries and fallbacks come back
 * with the same run and another prompt), and turns it into what the host is told.
 */

import { randomUUID } from "node:crypto";
import type { Level } from "@clawx/shared-security";
import type { PrivacyConfig } from "../config-file/schema.ts";
import { type Detection, isWhollyPrivate } from "../detection/types.ts";
import { isCloudModel } from "../egress/cloud-models.ts";
import type { Conversation } from "../vault-store/conversation.ts";
import { ownWords } from "../vault-store/own-words.ts";
import { PRIVATE_TEXT_TYPE, UNJUDGED_TYPE } from "../vault-store/persistent-vault.ts";
import { MESSAGES } from "./messages.ts";
import { type Pipeline, PRIVACY_ROUTER } from "./pipeline.ts";
import { type Turn, type TurnRegistry, withoutRetryPrefix } from "./turns.ts";
import type { ModelRef, PipelineResult, RouterContext } from "./types.ts";

/** Longest wait for a whole decision, in milliseconds; then the turn is private. */
const DECISION_TIMEOUT_MS = 60_000;

export interface TurnInput {
  runId: string | undefined;
  sessionKey: string | undefined;
  agentId: string | undefined;
  prompt: string;
  attachments?: readonly { kind: string; mimeType?: string }[];
  currentModel: Partial<ModelRef>;
}

/** What routing knows of the host's models. */
export interface ModelDirectory {
  /** The local model for private turns; undefined when none is configured. */
  localModel(): ModelRef | undefined;
  isLocal(provider: string | undefined): boolean;
  has(ref: ModelRef): boolean;
}

export interface TurnRouterDeps {
  config: () => PrivacyConfig;
  pipeline: Pipeline;
  turns: TurnRegistry;
  models: ModelDirectory;
  conversation: (session: string) => Conversation;
  detectByRules: (text: string) => Detection;
  /** Told of each new turn and its text, for the log and the statistics. */
  decided: (turn: Turn, durationMs: number, message: string) => void;
  warn: (message: string) => void;
}

/** False when S3 stands only in the place of an opinion that did not come: no detector or router has said it. */
function isJudged({ decisions }: PipelineResult): boolean {
  return decisions.some(
    ({ level, degraded, error }) => level === "S3" && degraded === undefined && error === undefined,
  );
}

export class TurnRouter {
  private readonly deps: TurnRouterDeps;
  constructor(deps: TurnRouterDeps) {
    this.deps = deps;
  }

  /** Never rejects: a failure is a private turn. */
  async decide(input: TurnInput): Promise<Turn> {
    const known = this.deps.turns.get(input.runId);
    if (known !== undefined) {
      this.deps.turns.touch(known.runId);
      return known;
    }
    const started = performance.now();
    let result: PipelineResult | undefined;
    let failure: string | undefined;
    let message = "";
    let valuesOnly = false;
    try {
      message = withoutRetryPrefix(input.prompt);
      result = await this.deps.pipeline.run(this.context(input, message));
      // Before the message itself is known as a private text.
      valuesOnly = this.holdsOnlyValues(message, input.sessionKey, result);
      this.remember(message, input.sessionKey, result);
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
      this.deps.warn(`routing failed, the turn is treated as private: ${failure}`);
    }
    const turn = { ...this.turnOf(input, result, failure), valuesOnly };
    this.deps.turns.start(turn);
    this.deps.decided(turn, performance.now() - started, message);
    return turn;
  }

  /** What would be decided; nothing is kept. */
  async preview(input: TurnInput): Promise<Turn> {
    return this.turnOf(input, await this.deps.pipeline.run(this.context(input, input.prompt)), undefined);
  }

  /**
   * Whether a turn may run on a provider.
   * @param protectedProvider the provider's traffic passes the egress proxy
   * @returns what to tell the user when it may not
   */
  gate(turn: Turn, provider: string | undefined, protectedProvider: boolean): string | undefined {
    if (turn.blocked !== undefined) return turn.blocked;
    const local = this.deps.models.isLocal(provider);
    if (turn.localOnly && !local) {
      return turn.override === undefined ? MESSAGES.noLocalModel() : MESSAGES.localUnavailable(turn.override);
    }
    if (turn.level !== "S1" && !local && !protectedProvider) return MESSAGES.unprotected(provider ?? "?");
    return undefined;
  }

  private context(input: TurnInput, message: string): RouterContext {
    return {
      checkpoint: "onUserMessage",
      message,
      sessionKey: input.sessionKey,
      agentId: input.agentId,
      subagent: input.sessionKey?.includes(":subagent:") ?? false,
      attachments: input.attachments,
      currentModel: input.currentModel,
      signal: AbortSignal.timeout(DECISION_TIMEOUT_MS),
    };
  }

  /** What was found must be known to the proxy before the next request: the transcript may hold it already. */
  private remember(message: string, session: string | undefined, result: PipelineResult): void {
    if (session === undefined || result.level === "S1") return;
    const talk = this.deps.conversation(session);
    if (result.level === "S3" && talk.levelOfTokens(message) === undefined) {
      const parts = ownWords(message);
      const values = result.findings
        .filter((finding) => finding.level === "S3")
        .map((finding) => message.slice(finding.start, finding.end));
      const telling = parts.filter(
        (part) =>
          values.some((value) => part.includes(value)) ||
          talk.findKnown(part).some((finding) => finding.level === "S3"),
      );
      // Where no value says which part it is (a meaning, a keyword), all of it is private.
      const unjudged = !isJudged(result);
      for (const part of telling.length > 0 ? telling : parts) talk.lock(part, { unjudged });
    }
    if (result.findings.length > 0) talk.redact(message, result.findings);
  }

  /** Whether rules that know the shape of a value, and values known from before, are all that was found. */
  private holdsOnlyValues(message: string, session: string | undefined, result: PipelineResult): boolean {
    if (session === undefined || result.degraded !== undefined) return false;
    if (result.decisions.some(({ level, router }) => level !== "S1" && router !== PRIVACY_ROUTER))
      return false;
    const talk = this.deps.conversation(session);
    if (talk.levelOfTokens(message) !== undefined) return false;
    const known = talk.findKnown(message);
    return (
      known.length + result.findings.length > 0 &&
      known.every(
        ({ type, value }) =>
          type !== UNJUDGED_TYPE && (type !== PRIVATE_TEXT_TYPE || this.isPrivateByValues(value)),
      ) &&
      result.findings.every(({ rule }) => rule !== "user/keyword" && rule !== "local-model/entity")
    );
  }

  /** The host may store a message before it asks where it goes: then it is a known text, for the values in it. */
  private isPrivateByValues(text: string): boolean {
    const found = this.deps.detectByRules(text);
    return found.level === "S3" && !isWhollyPrivate(found);
  }

  private turnOf(input: TurnInput, result: PipelineResult | undefined, failure: string | undefined): Turn {
    const level: Level = result?.level ?? "S3";
    const turn: Turn = {
      runId: input.runId ?? randomUUID(),
      sessionKey: input.sessionKey,
      agentId: input.agentId,
      level,
      localOnly: level === "S3" || (level === "S2" && this.deps.config().s2Policy === "local"),
      valuesOnly: false,
      override: undefined,
      tier: result?.tier,
      blocked: undefined,
      reason: failure === undefined ? (result?.reason ?? "") : `routing failed: ${failure}`,
      result,
      seenAt: performance.now(),
    };
    if (result?.action === "block") turn.blocked = MESSAGES.blockedByRule(result.reason);
    if (turn.localOnly) {
      const asked = result?.target;
      const stays =
        asked !== undefined && this.deps.models.isLocal(asked.provider) && !isCloudModel(asked.model);
      const target = stays ? asked : undefined;
      turn.override = target ?? this.deps.models.localModel();
      if (turn.override === undefined) turn.blocked ??= MESSAGES.noLocalModel();
    } else if (result?.action === "redirect" && result.target !== undefined) {
      if (this.deps.models.has(result.target)) turn.override = result.target;
      else
        turn.reason += `; ${result.target.provider}/${result.target.model} is not configured in the host: its own choice stays`;
    }
    return turn;
  }
}
