/**
 * Which conversation a request belongs to: by the span of the call, else by its trace. A subagent's run shares the trace
 * of the run that started it, so the span says more. Spans are of this process; traces are kept with the vault, for
 * whoever sends through the proxy from another one.
 */
import { LruCache } from "../detection/limits.ts";
import type { TraceHint, TraceHints } from "../egress/types.ts";
import type { VaultStore } from "../vault-store/store.ts";
import { currentTrace, type TraceIds } from "./trace-scope.ts";

const MAX_SPANS = 10_000;

export class TraceSessions {
  private readonly store: () => Pick<VaultStore, "rememberTrace" | "sessionOfTrace">;
  private readonly spans = new LruCache<string>(MAX_SPANS);
  /** What is on disk already: the same is said many times a turn. */
  private readonly traces = new LruCache<string>(MAX_SPANS);

  constructor(store: () => Pick<VaultStore, "rememberTrace" | "sessionOfTrace">) {
    this.store = store;
  }

  /**
   * Notes that a trace works for a conversation, and with it the trace of the running code: an embedding that the turn
   * asks for runs in the same one.
   * @param trace what the host told the hook: without it nothing is noted, for a hook that is not of a run (a message
   *   that a subagent has written for its parent) may run in anybody's context
   */
  note(session: string, trace: TraceIds | undefined): void {
    if (trace === undefined) return;
    for (const ids of [currentTrace(), trace]) {
      if (ids === undefined) continue;
      if (ids.spanId !== undefined) this.spans.set(ids.spanId, session);
      if (this.traces.get(ids.traceId) === session) continue;
      this.traces.set(ids.traceId, session);
      this.store().rememberTrace(ids.traceId, session);
    }
  }

  /** The conversation of a request; undefined when nothing tells it. */
  sessionOf({ context, ...own }: TraceHints): string | undefined {
    return this.find(own) ?? (context && this.find(context));
  }

  private find({ traceId, spanId }: TraceHint): string | undefined {
    const bySpan = spanId === undefined ? undefined : this.spans.get(spanId);
    if (bySpan !== undefined || traceId === undefined) return bySpan;
    return this.traces.get(traceId) ?? this.store().sessionOfTrace(traceId);
  }
}
