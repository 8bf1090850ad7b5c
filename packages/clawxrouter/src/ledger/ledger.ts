/**
 * What happened: turns, detections and requests, for the statistics, the budget and the dashboard. No message
 * text and no value is ever in it. Writes are gathered for at most half a second.
 */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { EgressEvent, EndEvent, ForwardEvent, RefusedEvent } from "../egress/types.ts";
import { openPrivateDatabase } from "../vault-store/database.ts";

export const LEDGER_FILE_NAME = "ledger.sqlite";

const SCHEMA = `
CREATE TABLE IF NOT EXISTS decisions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, session TEXT, agent TEXT, run TEXT, checkpoint TEXT NOT NULL,
  level TEXT NOT NULL, action TEXT NOT NULL, router TEXT, route TEXT NOT NULL, provider TEXT, model TEXT, tier TEXT,
  tool TEXT, reason TEXT NOT NULL, degraded TEXT, ms REAL NOT NULL, routers TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS decisions_at ON decisions (at);
CREATE INDEX IF NOT EXISTS decisions_session ON decisions (session, id);
CREATE INDEX IF NOT EXISTS decisions_level ON decisions (level, id);
CREATE TABLE IF NOT EXISTS requests (
  id INTEGER PRIMARY KEY AUTOINCREMENT, request TEXT NOT NULL UNIQUE, at INTEGER NOT NULL, session TEXT, provider TEXT, model TEXT,
  api TEXT, local INTEGER, level TEXT, replaced TEXT, refused TEXT, status INTEGER, outcome TEXT, restored INTEGER,
  input INTEGER, output INTEGER, cacheRead INTEGER, cacheWrite INTEGER, usd REAL, inspectMs REAL, ttfbMs REAL, ms REAL, degraded TEXT, detail TEXT
);
CREATE INDEX IF NOT EXISTS requests_at ON requests (at);
CREATE INDEX IF NOT EXISTS requests_session ON requests (session, id);
CREATE TABLE IF NOT EXISTS hourly (
  hour INTEGER NOT NULL, kind TEXT NOT NULL, level TEXT NOT NULL, route TEXT NOT NULL, provider TEXT NOT NULL, model TEXT NOT NULL, tier TEXT NOT NULL,
  n INTEGER NOT NULL, input INTEGER NOT NULL, output INTEGER NOT NULL, cacheRead INTEGER NOT NULL, cacheWrite INTEGER NOT NULL,
  usd REAL NOT NULL, unpriced INTEGER NOT NULL, ms REAL NOT NULL,
  PRIMARY KEY (hour, kind, level, route, provider, model, tier)
) WITHOUT ROWID;
`;

const HOUR = 3_600_000;

/** A decision of the pipeline at a checkpoint. */
export interface DecisionRow {
  at: number;
  session: string | undefined;
  agent: string | undefined;
  run: string | undefined;
  checkpoint: string;
  level: string;
  action: string;
  router: string | undefined;
  /** `cloud`, `redacted`, `local`, `blocked`. */
  route: string;
  provider: string | undefined;
  model: string | undefined;
  tier: string | undefined;
  tool: string | undefined;
  reason: string;
  degraded: string | undefined;
  ms: number;
  routers: readonly {
    router: string;
    level: string;
    action: string;
    reason?: string | undefined;
    durationMs: number;
  }[];
}

export interface HourlyRow {
  hour: number;
  kind: "decision" | "request" | "refused";
  level: string;
  route: string;
  provider: string;
  model: string;
  tier: string;
  n: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite: number;
  usd: number;
  unpriced: number;
  ms: number;
}

export interface LedgerOptions {
  /** Price of a finished request in USD; undefined when unknown. */
  price: (forward: ForwardEvent, end: EndEvent) => number | undefined;
  /** Rows of decisions and requests older than this go; the hourly sums stay. Default 90 days. */
  retentionDays?: number;
  now?: () => number;
}

/** Longest time a row waits for others before it is written, in milliseconds. */
const FLUSH_MS = 500;

