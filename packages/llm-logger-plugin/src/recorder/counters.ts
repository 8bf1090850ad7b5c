/** What the status page and `llm-logs status` show: numbers only, no content. */

export interface Counters {
  /** Call attempts that the host announced. */
  callsSeen: number;
  /** Of these, attempts for which HTTP traffic was captured. */
  callsHttp: number;
  /** Of these, attempts for which WebSocket traffic was captured. */
  callsWebSocket: number;
  /** Ended without any traffic seen. */
  callsUnmatched: number;
  /** Of these, calls that the host itself calls failed: refused before the network (an SSRF guard, a bad key). */
  callsFailedEarly: number;
  /** The host's reasons for them and how often each was given; the first `MAX_REASONS` kinds. */
  failureReasons: Record<string, number>;
  /** Captured requests by how they were tied to a call. */
  byCorrelation: { traceparent: number; scope: number; none: number };
  requests: number;
  responses: number;
  /** Requests followed at first and found to be no model call. */
  ignored: number;
  /** Internal faults that were swallowed. */
  faults: number;
  lastFault: string | null;
}

export function newCounters(): Counters {
  return {
    callsSeen: 0,
    callsHttp: 0,
    callsWebSocket: 0,
    callsUnmatched: 0,
    callsFailedEarly: 0,
    failureReasons: {},
    byCorrelation: { traceparent: 0, scope: 0, none: 0 },
    requests: 0,
    responses: 0,
    ignored: 0,
    faults: 0,
    lastFault: null,
  };
}

/** The host's reasons are few; more than these are no kinds any more. */
const MAX_REASONS = 20;

/** Counts a call that the host calls failed and of which no traffic was seen. */
export function countEarlyFailure(counters: Counters, reason: string | undefined): void {
  counters.callsFailedEarly++;
  const { failureReasons: known } = counters;
  if (reason === undefined) return;
  // A reason is a word of the host's; anything longer may hold what does not belong on the status page.
  const kind = /^[\w.-]{1,60}$/.test(reason) && reason !== "__proto__" ? reason : "other";
  const before = Object.hasOwn(known, kind) ? (known[kind] ?? 0) : 0;
  if (before > 0 || Object.keys(known).length < MAX_REASONS) known[kind] = before + 1;
}
