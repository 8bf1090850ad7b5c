import type { TextStream } from "@clawx/shared-security";
import { asObject, isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import type { DeltaSlot, Protocol } from "../protocols/types.ts";
import type { Restorer } from "./restorer.ts";

/** An event to send: `before` were made up to carry text that was held back. */
export interface RewrittenEvent {
  before: JsonObject[];
  event: JsonObject;
  changed: boolean;
}

interface Channel {
  restorer: TextStream;
  /** Last event that carried a piece of this channel: the pattern for one that carries the rest. */
  template: JsonObject;
}

/** Restores placeholders in the events of one stream, text by text, without waiting for the end of any. */
export class EventRewriter {
  readonly #protocol: Protocol;
  readonly #restorer: Restorer;
  readonly #jsonText: boolean;
  readonly #channels = new Map<string, Channel>();

  /** @param jsonText the caller asked for JSON: the text is a JSON document, too */
  constructor(protocol: Protocol, restorer: Restorer, jsonText = false) {
    this.#protocol = protocol;
    this.#restorer = restorer;
    this.#jsonText = jsonText;
  }

  /** Rewrites one event. The event is changed in place. */
  rewrite(event: JsonObject): RewrittenEvent {
    const plan = this.#protocol.plan(event);
    let changed = false;
    const here = new Map<string, DeltaSlot>();
    if (plan.whole) {
      const slotted = new Set(plan.slots.map((slot) => slot.get()));
      changed = restoreWhole(event, this.#protocol.jsonKeys, this.#restorer, slotted) || changed;
    } else {
      for (const part of wholesOf(event))
        changed = restoreWhole(part, this.#protocol.jsonKeys, this.#restorer) || changed;
    }
    for (const slot of plan.slots) {
      const piece = slot.get();
      here.set(slot.channel, slot);
      const restored = this.#channel(slot, event).restorer.push(piece);
      if (restored !== piece) {
        slot.set(restored);
        changed = true;
      }
    }
    const before: JsonObject[] = [];
    for (const name of this.#closing(plan.closes)) {
      const rest = this.#close(name);
      if (rest.text === "") continue;
      const slot = here.get(name);
      if (slot) {
        slot.set(slot.get() + rest.text);
        changed = true;
      } else {
        before.push(this.#carry(rest.template, name, rest.text));
      }
    }
    return { before, event, changed };
  }

  /** Events for what is still held back when the stream ends without saying so. */
  end(): JsonObject[] {
    const events: JsonObject[] = [];
    for (const name of [...this.#channels.keys()]) {
      const rest = this.#close(name);
      if (rest.text !== "") events.push(this.#carry(rest.template, name, rest.text));
    }
    return events;
  }

  #channel(slot: DeltaSlot, event: JsonObject): Channel {
    const known = this.#channels.get(slot.channel);
    if (known) {
      known.template = event;
      return known;
    }
    const kind = this.#jsonText ? "json" : slot.kind;
    const channel = { restorer: this.#restorer.stream(kind), template: event };
    this.#channels.set(slot.channel, channel);
    return channel;
  }

  #closing(closes: readonly string[] | "all"): string[] {
    const names = [...this.#channels.keys()];
    return closes === "all"
      ? names
      : names.filter((name) => closes.some((prefix) => name.startsWith(prefix)));
  }

  #close(name: string): { text: string; template: JsonObject } {
    const channel = this.#channels.get(name);
    this.#channels.delete(name);
    return { text: channel?.restorer.end() ?? "", template: channel?.template ?? {} };
  }

  /** A copy of an earlier event whose only text is `text`, in the slot of `channel`. */
  #carry(template: JsonObject, channel: string, text: string): JsonObject {
    const event = asObject(structuredClone(template)) ?? {};
    for (const slot of this.#protocol.plan(event).slots) slot.set(slot.channel === channel ? text : "");
    return event;
  }
}

/** What comes in one piece in any event: an error that quotes the request, sources, notes on what was said. */
function wholesOf(event: JsonObject): (JsonObject | Json[])[] {
  const parts: (JsonObject | Json[])[] = [];
  const take = (holder: JsonObject, key: string): void => {
    const value = holder[key];
    if (isObject(value) || Array.isArray(value)) parts.push(value);
  };
  for (const key of ["error", "citations", "search_results"]) take(event, key);
  for (const choice of Array.isArray(event.choices) ? event.choices : []) {
    const delta = isObject(choice) ? asObject(choice.delta) : undefined;
    if (delta) take(delta, "annotations");
  }
  return parts;
}

/**
 * Restores every string of a whole answer in place; values of `jsonKeys` as JSON text.
 * @param skip texts left alone (pieces that are handled elsewhere)
 * @returns true when something changed
 */
export function restoreWhole(
  value: JsonObject | Json[],
  jsonKeys: ReadonlySet<string>,
  restorer: Restorer,
  skip: ReadonlySet<string> = new Set(),
): boolean {
  let changed = false;
  const entries: Array<[string | number, Json | undefined]> = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : Object.entries(value);
  for (const [key, item] of entries) {
    if (typeof item === "string") {
      if (skip.has(item)) continue;
      const isJson = (typeof key === "string" && jsonKeys.has(key)) || isJsonText(item);
      const restored = restorer.whole(item, isJson ? "json" : "text");
      if (restored === item) continue;
      if (Array.isArray(value)) value[Number(key)] = restored;
      else value[key] = restored;
      changed = true;
    } else if (Array.isArray(item) || isObject(item)) {
      changed = restoreWhole(item, jsonKeys, restorer, skip) || changed;
    }
  }
  return changed;
}

/** True for a text that is itself a JSON document: a value put into it must be escaped to keep it one. */
function isJsonText(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false;
  const value = parseJson(text);
  return isObject(value) || Array.isArray(value);
}
