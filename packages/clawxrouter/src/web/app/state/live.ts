/** The activity stream: what happens in the gateway, as it happens. The browser resumes it after a lost connection. */
import { signal } from "@preact/signals";
import type { StreamEvent, StreamEventName } from "../../contract.ts";
import type { RouteName } from "../../routes.ts";
import { addressOf } from "../api/client.ts";
import { loadSession } from "./session.ts";

export type LiveState = "connecting" | "on" | "off";
type DataOf<E extends StreamEventName> = Extract<StreamEvent, { event: E }>["data"];
type Listener<E extends StreamEventName> = (data: DataOf<E>) => void;

const NAMES = [
  "hello",
  "detection",
  "request",
  "posture",
  "config",
  "prompts",
  "reset",
] as const satisfies readonly StreamEventName[];
/** The browser gives up on an answer that is no stream (503, a restart): we try again after this. */
const RETRY_MS = 3_000;

export interface Stream {
  close(): void;
}

/**
 * Listens to a stream until closed.
 * @param on one function an event; an event that is not one of the contract's is not listened to
 */
export function openStream(
  route: Extract<RouteName, "activityStream" | "sessionStream">,
  query: Readonly<Record<string, string | undefined>>,
  on: { [E in StreamEventName]?: Listener<E> },
  state: (state: LiveState) => void = () => {},
): Stream {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let cursor: string | undefined;
  let closed = false;

  const connect = () => {
    state("connecting");
    source = new EventSource(addressOf(route, { ...query, lastEventId: cursor }));
    for (const name of NAMES) source.addEventListener(name, (message) => receive(name, message));
    source.onopen = () => state("on");
    source.onerror = () => {
      if (source?.readyState !== EventSource.CLOSED) return state("connecting");
      state("off");
      // Ended for good: the session may be over, which every other request would tell as well.
      void loadSession().catch(() => {});
      timer = setTimeout(connect, RETRY_MS);
    };
  };
  const receive = (name: StreamEventName, message: MessageEvent<string>) => {
    if (message.lastEventId !== "") cursor = message.lastEventId;
    // The gateway keeps the contract; each event has the shape of its name.
    (on[name] as ((data: unknown) => void) | undefined)?.(JSON.parse(message.data));
  };

  connect();
  return {
    close() {
      if (closed) return;
      closed = true;
      clearTimeout(timer);
      source?.close();
    },
  };
}

export const liveState = signal<LiveState>("connecting");

const listeners = new Map<StreamEventName, Set<(data: unknown) => void>>();

/** Hears one kind of event of the activity stream until the returned function is called. */
export function onLive<E extends StreamEventName>(event: E, listener: Listener<E>): () => void {
  const all = listeners.get(event) ?? new Set();
  listeners.set(event, all);
  const entry = listener as (data: unknown) => void;
  all.add(entry);
  return () => all.delete(entry);
}

/** Started once somebody is signed in. */
export function startLive(): Stream {
  const tell = (name: StreamEventName) => (data: unknown) => {
    for (const listener of listeners.get(name) ?? []) listener(data);
  };
  return openStream(
    "activityStream",
    {},
    Object.fromEntries(NAMES.map((name) => [name, tell(name)])),
    (next) => {
      liveState.value = next;
    },
  );
}
