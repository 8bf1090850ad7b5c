/** The questions that are asked of the ledger. Each works on any connection: the gateway's own or the worker's. */
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import type { AuditRow, HourlyRow, SessionRow, StoredDecision, StoredRequest } from "./rows.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** Most rows given at once. */
const MOST = 1_000;

export interface DecisionFilter {
  /** Only ids below. */
  before?: number;
  limit?: number;
  level?: string;
  checkpoint?: string;
  route?: string;
  session?: string;
  run?: string;
}

export interface RequestFilter {
  before?: number;
  limit?: number;
  session?: string;
  run?: string;
}

/** Last row of each table that was seen. */
export interface Place {
  decision: number;
  request: number;
}

export interface StreamFilter {
  session?: string | undefined;
  run?: string | undefined;
}

export interface Fresh {
  decisions: StoredDecision[];
  requests: StoredRequest[];
}

class Where {
  private readonly parts: string[] = [];
  readonly values: SQLInputValue[] = [];

  /** Adds a condition, unless one of its values is not given. */
  and(sql: string, ...values: (SQLInputValue | undefined)[]): this {
    const given = values.filter((value) => value !== undefined);
    if (given.length === values.length) {
      this.parts.push(sql);
      this.values.push(...given);
    }
    return this;
  }

  toString(): string {
    return this.parts.length === 0 ? "" : `WHERE ${this.parts.join(" AND ")}`;
  }
}

export function spentSince(db: DatabaseSync, hour: number): number {
  return (db.prepare("SELECT total(usd) AS usd FROM spend WHERE hour >= ?").get(hour) as { usd: number }).usd;
}

export function hourly(db: DatabaseSync, from: number, to: number): HourlyRow[] {
  return db
    .prepare("SELECT * FROM hourly WHERE hour >= ? AND hour < ? ORDER BY hour")
    .all(from - (from % HOUR), to) as unknown as HourlyRow[];
}

/** Whole UTC days within a range come from the daily sums, its ends from the hourly ones. */
function spans(from: number, to: number): { table: "daily" | "hourly"; from: number; to: number }[] {
  const start = from - (from % HOUR);
  const firstDay = Math.ceil(start / DAY) * DAY;
  const lastDay = to - (to % DAY);
  if (lastDay <= firstDay) return [{ table: "hourly", from: start, to }];
  return [
    { table: "hourly" as const, from: start, to: firstDay },
    { table: "daily" as const, from: firstDay, to: lastDay },
    { table: "hourly" as const, from: lastDay, to },
  ].filter((span) => span.from < span.to);
}

const SUMS =
  "sum(n) AS n, sum(failed) AS failed, sum(input) AS input, sum(output) AS output, sum(cacheRead) AS cacheRead, sum(cacheWrite) AS cacheWrite, sum(usd) AS usd, sum(unpriced) AS unpriced, sum(compared) AS compared, sum(comparedUsd) AS comparedUsd, sum(baselineUsd) AS baselineUsd, sum(ms) AS ms";

/** Sums over a range by everything but the hour. */
export function totals(db: DatabaseSync, from: number, to: number): Omit<HourlyRow, "hour">[] {
  const parts = spans(from, to);
  const source = parts.map(({ table }) => `SELECT * FROM ${table} WHERE hour >= ? AND hour < ?`);
  return db
    .prepare(
      `SELECT kind, level, route, provider, model, tier, ${SUMS} FROM (${source.join(" UNION ALL ")}) GROUP BY kind, level, route, provider, model, tier`,
    )
    .all(...parts.flatMap((span) => [span.from, span.to])) as never;
}

/**
 * As {@link totals}, step by step: together the steps are the totals.
 * @param starts where each step begins, whole hours; `hour` of a row is the start of its step
 * @param to where the last one ends
 * @param sums of a step, where they are known already
 */
export function series(
  db: DatabaseSync,
  starts: readonly number[],
  to: number,
  sums: (from: number, to: number) => Omit<HourlyRow, "hour">[] = (from, until) => totals(db, from, until),
): HourlyRow[] {
  return starts.flatMap((hour, i) =>
    sums(hour, Math.min(to, starts[i + 1] ?? to)).map((row) => ({ ...row, hour })),
  );
}

