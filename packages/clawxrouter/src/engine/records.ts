/**
 * Writes down what was decided: one line in the log a turn, one row in the ledger a decision. Texts are masked here:
 * no private value gets into the ledger.
 */
import type { Finding, Level } from "@clawx/shared-security";
import type { Detector } from "../detection/detector.ts";
import type { EgressEvent, ForwardEvent, RefusedEvent } from "../egress/types.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Turn } from "../routing/turns.ts";
import type { PipelineResult, RouterContext, Tier } from "../routing/types.ts";
import { isSelfTestSession, SELFTEST_PREFIX } from "../selftest/names.ts";
import type { Conversation } from "../vault-store/conversation.ts";

export interface RecordsDeps {
  ledger: () => Ledger;
  keepText: () => boolean;
  conversation: (session: string) => Conversation;
  detector: () => Detector;
  /** The turn that runs in a session now. */
  runOf: (session: string | undefined) => Turn | undefined;
  tierOf: (session: string, tier: Tier | undefined) => void;
  info: (message: string) => void;
}

/** Longer texts are not masked a second time for the record. */
const MOST = 20_000;
const LEVELS: Record<Level, number> = { S1: 0, S2: 1, S3: 2 };
/** Refusals of the proxy that say something of the text, not of the caller. */
const BY_CONTENT = new Set(["policy-s2", "policy-s3", "media", "inspect-failed", "final-check"]);

export class Records {
  private readonly deps: RecordsDeps;
  constructor(deps: RecordsDeps) {
    this.deps = deps;
  }

  turn(turn: Turn, ms: number, message: string): void {
    const target =
      turn.override === undefined ? "as configured" : `-> ${turn.override.provider}/${turn.override.model}`;
    this.deps.info(
      `clawxrouter: ${turn.level}${turn.tier ? ` ${turn.tier}` : ""} ${turn.blocked === undefined ? target : "blocked"} (${turn.reason}; ${ms.toFixed(0)} ms)`,
    );
    if (turn.sessionKey !== undefined && !turn.localOnly) this.deps.tierOf(turn.sessionKey, turn.tier);
    const route =
      turn.blocked !== undefined
        ? "blocked"
        : turn.localOnly
          ? "local"
          : turn.level === "S2"
            ? "redacted"
            : "cloud";
    const context: RouterContext = {
      checkpoint: "onUserMessage",
      message,
      signal: new AbortController().signal,
      ...(turn.sessionKey === undefined ? {} : { sessionKey: turn.sessionKey }),
      ...(turn.agentId === undefined ? {} : { agentId: turn.agentId }),
    };
    const failed: Omit<PipelineResult, "level" | "reason"> = {
      action: "redirect",
      target: undefined,
      router: undefined,
      findings: [],
      tier: undefined,
      degraded: "routing failed",
      decisions: [],
      skipped: [],
    };
    const result = { ...(turn.result ?? failed), level: turn.level, reason: turn.reason };
    this.decision(context, result, route, ms, { turn });
  }

  /**
   * Never throws: a full disk costs statistics, not a turn.
   * @param given the turn, when it is one; the masked text, when it is known
   */
  decision(
    context: RouterContext,
    result: PipelineResult,
    route: string,
    ms: number,
    given: { turn?: Turn; masked?: string | undefined } = {},
  ): void {
    if (isSelfTestSession(context.sessionKey)) return;
    this.attempt(() => {
      const { turn } = given;
      const session = context.sessionKey;
      const run = turn?.runId ?? this.deps.runOf(session)?.runId;
      const text = this.deps.keepText()
        ? (given.masked ?? this.mask(context.message, session, result.level, result.findings))
        : undefined;
      this.deps.ledger().decision({
        at: Date.now(),
        session,
        agent: context.agentId,
        run,
        checkpoint: context.checkpoint,
        level: result.level,
        action: result.action,
        router: result.router,
        route,
        provider: turn?.override?.provider,
        model: turn?.override?.model,
        tier: turn?.tier ?? result.tier,
        tool: context.toolName,
        reason: this.maskReason(result.reason, session),
        degraded: result.degraded === undefined ? undefined : this.maskReason(result.degraded, session),
        ms,
        routers: result.decisions.map(({ router, level, action, reason, durationMs }) => ({
          router,
          level,
          action,
          reason: reason === undefined ? undefined : this.maskReason(reason, session),
          durationMs,
        })),
        text,
      });
    });
  }

  /** What the proxy did; what it found that no checkpoint had found is a detection of its own. */
  egress(told: EgressEvent): void {
    // What the self-test sends are nobody's requests.
    if (told.providerId?.startsWith(SELFTEST_PREFIX) === true || isSelfTestSession(told.session)) return;
    const turn = this.deps.runOf(told.session);
    this.attempt(() => {
      const event = this.maskEvent(told);
      this.deps.ledger().egress(event, turn?.runId);
      if (event.kind === "forward" && !event.local && Object.keys(event.replaced).length > 0) {
        if (turn === undefined || LEVELS[event.level] > LEVELS[turn.level]) this.outbound(event, turn);
      } else if (event.kind === "refused" && BY_CONTENT.has(event.code)) this.outbound(event, turn);
    });
  }

  private maskEvent(event: EgressEvent): EgressEvent {
    const mask = (text: string) => this.maskReason(text, event.session);
    if (event.kind === "refused") return { ...event, detail: mask(event.detail) };
    if (event.kind !== "forward" || (event.reasons.length === 0 && event.degraded === undefined))
      return event;
    return {
      ...event,
      reasons: event.reasons.map(mask),
      degraded: event.degraded === undefined ? undefined : mask(event.degraded),
    };
  }

  private outbound(event: ForwardEvent | RefusedEvent, turn: Turn | undefined): void {
    const sent = event.kind === "forward";
    this.deps.ledger().decision({
      at: event.at,
      session: event.session,
      agent: turn?.agentId,
      run: turn?.runId,
      checkpoint: "outbound",
      level: event.level ?? "S1",
      action: sent ? "transform" : "block",
      router: "privacy",
      route: sent ? "redacted" : "blocked",
      provider: event.providerId,
      model: sent ? event.model : undefined,
      tier: undefined,
      tool: undefined,
      reason: sent ? event.reasons.join("; ") : event.detail,
      degraded: sent ? event.degraded : undefined,
      ms: sent ? event.inspectMs : 0,
      routers: [],
      text: sent ? event.newest : undefined,
    });
  }

  /** The text with placeholders in the place of all that is private; undefined when that cannot be done. */
  private mask(
    message: string,
    session: string | undefined,
    level: Level,
    findings: readonly Finding[],
  ): string | undefined {
    if (message === "" || message.length > MOST) return undefined;
    if (session === undefined && level !== "S1") return undefined;
    const talk = this.deps.conversation(session ?? "");
    if (level === "S3" && talk.levelOfTokens(message) === undefined) return talk.lock(message);
    return talk.redact(message, [...findings, ...talk.findKnown(message)]);
  }

  /** Reasons are free of private text by contract; a local model's own words are not taken at its word. */
  private maskReason(reason: string, session: string | undefined): string {
    const talk = this.deps.conversation(session ?? "");
    const short = reason.slice(0, 1_000);
    const { findings } = this.deps.detector().detectByRules(short);
    return talk.redact(short, [...findings, ...talk.findKnown(short)]);
  }

  private attempt(work: () => void): void {
    try {
      work();
    } catch (error) {
      this.deps.info(
        `clawxrouter: a decision was not recorded: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }
}
