/** Model calls as the host announces them, found again by span, by trace and by run. All maps are bounded. */
import type { Purpose } from "../events.ts";
import { BoundedMap } from "./bounded-map.ts";

/** What hooks tell about a run (one agent turn). */
export interface RunInfo {
  runId: string;
  sessionId?: string;
  sessionKey?: string;
  agentId?: string;
  /** The host's word for what started the run: user, heartbeat, cron, memory ... */
  trigger?: string;
}

/** One attempt of a model call. */
export interface CallInfo {
  spanId: string;
  traceId?: string;
  callId: string;
  runId: string;
  sessionId?: string;
  sessionKey?: string;
  agentId?: string;
  provider: string;
  model: string;
  api?: string;
  transport?: string;
  purpose: Purpose;
  startedAt: number;
  ended?: { at: number; outcome: string; failureKind?: string; errorCategory?: string };
  /** HTTP requests and WebSocket exchanges seen for this span. */
  exchanges: number;
}

const CAPACITY = 20_000;

/** A compaction that failed may never be announced as over. */
const LONGEST_COMPACTION_MS = 15 * 60_000;

export class CallRegistry {
  readonly #bySpan = new BoundedMap<string, CallInfo>(CAPACITY);
  readonly #byTrace = new BoundedMap<string, CallInfo>(CAPACITY);
  readonly #runs = new BoundedMap<string, RunInfo>(CAPACITY);
  readonly #runBySession = new BoundedMap<string, RunInfo>(CAPACITY);
  /** Sessions with a compaction under way: session key or id, and since when. */
  readonly #compacting = new Map<string, number>();

  /** Remembers what a hook said about a run; later facts complete earlier ones. */
  noteRun(run: RunInfo): RunInfo {
    const known = this.#runs.get(run.runId);
    const { sessionId = known?.sessionId, sessionKey = known?.sessionKey } = run;
    const { agentId = known?.agentId, trigger = known?.trigger } = run;
    const merged: RunInfo = {
      runId: run.runId,
      ...(sessionId !== undefined && { sessionId }),
      ...(sessionKey !== undefined && { sessionKey }),
      ...(agentId !== undefined && { agentId }),
      ...(trigger !== undefined && { trigger }),
    };
    this.#runs.set(run.runId, merged);
    if (merged.sessionId !== undefined) this.#runBySession.set(merged.sessionId, merged);
    return merged;
  }

  /** The newest run of a session, for hosts whose calls name only their session. */
  runOfSession(sessionId: string): RunInfo | undefined {
    return this.#runBySession.get(sessionId);
  }

  /** @returns false when this span is known already (double registration, replay). */
  started(call: CallInfo): boolean {
    if (this.#bySpan.has(call.spanId)) return false;
    this.#bySpan.set(call.spanId, call);
    if (call.traceId) this.#byTrace.set(call.traceId, call);
    return true;
  }

  bySpan(spanId: string): CallInfo | undefined {
    return this.#bySpan.get(spanId);
  }

  /** The newest call of a trace: tells the session of a request that has no call of its own. */
  byTrace(traceId: string): CallInfo | undefined {
    return this.#byTrace.get(traceId);
  }

  setCompacting(session: string | undefined, on: boolean): void {
    if (session === undefined) return;
    if (on) this.#compacting.set(session, performance.now());
    else this.#compacting.delete(session);
  }

  isCompacting(...sessions: (string | undefined)[]): boolean {
    return sessions.some((session) => {
      const since = session === undefined ? undefined : this.#compacting.get(session);
      return since !== undefined && performance.now() - since < LONGEST_COMPACTION_MS;
    });
  }
}
