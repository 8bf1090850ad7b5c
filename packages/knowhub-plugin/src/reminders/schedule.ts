import type { DatabaseSync } from "node:sqlite";
import type { KnowHubConfig } from "../config.ts";

/** Model calls between two periodic reminders. */
export const INTERVAL: Readonly<Record<KnowHubConfig["reminderMode"], number>> = {
  off: Number.POSITIVE_INFINITY,
  minimal: 5,
  normal: 3,
  aggressive: 2,
};

/** What to put before the next model call of a session. */
export type Due = "notice" | "periodic" | "both" | undefined;

/** Runs that are forgotten when there are more: a run ends without telling us when its process dies. */
const MAX_RUNS = 2_000;

/** A turn that a person began. */
export interface Run {
  session: string;
  /** What its prompt got: the same again when the host builds the prompt once more. */
  due: Due;
  /** The call that the last reminder put into it was for. */
  remindedFor: number;
}

/**
 * Counts the model calls of each session and says when a reminder is due.
 *
 * Only runs that a person started count: heartbeats, scheduled jobs and subagents share session keys with the user's
 * turns, and would make reminders come too early. Counts are kept in the store, so that a restart of the gateway in the
 * middle of a session neither repeats the notice nor starts counting anew.
 */
export class ReminderSchedule {
  readonly #interval: number;
  readonly #db: () => DatabaseSync;
  readonly #runsNow: () => Map<string, Run>;

  constructor(options: {
    mode: KnowHubConfig["reminderMode"];
    db: () => DatabaseSync;
    runs: () => Map<string, Run>;
  }) {
    this.#interval = INTERVAL[options.mode];
    this.#db = options.db;
    this.#runsNow = options.runs;
  }

  get #runs(): Map<string, Run> {
    return this.#runsNow();
  }

  /** The prompt of a person's turn is built; what to put before it. */
  beginRun(runId: string, session: string, now: number): Due {
    if (this.#interval === Number.POSITIVE_INFINITY) return undefined;
    const known = this.#runs.get(runId);
    if (known) return known.due;
    const state = this.#state(session);
    const next = state.calls + 1;
    const periodic = next % this.#interval === 0;
    const due = state.noticed ? (periodic ? "periodic" : undefined) : periodic ? "both" : "notice";
    if (!state.noticed) this.#write(session, state.calls, true, now);
    if (this.#runs.size >= MAX_RUNS) {
      const oldest = this.#runs.keys().next().value;
      if (oldest !== undefined) this.#runs.delete(oldest);
    }
    this.#runs.set(runId, { session, due, remindedFor: periodic ? next : 0 });
    return due;
  }

  /** A model call of a run begins. */
  callStarted(runId: string, now: number): void {
    const run = this.#runs.get(runId);
    if (!run) return;
    const state = this.#state(run.session);
    this.#write(run.session, state.calls + 1, state.noticed, now);
  }

  /** Whether the next call of a run, which will carry a tool's result, is one that gets a reminder. True once a call. */
  dueAfterTool(runId: string): boolean {
    const run = this.#runs.get(runId);
    if (!run) return false;
    const next = this.#state(run.session).calls + 1;
    if (next % this.#interval !== 0 || run.remindedFor === next) return false;
    run.remindedFor = next;
    return true;
  }

  endRun(runId: string): void {
    this.#runs.delete(runId);
  }

  /** The session is over: the next one with its key is told anew. */
  endSession(session: string): void {
    this.#db().prepare("DELETE FROM sessions WHERE session = ?").run(session);
  }

  #state(session: string): { calls: number; noticed: boolean } {
    const row = this.#db().prepare("SELECT calls, noticed FROM sessions WHERE session = ?").get(session) as
      | { calls: number; noticed: number }
      | undefined;
    return { calls: row?.calls ?? 0, noticed: row?.noticed === 1 };
  }

  #write(session: string, calls: number, noticed: boolean, now: number): void {
    this.#db()
      .prepare(
        `INSERT INTO sessions (session, calls, noticed, updated_at) VALUES (?, ?, ?, ?)
         ON CONFLICT (session) DO UPDATE SET calls = excluded.calls, noticed = excluded.noticed, updated_at = excluded.updated_at`,
      )
      .run(session, calls, noticed ? 1 : 0, now);
  }
}

/** What the host says about where a turn comes from. */
export interface TurnOrigin {
  trigger?: string;
  sessionKey?: string;
  jobId?: string;
  inputProvenance?: { kind?: string };
}

/** Ends of a session after which it goes on. */
export const GOES_ON: ReadonlySet<string> = new Set(["shutdown", "restart", "compaction"]);

/** Session keys of runs that no person started. */
const MACHINE_SESSION = /(^|:)(cron|heartbeat|subagent|acp|hook|webhook)(:|$)/;

/** Whether a person wrote what starts this turn; when in doubt by trigger, key or provenance, no. */
export function startedByPerson(origin: TurnOrigin): boolean {
  if (origin.trigger !== undefined && origin.trigger !== "user") return false;
  if (origin.jobId) return false;
  const kind = origin.inputProvenance?.kind;
  if (kind !== undefined && kind !== "external_user") return false;
  return !MACHINE_SESSION.test(origin.sessionKey ?? "");
}
