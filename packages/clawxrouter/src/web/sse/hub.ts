/**
 * Server-Sent Events. Rows are read from the ledger by their ids, so a stream that was cut goes on where it stood, and
 * what another process wrote is told, too. Nothing is done while nobody listens.
 */
import type { ServerResponse } from "node:http";
import type { Engine } from "../../engine/engine.ts";
import type { Place } from "../../ledger/queries.ts";
import type { StreamEvent } from "../contract.ts";
import { ApiError } from "../http/errors.ts";
import { detectionOf, requestOf } from "../present.ts";

/** Streams in all, and of one session. */
export const MAX_STREAMS = 48;
export const MAX_STREAMS_A_SESSION = 12;
const TICK_MS = 400;
const HEARTBEAT_MS = 15_000;
/** How often it is looked whether those who listen are still signed in. */
const SESSIONS_MS = 2_000;
/** Rows told at a time; a client that is further behind loads its lists anew. */
const MOST_ROWS = 200;
/** A client that does not read is cut off; it comes back with its cursor. */
const MOST_BUFFERED = 1024 * 1024;

export interface StreamFilter {
  session?: string | undefined;
  run?: string | undefined;
}

interface Client {
  response: ServerResponse;
  sessionId: string;
  /** Undefined: everything, with the state of the gateway beside. */
  filter: StreamFilter | undefined;
  place: Place;
  /** The ledger that the place is one of. */
  ledger: string;
}

export class StreamHub {
  private readonly engine: Engine;
  private readonly clients = new Set<Client>();
  private timer: NodeJS.Timeout | undefined;
  private beat = 0;
  private looked = 0;
  private told: Record<string, string> = {};
  /** State that is told when it changes: event name -> data. */
  private readonly states: () => readonly StreamEvent[];
  private readonly isSignedIn: (sessionId: string) => boolean;

  /** @param isSignedIn live: a session ends by time, by a new token of the gateway, and when there are too many */
  constructor(
    engine: Engine,
    states: () => readonly StreamEvent[],
    isSignedIn: (sessionId: string) => boolean,
  ) {
    this.engine = engine;
    this.states = states;
    this.isSignedIn = isSignedIn;
  }

  /**
   * Begins a stream; the response belongs to the hub from here on.
   * @param lastEventId cursor of an earlier stream
   * @throws ApiError when there are too many
   */
  open(
    response: ServerResponse,
    sessionId: string,
    filter: StreamFilter | undefined,
    lastEventId: string | undefined,
  ): void {
    const own = [...this.clients].filter((client) => client.sessionId === sessionId).length;
    if (this.clients.size >= MAX_STREAMS || own >= MAX_STREAMS_A_SESSION) {
      throw new ApiError("too-many-streams", "too many streams are open", {
        fix: "close other tabs of the dashboard",
        retryAfterMs: 30_000,
      });
    }
    const now = this.engine.ledger().place();
    const ledger = this.engine.ledger().id();
    const cursor = placeOf(lastEventId, ledger);
    const resumed = cursor !== undefined && cursor.decision <= now.decision && cursor.request <= now.request;
    const client: Client = { response, sessionId, filter, place: resumed ? cursor : now, ledger };
    response.statusCode = 200;
    response.setHeader("content-type", "text/event-stream; charset=utf-8");
    response.setHeader("x-accel-buffering", "no");
    response.flushHeaders();
    response.socket?.setNoDelay(true);
    response.on("close", () => this.drop(client));
    response.on("error", () => this.drop(client));
    this.clients.add(client);
    // With an id: a stream that is cut before the first event resumes from here.
    this.write(client, { event: "hello", data: { cursor: cursorOf(client), resumed } }, cursorOf(client));
    // A place of another ledger, or beyond the end of this one: what the page shows was deleted since.
    if (lastEventId !== undefined && !resumed)
      this.write(client, { event: "reset", data: { reason: "deleted" } });
    if (filter === undefined) for (const state of this.states()) this.write(client, state);
    this.start();
  }

  /** Ends the streams of a session that was signed out. */
  endSession(sessionId: string): void {
    for (const client of this.clients) if (client.sessionId === sessionId) this.drop(client);
  }

  /** All lists must be loaded anew: the statistics were deleted. */
  reset(): void {
    const place = this.engine.ledger().place();
    const ledger = this.engine.ledger().id();
    for (const client of this.clients) {
      client.place = { ...place };
      client.ledger = ledger;
      this.write(client, { event: "reset", data: { reason: "deleted" } }, cursorOf(client));
    }
  }