export class Ledger {
  private readonly db: DatabaseSync;
  private readonly sql: Record<"decision" | "request" | "hourly", StatementSync>;
  private readonly options: LedgerOptions;
  private readonly open = new Map<string, ForwardEvent>();
  private readonly pending: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** @throws when the folder cannot be written */
  constructor(file: string, options: LedgerOptions) {
    this.options = options;
    this.db = openPrivateDatabase(file, SCHEMA).db;
    const old = (options.now ?? Date.now)() - (options.retentionDays ?? 90) * 24 * HOUR;
    this.db.prepare("DELETE FROM decisions WHERE at < ?").run(old);
    this.db.prepare("DELETE FROM requests WHERE at < ?").run(old);
    this.sql = {
      decision: this.db.prepare(
        `INSERT INTO decisions (at, session, agent, run, checkpoint, level, action, router, route, provider, model, tier, tool, reason, degraded, ms, routers)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      request: this.db.prepare(
        `INSERT OR IGNORE INTO requests (request, at, session, provider, model, api, local, level, replaced, refused, status, outcome, restored,
           input, output, cacheRead, cacheWrite, usd, inspectMs, ttfbMs, ms, degraded, detail)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      ),
      hourly: this.db.prepare(
        `INSERT INTO hourly (hour, kind, level, route, provider, model, tier, n, input, output, cacheRead, cacheWrite, usd, unpriced, ms)
         VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET n = n + 1, input = input + excluded.input, output = output + excluded.output,
           cacheRead = cacheRead + excluded.cacheRead, cacheWrite = cacheWrite + excluded.cacheWrite,
           usd = usd + excluded.usd, unpriced = unpriced + excluded.unpriced, ms = ms + excluded.ms`,
      ),
    };
  }

  decision(row: DecisionRow): void {
    this.later(() => {
      this.sql.decision.run(
        row.at,
        text(row.session),
        text(row.agent),
        text(row.run),
        row.checkpoint,
        row.level,
        row.action,
        text(row.router),
        row.route,
        text(row.provider),
        text(row.model),
        text(row.tier),
        text(row.tool),
        row.reason,
        text(row.degraded),
        row.ms,
        JSON.stringify(row.routers),
      );
      this.sum(
        row.at,
        "decision",
        row.level,
        row.route,
        row.provider,
        row.model,
        row.tier,
        undefined,
        0,
        row.ms,
      );
    });
  }

  egress(event: EgressEvent): void {
    switch (event.kind) {
      case "forward":
        this.open.set(event.requestId, event);
        if (this.open.size > 10_000) this.open.delete(this.open.keys().next().value ?? "");
        return;
      case "end": {
        const forward = this.open.get(event.requestId);
        this.open.delete(event.requestId);
        if (forward !== undefined) this.later(() => this.writeRequest(forward, event));
        return;
      }
      case "refused":
        this.later(() => this.writeRefused(event));
    }
  }

  /** USD of priced requests since a time. */
  spentSince(at: number): number {
    this.flush();
    const hourly = this.db
      .prepare("SELECT total(usd) AS usd FROM hourly WHERE kind = 'request' AND hour >= ?")
      .get(at - (at % HOUR));
    return (hourly as { usd: number }).usd;
  }

  hourly(from: number, to: number): HourlyRow[] {
    this.flush();
    return this.db
      .prepare("SELECT * FROM hourly WHERE hour >= ? AND hour < ? ORDER BY hour")
      .all(from - (from % HOUR), to) as unknown as HourlyRow[];
  }

  /** Decisions, newest first. */
  decisions(filter: {
    before?: number;
    limit?: number;
    level?: string;
    checkpoint?: string;
    session?: string;
  }): (Omit<DecisionRow, "routers"> & { id: number; routers: string })[] {
    this.flush();
    const where: string[] = [];
    const values: (string | number)[] = [];
    const add = (sql: string, value: string | number | undefined) => {
      if (value === undefined) return;
      where.push(sql);
      values.push(value);
    };
    add("id < ?", filter.before);
    add("level = ?", filter.level);
    add("checkpoint = ?", filter.checkpoint);
    add("session = ?", filter.session);
    const sql = `SELECT * FROM decisions ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""} ORDER BY id DESC LIMIT ?`;
    return this.db.prepare(sql).all(...values, Math.min(filter.limit ?? 100, 1_000)) as never;
  }

