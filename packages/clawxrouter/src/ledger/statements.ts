/** The statements that write the ledger, prepared once. */
import type { DatabaseSync } from "node:sqlite";

const sumInto = (table: string) =>
  `INSERT INTO ${table} (hour, kind, level, route, provider, model, tier, n, failed, input, output, cacheRead, cacheWrite, usd, unpriced, compared, comparedUsd, baselineUsd, ms)
   VALUES (?, ?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
   ON CONFLICT DO UPDATE SET n = n + 1, failed = failed + excluded.failed, input = input + excluded.input, output = output + excluded.output,
     cacheRead = cacheRead + excluded.cacheRead, cacheWrite = cacheWrite + excluded.cacheWrite, usd = usd + excluded.usd,
     unpriced = unpriced + excluded.unpriced, compared = compared + excluded.compared, comparedUsd = comparedUsd + excluded.comparedUsd,
     baselineUsd = baselineUsd + excluded.baselineUsd, ms = ms + excluded.ms`;

const measureInto = (table: string) =>
  `INSERT INTO ${table} (hour, kind, bucket, n, total, max) VALUES (?, ?, ?, 1, ?, ?)
   ON CONFLICT DO UPDATE SET n = n + 1, total = total + excluded.total, max = max(max, excluded.max)`;

export type Statements = ReturnType<typeof statements>;

export function statements(db: DatabaseSync) {
  return {
    decision: db.prepare(
      `INSERT INTO decisions (at, session, agent, run, checkpoint, level, action, router, route, provider, model, tier, tool, reason, degraded, ms, routers, rules, text, truncated)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    request: db.prepare(
      `INSERT OR IGNORE INTO requests (request, at, session, run, provider, model, api, endpoint, route, level, replaced, refused, status, outcome, restored,
           input, output, cacheRead, cacheWrite, usd, inspectMs, ttfbMs, ms, degraded, detail, sent)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    hourly: db.prepare(sumInto("hourly")),
    daily: db.prepare(sumInto("daily")),
    spend: db.prepare(
      "INSERT INTO spend (hour, usd) VALUES (?, ?) ON CONFLICT DO UPDATE SET usd = usd + excluded.usd",
    ),
    latency: db.prepare(measureInto("latency")),
    latencyDaily: db.prepare(measureInto("latencyDaily")),
    sessionDecision: db.prepare(
      `INSERT INTO sessions (key, agent, firstAt, lastAt, level, turns, requests, s1, s2, s3, input, output, cacheRead, cacheWrite, usd, unpriced)
         VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, 0, 0, 0, 0, 0, 0)
         ON CONFLICT DO UPDATE SET agent = coalesce(agent, excluded.agent), lastAt = max(lastAt, excluded.lastAt), level = max(level, excluded.level),
           turns = turns + excluded.turns, s1 = s1 + excluded.s1, s2 = s2 + excluded.s2, s3 = s3 + excluded.s3`,
    ),
    sessionRequest: db.prepare(
      `INSERT INTO sessions (key, agent, firstAt, lastAt, level, turns, requests, s1, s2, s3, input, output, cacheRead, cacheWrite, usd, unpriced)
         VALUES (?, NULL, ?, ?, 'S1', 0, 1, 0, 0, 0, ?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET lastAt = max(lastAt, excluded.lastAt), requests = requests + 1, input = input + excluded.input,
           output = output + excluded.output, cacheRead = cacheRead + excluded.cacheRead, cacheWrite = cacheWrite + excluded.cacheWrite,
           usd = usd + excluded.usd, unpriced = unpriced + excluded.unpriced`,
    ),
    rule: db.prepare("INSERT INTO rules (rule, n) VALUES (?, 1) ON CONFLICT DO UPDATE SET n = n + 1"),
    feedback: db.prepare("UPDATE decisions SET feedback = ? WHERE id = ?"),
    audit: db.prepare("INSERT INTO audit (at, action, source, detail) VALUES (?, ?, ?, ?)"),
  };
}
