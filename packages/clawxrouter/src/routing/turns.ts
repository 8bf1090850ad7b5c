/** What was decided for each run, and what the current turn of each session is. In memory, bounded. */
import type { Level } from "@clawx/shared-security";
import type { ModelRef, PipelineResult, Tier } from "./types.ts";

/** The host's words before the prompt of a second attempt; the verdict of the first stays in force. */
const RETRY_PREFIX = /^\s*\[Retry after the previous model attempt failed or timed out\]\s*/;

export function withoutRetryPrefix(prompt: string): string {
  return prompt.replace(RETRY_PREFIX, "");
}

export interface Turn {
  runId: string;
  sessionKey: string | undefined;
  agentId: string | undefined;
  level: Level;
  /** True when only a local model may answer. */
  localOnly: boolean;
  /**
   * True when single values made the turn private, none of its meaning: then what its tools show is no more private than
   * before, without those values.
   */
  valuesOnly: boolean;
  /** What the host was told; undefined: its own choice. */
  override: ModelRef | undefined;
  tier: Tier | undefined;
  /** Set when the turn must not run: what to tell the user. */
  blocked: string | undefined;
  reason: string;
  result: PipelineResult | undefined;
  /** `performance.now()` at the last sign of life: a clock that is set, or a night asleep, ends no turn. */
  seenAt: number;
}

const MAX_TURNS = 2_000;
/** A turn of which nothing was heard for so long is over, whatever became of it. */
const STALE_MS = 15 * 60_000;
/**
 * A private one may think for long on a small machine: what it writes then must not pass for somebody else's. The next
 * turn of the conversation takes its place anyway.
 */
const STALE_PRIVATE_MS = 24 * 3_600_000;

export class TurnRegistry {
  private readonly byRun = new Map<string, Turn>();
  private readonly current = new Map<string, Turn>();

  start(turn: Turn): void {
    this.byRun.delete(turn.runId);
    this.byRun.set(turn.runId, turn);
    if (turn.sessionKey !== undefined) this.current.set(turn.sessionKey, turn);
    if (this.byRun.size > MAX_TURNS) {
      const oldest = this.byRun.values().next().value;
      if (oldest !== undefined) this.byRun.delete(oldest.runId);
    }
  }

  get(runId: string | undefined): Turn | undefined {
    return runId === undefined ? undefined : this.byRun.get(runId);
  }

  /** The turn that runs in a session now. */
  inSession(sessionKey: string | undefined): Turn | undefined {
    const turn = sessionKey === undefined ? undefined : this.current.get(sessionKey);
    if (turn === undefined) return undefined;
    if (performance.now() - turn.seenAt > (turn.localOnly ? STALE_PRIVATE_MS : STALE_MS)) {
      this.end(turn.runId);
      return undefined;
    }
    return turn;
  }

  /**
   * Something of the turn was heard: it goes on. Also one that was over: the host tries again under the same run when a
   * model broke off, and what is written then belongs to it.
   */
  touch(runId: string | undefined): void {
    const turn = this.get(runId);
    if (turn === undefined) return;
    turn.seenAt = performance.now();
    if (turn.sessionKey !== undefined && !this.current.has(turn.sessionKey))
      this.current.set(turn.sessionKey, turn);
  }

  /** The turn is over: what is written next belongs to another. The verdict stays for late retries. */
  end(runId: string | undefined): void {
    const turn = this.get(runId);
    if (turn?.sessionKey !== undefined && this.current.get(turn.sessionKey) === turn)
      this.current.delete(turn.sessionKey);
  }

  active(): number {
    return this.current.size;
  }
}