  /** Requests, newest first. */
  requests(filter: { before?: number; limit?: number; session?: string }): Record<string, unknown>[] {
    this.flush();
    const bySession = filter.session === undefined ? "" : "AND session = ?";
    const values: (string | number)[] = [filter.before ?? Number.MAX_SAFE_INTEGER];
    if (filter.session !== undefined) values.push(filter.session);
    return this.db
      .prepare(`SELECT * FROM requests WHERE id < ? ${bySession} ORDER BY id DESC LIMIT ?`)
      .all(...values, Math.min(filter.limit ?? 100, 1_000)) as Record<string, unknown>[];
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const work = this.pending.splice(0);
    if (work.length === 0 || !this.db.isOpen) return;
    this.db.exec("BEGIN IMMEDIATE");
    try {
      for (const write of work) write();
      this.db.exec("COMMIT");
    } catch (error) {
      if (this.db.isTransaction) this.db.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.flush();
    if (this.db.isOpen) this.db.close();
  }

  private later(write: () => void): void {
    this.pending.push(write);
    this.timer ??= setTimeout(() => {
      try {
        this.flush();
      } catch {
        // A locked or full disk costs statistics, never a turn.
      }
    }, FLUSH_MS).unref();
  }

  private writeRequest(forward: ForwardEvent, end: EndEvent): void {
    const usd = end.outcome === "ok" ? this.options.price(forward, end) : 0;
    const usage = end.usage;
    this.sql.request.run(
      forward.requestId,
      forward.at,
      text(forward.session),
      text(forward.providerId),
      text(forward.model),
      forward.api,
      forward.local ? 1 : 0,
      forward.level,
      JSON.stringify(forward.replaced),
      null,
      end.status ?? null,
      end.outcome,
      end.restored,
      usage?.inputTokens ?? null,
      usage?.outputTokens ?? null,
      usage?.cacheReadTokens ?? null,
      usage?.cacheWriteTokens ?? null,
      usd ?? null,
      forward.inspectMs,
      end.ttfbMs ?? null,
      end.durationMs,
      text(forward.degraded),
      forward.reasons.join("; "),
    );
    const route = forward.local ? "local" : Object.keys(forward.replaced).length > 0 ? "redacted" : "cloud";
    this.sum(
      forward.at,
      "request",
      forward.level,
      route,
      forward.providerId,
      forward.model,
      undefined,
      usage,
      usd,
      end.durationMs,
    );
  }

  private writeRefused(event: RefusedEvent): void {
    this.sql.request.run(
      event.requestId,
      event.at,
      text(event.session),
      text(event.providerId),
      null,
      null,
      null,
      text(event.level),
      null,
      event.code,
      event.status,
      "refused",
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      null,
      event.detail,
    );
    this.sum(
      event.at,
      "refused",
      event.level ?? "",
      "blocked",
      event.providerId,
      undefined,
      undefined,
      undefined,
      0,
      0,
    );
  }

  private sum(
    at: number,
    kind: string,
    level: string,
    route: string,
    provider: string | undefined,
    model: string | undefined,
    tier: string | undefined,
    usage: EndEvent["usage"],
    usd: number | undefined,
    ms: number,
  ): void {
    this.sql.hourly.run(
      at - (at % HOUR),
      kind,
      level,
      route,
      provider ?? "",
      model ?? "",
      tier ?? "",
      usage?.inputTokens ?? 0,
      usage?.outputTokens ?? 0,
      usage?.cacheReadTokens ?? 0,
      usage?.cacheWriteTokens ?? 0,
      usd ?? 0,
      usd === undefined ? 1 : 0,
      ms,
    );
  }
}

function text(value: string | undefined): string | null {
  return value ?? null;
}