export function latency(
  db: DatabaseSync,
  from: number,
  to: number,
): { kind: string; bucket: number; n: number; total: number; max: number }[] {
  const parts = spans(from, to);
  const source = parts.map(
    ({ table }) =>
      `SELECT * FROM ${table === "daily" ? "latencyDaily" : "latency"} WHERE hour >= ? AND hour < ?`,
  );
  return db
    .prepare(
      `SELECT kind, bucket, sum(n) AS n, sum(total) AS total, max(max) AS max FROM (${source.join(" UNION ALL ")}) GROUP BY kind, bucket ORDER BY kind, bucket`,
    )
    .all(...parts.flatMap((span) => [span.from, span.to])) as never;
}

export function decisions(db: DatabaseSync, filter: DecisionFilter): StoredDecision[] {
  const where = new Where()
    .and("id < ?", filter.before)
    .and("level = ?", filter.level)
    .and("checkpoint = ?", filter.checkpoint)
    .and("route = ?", filter.route)
    .and("session = ?", filter.session)
    .and("run = ?", filter.run);
  return db
    .prepare(`SELECT * FROM decisions ${where} ORDER BY id DESC LIMIT ?`)
    .all(...where.values, Math.min(filter.limit ?? 100, MOST)) as unknown as StoredDecision[];
}

export function decisionById(db: DatabaseSync, id: number): StoredDecision | undefined {
  return db.prepare("SELECT * FROM decisions WHERE id = ?").get(id) as StoredDecision | undefined;
}

