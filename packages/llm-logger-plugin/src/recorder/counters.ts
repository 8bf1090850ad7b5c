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
    byCorrelation: { traceparent: 0, scope: 0, none: 0 },
    requests: 0,
    responses: 0,
    ignored: 0,
    faults: 0,
    lastFault: null,
  };
}
