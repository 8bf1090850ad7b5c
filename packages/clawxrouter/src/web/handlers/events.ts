/** Sessions, detections, requests, and the streams of them. */
import type { Dashboard, Handlers } from "../context.ts";
import { CHECKPOINT_NAMES } from "../contract.ts";
import { ApiError } from "../http/errors.ts";
import { idCursor, placeCursor, sessionCursor, sessionCursorOf } from "../paging.ts";
import { detectionOf, requestOf, sessionItemOf } from "../present.ts";
import { sessionKeysOf } from "../session-keys.ts";

const PAGE = 50;

export const eventHandlers: Handlers<
  | "sessions"
  | "sessionDetections"
  | "sessionStream"
  | "activityStream"
  | "detections"
  | "detection"
  | "facets"
  | "requests"
  | "reveal"
> = {
  async sessions({ dashboard: { engine, worker }, query }) {
    const limit = query.limit ?? PAGE;
    engine.ledger().settle();
    const rows = await worker.ask("sessions", {
      limit: limit + 1,
      text: query.text === "" ? undefined : query.text,
      cursor: sessionCursor(query.cursor, engine),
    });
    const last = rows.length > limit ? rows[limit - 1] : undefined;
    return {
      items: rows
        .slice(0, limit)
        .map((row) => sessionItemOf(row, engine.turns.inSession(row.key) !== undefined, engine)),
      next: last === undefined ? null : sessionCursorOf(last, engine),
    };
  },

  sessionDetections({ dashboard: { engine }, query }) {
    const { items, next } = engine.ledger().timeline({
      session: sessionKeysOf(engine).open(query.key),
      run: query.loopId,
      before: placeCursor(query.cursor),
      limit: query.limit ?? PAGE,
    });
    return {
      items: items.map((item) =>
        item.kind === "decision" ? detectionOf(item.row, engine) : requestOf(item.row, engine),
      ),
      next: next === undefined ? null : `${next.decision}-${next.request}`,
    };
  },

  sessionStream({ dashboard, query, request, response, session }) {
    dashboard.hub.open(
      response,
      session?.id ?? "",
      { session: sessionKeysOf(dashboard.engine).open(query.key), run: query.loopId },
      lastEventId(request.headers["last-event-id"], query.lastEventId),
    );
    return undefined;
  },

  activityStream({ dashboard, query, request, response, session }) {
    dashboard.hub.open(
      response,
      session?.id ?? "",
      undefined,
      lastEventId(request.headers["last-event-id"], query.lastEventId),
    );
    return undefined;
  },

  async detections({ dashboard: { engine, worker }, query }) {
    const { limit = PAGE, cursor, text, ...filter } = query;
    engine.ledger().settle();
    const rows = await worker.ask("search", {
      ...filter,
      session: filter.session === undefined ? undefined : sessionKeysOf(engine).open(filter.session),
      text: text === undefined || text.trim() === "" ? undefined : text,
      before: idCursor(cursor),
      limit: limit + 1,
    });
    return {
      items: rows.slice(0, limit).map((row) => detectionOf(row, engine)),
      next: rows.length > limit ? String(rows[limit - 1]?.id) : null,
    };
  },

  detection: ({ dashboard, query }) => detectionOf(decisionRow(dashboard, query.id), dashboard.engine),

  async facets({ dashboard: { engine, worker } }) {
    engine.ledger().settle();
    const { rules, counts } = await worker.ask("facets", {});
    const of = (level: string) =>
      counts.filter((row) => row.level === level).reduce((sum, row) => sum + row.n, 0);
    return {
      rules,
      levels: { S1: of("S1"), S2: of("S2"), S3: of("S3") },
      checkpoints: Object.fromEntries(
        CHECKPOINT_NAMES.map((name) => [
          name,
          counts.filter((row) => row.kind === name).reduce((sum, row) => sum + row.n, 0),
        ]),
      ),
      total: counts.reduce((sum, row) => sum + row.n, 0),
    };
  },

  requests({ dashboard: { engine }, query }) {
    const limit = query.limit ?? PAGE;
    const before = idCursor(query.cursor);
    const rows = engine.ledger().requests({
      limit: limit + 1,
      ...(before === undefined ? {} : { before }),
      ...(query.session === undefined ? {} : { session: sessionKeysOf(engine).open(query.session) }),
      ...(query.loopId === undefined ? {} : { run: query.loopId }),
    });
    return {
      items: rows.slice(0, limit).map((row) => requestOf(row, engine)),
      next: rows.length > limit ? String(rows[limit - 1]?.id) : null,
    };
  },

  reveal({ dashboard, body, local, audit }) {
    if (!local)
      throw new ApiError("not-local", "private text is shown only on the machine of the gateway", {
        fix: "open the page there, at http://127.0.0.1",
      });
    const keys = sessionKeysOf(dashboard.engine);
    const record = (what: string) => {
      // Told before it is shown: a record that cannot be written is no record.
      if (!audit("reveal", what))
        throw new ApiError("unavailable", "that it is shown cannot be written down now, so it is not shown", {
          fix: "see to the gateway's disk: it is full, or another program holds the ledger",
          retryAfterMs: 2_000,
        });
    };
    if ("session" in body) {
      const key = keys.open(body.session);
      record(`session ${keys.masked(key)}`);
      dashboard.engine.log.info("clawxrouter: dashboard: the key of a session was revealed");
      return { text: key };
    }
    const row = decisionRow(dashboard, body.detection);
    if (row.text === null) throw new ApiError("not-found", "the text of this detection was not kept");
    record(`detection ${row.id}, session ${keys.masked(row.session ?? "-")}`);
    dashboard.engine.log.info(`clawxrouter: dashboard: private text of detection ${row.id} was revealed`);
    return { text: dashboard.engine.conversation(row.session ?? "").restore(row.text) };
  },
};

export function decisionRow({ engine }: Dashboard, id: number) {
  const row = engine.ledger().decisionById(id);
  if (row === undefined) throw new ApiError("not-found", `there is no detection ${id} (any more)`);
  return row;
}

/** EventSource sends the header by itself when it comes back; that one is newer. */
function lastEventId(header: string | string[] | undefined, query: string | undefined): string | undefined {
  return (Array.isArray(header) ? header[0] : header) ?? query;
}