/** Rows by id, in the order given. */
export function decisionsByIds(db: DatabaseSync, ids: readonly number[]): StoredDecision[] {
  const rows = db
    .prepare("SELECT * FROM decisions WHERE id IN (SELECT value FROM json_each(?))")
    .all(JSON.stringify(ids)) as unknown as StoredDecision[];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

export function requests(db: DatabaseSync, filter: RequestFilter): StoredRequest[] {
  const where = new Where()
    .and("id < ?", filter.before)
    .and("session = ?", filter.session)
    .and("run = ?", filter.run);
  return db
    .prepare(`SELECT * FROM requests ${where} ORDER BY id DESC LIMIT ?`)
    .all(...where.values, Math.min(filter.limit ?? 100, MOST)) as unknown as StoredRequest[];
}

/** Made with the ledger. */
export function ledgerId(db: DatabaseSync): string {
  const row = db.prepare("SELECT value FROM meta WHERE key = 'id'").get() as { value: string } | undefined;
  return row?.value ?? "";
}

export function place(db: DatabaseSync): Place {
  return db
    .prepare(
      "SELECT coalesce((SELECT max(id) FROM decisions), 0) AS decision, coalesce((SELECT max(id) FROM requests), 0) AS request",
    )
    .get() as unknown as Place;
}

export function after(db: DatabaseSync, from: Place, filter: StreamFilter, limit: number): Fresh {
  const read = <T>(table: string, id: number): T[] => {
    const where = new Where().and("id > ?", id).and("session = ?", filter.session).and("run = ?", filter.run);
    return db
      .prepare(`SELECT * FROM ${table} ${where} ORDER BY id LIMIT ?`)
      .all(...where.values, limit) as T[];
  };
  return {
    decisions: read<StoredDecision>("decisions", from.decision),
    requests: read<StoredRequest>("requests", from.request),
  };
}

export interface SessionFilter {
  limit: number;
  text?: string | undefined;
  /** Only sessions after this one in the list. */
  cursor?: { lastAt: number; key: string } | undefined;
}

export function sessions(db: DatabaseSync, filter: SessionFilter): SessionRow[] {
  const where = new Where()
    .and("instr(lower(key), lower(?)) > 0", filter.text)
    .and("(lastAt, key) < (?, ?)", filter.cursor?.lastAt, filter.cursor?.key);
  return db
    .prepare(`SELECT * FROM sessions ${where} ORDER BY lastAt DESC, key DESC LIMIT ?`)
    .all(...where.values, Math.min(filter.limit, MOST)) as unknown as SessionRow[];
}

export function audit(db: DatabaseSync, before: number | undefined, limit: number): AuditRow[] {
  const where = new Where().and("id < ?", before);
  return db
    .prepare(`SELECT * FROM audit ${where} ORDER BY id DESC LIMIT ?`)
    .all(...where.values, Math.min(limit, MOST)) as unknown as AuditRow[];
}

export function ruleCounts(db: DatabaseSync, limit: number): { rule: string; n: number }[] {
  return db.prepare("SELECT rule, n FROM rules ORDER BY n DESC, rule LIMIT ?").all(limit) as never;
}

/** Decisions that are kept, by checkpoint and level. Sums tell of all but the oldest hour, whose beginning may be deleted. */
export function facetCounts(db: DatabaseSync): { kind: string; level: string; n: number }[] {
  const { oldest } = db.prepare("SELECT min(at) AS oldest FROM decisions").get() as { oldest: number | null };
  if (oldest === null) return [];
  const next = oldest - (oldest % HOUR) + HOUR;
  const first = db
    .prepare(
      "SELECT checkpoint AS kind, level, count(*) AS n FROM decisions WHERE at < ? GROUP BY checkpoint, level",
    )
    .all(next) as { kind: string; level: string; n: number }[];
  const rest = totals(db, next, Number.MAX_SAFE_INTEGER).filter(
    ({ kind }) => kind !== "request" && kind !== "refused",
  );
  return [...first, ...rest].map(({ kind, level, n }) => ({ kind, level, n }));
}

export interface Timeline {
  /** Newest first. */
  items: ({ kind: "decision"; row: StoredDecision } | { kind: "request"; row: StoredRequest })[];
  /** Where to go on; undefined at the end. */
  next: Place | undefined;
}

/** Decisions and requests of a session together, newest first. */
export function timeline(
  db: DatabaseSync,
  filter: { session: string; run?: string | undefined; before?: Place | undefined; limit: number },
): Timeline {
  const { session, run, before, limit } = filter;
  const own = { session, ...(run === undefined ? {} : { run }), limit: limit + 1 };
  const from = (id: number | undefined) => (id === undefined ? {} : { before: id });
  const heads = {
    decision: decisions(db, { ...own, ...from(before?.decision) }),
    request: requests(db, { ...own, ...from(before?.request) }),
  };
  const place = {
    decision: before?.decision ?? Number.MAX_SAFE_INTEGER,
    request: before?.request ?? Number.MAX_SAFE_INTEGER,
  };
  const items: Timeline["items"] = [];
  let [d, r] = [0, 0];
  while (items.length < limit) {
    const decision = heads.decision[d];
    const request = heads.request[r];
    // Rows of a table keep their order, so that a page never leaves one out.
    if (decision !== undefined && (request === undefined || decision.at >= request.at)) {
      items.push({ kind: "decision", row: decision });
      place.decision = decision.id;
      d += 1;
    } else if (request !== undefined) {
      items.push({ kind: "request", row: request });
      place.request = request.id;
      r += 1;
    } else break;
  }
  const more = heads.decision[d] !== undefined || heads.request[r] !== undefined;
  return { items, next: more ? place : undefined };
}

/** Safe turns whose text is kept, newest first, with what their requests used: for the replay. */
export function replayable(
  db: DatabaseSync,
  limit: number,
): (StoredDecision & {
  uses: {
    provider: string | null;
    model: string | null;
    api: string | null;
    input: number;
    output: number;
    cacheRead: number;
    cacheWrite: number;
    usd: number | null;
  }[];
})[] {
  const turns = db
    .prepare(
      `SELECT * FROM decisions WHERE checkpoint = 'onUserMessage' AND level = 'S1' AND text IS NOT NULL AND truncated = 0
         AND run IS NOT NULL AND route = 'cloud' ORDER BY id DESC LIMIT ?`,
    )
    .all(limit) as unknown as StoredDecision[];
  const uses = db.prepare(
    `SELECT provider, model, api, coalesce(input, 0) AS input, coalesce(output, 0) AS output, coalesce(cacheRead, 0) AS cacheRead,
       coalesce(cacheWrite, 0) AS cacheWrite, usd FROM requests WHERE run = ? AND outcome = 'ok' AND session = ?`,
  );
  return turns.map((turn) => ({ ...turn, uses: uses.all(turn.run, turn.session) as never }));
}