  size(): number {
    return this.clients.size;
  }

  stop(): void {
    for (const client of this.clients) this.drop(client);
    clearInterval(this.timer);
    this.timer = undefined;
  }

  private start(): void {
    if (this.timer !== undefined) return;
    this.remember(this.states());
    this.timer = setInterval(() => this.tick(), TICK_MS).unref();
  }

  private tick(): void {
    if (this.clients.size === 0) {
      clearInterval(this.timer);
      this.timer = undefined;
      return;
    }
    this.looked += TICK_MS;
    if (this.looked >= SESSIONS_MS) {
      this.looked = 0;
      for (const client of this.clients) if (!this.isSignedIn(client.sessionId)) this.drop(client);
    }
    try {
      const ledger = this.engine.ledger().id();
      if ([...this.clients].some((client) => client.ledger !== ledger)) this.reset();
      for (const client of this.clients) this.tell(client);
      const states = this.states();
      const changed = states.filter((state) => this.told[state.event] !== JSON.stringify(state.data));
      this.remember(states);
      for (const client of this.clients)
        if (client.filter === undefined) for (const state of changed) this.write(client, state);
    } catch {
      // A locked ledger: the next tick tells it.
    }
    this.beat += TICK_MS;
    if (this.beat < HEARTBEAT_MS) return;
    this.beat = 0;
    for (const client of this.clients) this.raw(client, ": alive\n\n");
  }

  private remember(states: readonly StreamEvent[]): void {
    this.told = Object.fromEntries(states.map(({ event, data }) => [event, JSON.stringify(data)]));
  }

  private tell(client: Client): void {
    const fresh = this.engine.ledger().after(client.place, client.filter ?? {}, MOST_ROWS);
    if (fresh.decisions.length === MOST_ROWS || fresh.requests.length === MOST_ROWS) {
      client.place = { ...this.engine.ledger().place() };
      this.write(client, { event: "reset", data: { reason: "behind" } }, cursorOf(client));
      return;
    }
    const { engine } = this;
    const events: { at: number; move: (place: Place) => void; event: StreamEvent }[] = [
      ...fresh.decisions.map((row) => ({
        at: row.at,
        move: (place: Place) => {
          place.decision = row.id;
        },
        event: { event: "detection" as const, data: detectionOf(row, engine) },
      })),
      ...fresh.requests.map((row) => ({
        at: row.at,
        move: (place: Place) => {
          place.request = row.id;
        },
        event: { event: "request" as const, data: requestOf(row, engine) },
      })),
    ];
    // Each table keeps its order: a sort by time alone could move the cursor past a row that is still to come.
    for (const { move, event } of mergeInOrder(events, fresh.decisions.length)) {
      move(client.place);
      this.write(client, event, cursorOf(client));
    }
  }

  private write(client: Client, { event, data }: StreamEvent, id?: string): void {
    // JSON has no line end in it, so one data line holds all of it.
    this.raw(
      client,
      `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`,
    );
  }

  private raw(client: Client, text: string): void {
    const { response } = client;
    if (response.destroyed) return;
    if (response.writableLength > MOST_BUFFERED) this.drop(client);
    else response.write(text);
  }

  private drop(client: Client): void {
    this.clients.delete(client);
    if (!client.response.destroyed) client.response.destroy();
  }
}

function mergeInOrder<T extends { at: number }>(events: readonly T[], first: number): T[] {
  const [left, right] = [events.slice(0, first), events.slice(first)];
  const merged: T[] = [];
  let [l, r] = [0, 0];
  for (;;) {
    const [a, b] = [left[l], right[r]];
    if (a !== undefined && (b === undefined || a.at <= b.at)) {
      merged.push(a);
      l += 1;
    } else if (b !== undefined) {
      merged.push(b);
      r += 1;
    } else return merged;
  }
}

function cursorOf({ place, ledger }: Client): string {
  return `${place.decision}-${place.request}-${markOf(ledger)}`;
}

/** @returns undefined for what is no place of this ledger */
function placeOf(cursor: string | undefined, ledger: string): Place | undefined {
  const [, decision, request, mark] = /^(\d{1,15})-(\d{1,15})-([0-9a-f]{0,8})$/.exec(cursor ?? "") ?? [];
  return mark === markOf(ledger) ? { decision: Number(decision), request: Number(request) } : undefined;
}

/** A piece of the ledger's name. */
function markOf(ledger: string): string {
  return ledger.replaceAll("-", "").slice(0, 8);
}
