import { hash } from "node:crypto";
import {
  type Excluded,
  type Leaf,
  openPayload,
  type Path,
  type Payload,
  type PrivateLevel,
  type WireProtocol,
} from "@clawx/shared-security";
import { isObject, type Json, type JsonObject } from "../json.ts";
import { stringifyInTurns } from "./large-json.ts";
import { isName, type NameCheck } from "./names.ts";
import { SPLIT_MARK } from "./places.ts";
import { RefusedError } from "./refused-error.ts";
import { dropTools, isToolChoice, isToolPath } from "./tools.ts";
import { Turns } from "./turns.ts";
import { mayNotStay, type WireCheck, type WireHit } from "./wire-check.ts";

/** What stands in the place of a text that holds a private value in a form that cannot be taken out of it. */
export const WITHHELD =
  "[此处文字含私密内容，已由 ClawXRouter 隐去 / text withheld by ClawXRouter: it holds a private value]";
/** What stands in the place of a property name, or of the name of a tool that was called. */
const WITHHELD_NAME = "withheld";

/** Values taken out of one text one by one; with more the text goes as a whole. */
const MAX_PIECES = 100;
/** Texts longer than this are not taken apart, in UTF-16 units. */
const LONG = 256 * 1024;
/** Places outside of single texts that are mended; a body with more is not sent. */
const MAX_PLACES = 50;

/** A body that holds no known value any more, and what was taken out of it. */
export interface Withheld {
  body: JsonObject;
  /** What of the new body is left as it is: ids, names, words of the protocol. */
  excluded: readonly Excluded[];
  /** Types of the values, and how private each is. */
  types: Map<string, PrivateLevel>;
}

/**
 * The last resort for values that redaction did not see and the last check did: a form that only shows in the bytes
 * as sent, a part of a value that became a value of its own. What holds them is taken out, so that neither the value
 * leaves nor the conversation is stopped: the value itself, else its whole text; a tool whose definition names it.
 *
 * @throws RefusedError `final-check` when a value stands in what cannot change: a model, the schema of the answer
 */
export async function withhold(
  body: JsonObject,
  protocol: WireProtocol,
  wire: WireCheck,
  names: NameCheck,
  models: ReadonlySet<string>,
): Promise<Withheld> {
  await wire.follow();
  const types = new Map<string, PrivateLevel>();
  const inTexts = await withoutValues(openPayload(body, protocol), body, wire, types);
  const inNames = await withoutNames(inTexts, protocol, names, models, types);
  const mended = await withoutPlaces(inNames, protocol, lookFor(wire, models), types);
  return { body: mended, excluded: openPayload(mended, protocol).excluded, types };
}

/** Looks at each text by itself. */
async function withoutValues(
  payload: Payload,
  body: JsonObject,
  wire: WireCheck,
  types: Map<string, PrivateLevel>,
): Promise<JsonObject> {
  const turns = new Turns();
  const texts = new Map<Leaf, string>();
  for (const leaf of payload.leaves) {
    if (turns.due()) await turns.pause();
    const text = leaf.text.length > LONG ? await cleanedLong(leaf, wire, types) : cleaned(leaf, wire, types);
    if (text !== leaf.text) texts.set(leaf, text);
  }
  return rewritten(payload, body, texts);
}

/** A text too long to be searched again and again goes as a whole. */
async function cleanedLong(
  { text }: Leaf,
  wire: WireCheck,
  types: Map<string, PrivateLevel>,
): Promise<string> {
  const hit = (await wire.find([text])) ?? (await wire.find([await stringifyInTurns(text, text.length)]));
  if (!hit) return text;
  note(types, hit);
  return WITHHELD;
}

function cleaned({ text, kind }: Leaf, wire: WireCheck, types: Map<string, PrivateLevel>): string {
  let rest = text;
  for (let count = 0; count < MAX_PIECES; count += 1) {
    const match = wire.match(rest);
    if (!match) {
      const escaped = wire.match(JSON.stringify(rest));
      if (!escaped) return rest;
      note(types, escaped.tag);
      break;
    }
    note(types, match.tag);
    if (kind === "key") return WITHHELD_NAME;
    rest = rest.slice(0, match.start) + SPLIT_MARK + rest.slice(match.end);
  }
  return kind === "key" ? WITHHELD_NAME : WITHHELD;
}

/** Looks at ids, names, schemas and property names. */
async function withoutNames(
  body: JsonObject,
  protocol: WireProtocol,
  names: NameCheck,
  models: ReadonlySet<string>,
  types: Map<string, PrivateLevel>,
): Promise<JsonObject> {
  const { excluded } = openPayload(body, protocol);
  const turns = new Turns();
  const tools: Path[] = [];
  let out = body;
  for (const place of excluded) {
    if (turns.due()) await turns.pause();
    const found = isName(place, models) ? await names.find(names.of([place.text]), turns) : undefined;
    if (!found) continue;
    note(types, found);
    const [top] = place.path;
    if (isToolPath(place.path)) tools.push(place.path);
    else if (isToolChoice(top)) out = without(out, String(top));
    else if (place.why === "name" && setAt(out, place.path, WITHHELD_NAME)) continue;
    else if (place.why === "id" && place.path.length > 1 && setAt(out, place.path, otherId(place.text)))
      continue;
    else throw refused(found.type, place.path);
  }
  for (const [key, path] of keyPlaces(out)) {
    if (turns.due()) await turns.pause();
    const found = await names.find(names.of([key]), turns);
    if (!found) continue;
    note(types, found);
    if (!isToolPath(path)) throw refused(found.type, path);
    tools.push(path);
  }
  return dropTools(out, tools);
}

/** Looks at what is left in the bytes as sent: values that only the whole shows. */
async function withoutPlaces(
  body: JsonObject,
  protocol: WireProtocol,
  look: Look,
  types: Map<string, PrivateLevel>,
): Promise<JsonObject> {
  let out = body;
  for (let count = 0; count < MAX_PLACES; count += 1) {
    const hit = await look(out);
    if (!hit) return out;
    note(types, hit);
    const path = await deepest(out, look);
    if (isToolPath(path)) {
      out = dropTools(out, [path]);
      continue;
    }
    const payload = openPayload(out, protocol);
    const texts = new Map<Leaf, string>();
    for (const leaf of payload.leaves) {
      const place = leaf.path();
      if (path.every((step, index) => step === place[index]))
        texts.set(leaf, leaf.kind === "key" ? WITHHELD_NAME : WITHHELD);
    }
    const next = rewritten(payload, out, texts);
    // A string whose texts inside are all gone and that still holds the value has it in its JSON: it goes as a whole.
    if (texts.size > 0 && typeof valueAt(next, path) === "string" && (await look(next)))
      setAt(next, path, WITHHELD);
    if (texts.size === 0) {
      // A count or a limit: any other number is as good, but for the value.
      if (typeof valueAt(out, path) !== "number" || !setAt(out, path, 0)) throw refused(hit.type, path);
      continue;
    }
    out = next;
  }
  const hit = await look(out);
  if (hit) throw refused(hit.type, []);
  return out;
}

/** Looks for a private value in JSON as it is sent. */
type Look = (value: Json | undefined) => Promise<WireHit | undefined>;

function lookFor(wire: WireCheck, models: ReadonlySet<string>): Look {
  const counts = mayNotStay(models);
  return async (value) => wire.find([await stringifyInTurns(value ?? null, UNKNOWN_SIZE)], counts);
}

/** Written in turns, whatever its size. */
const UNKNOWN_SIZE = Number.POSITIVE_INFINITY;

/** Path to the smallest value that holds a private one. */
async function deepest(body: JsonObject, look: Look): Promise<Path> {
  const path: (string | number)[] = [];
  let at: Json | undefined = body;
  for (;;) {
    const inside = await holding(entriesOf(at), look);
    if (!inside) return path;
    path.push(inside[0]);
    at = inside[1];
  }
}

async function holding(entries: readonly Entry[], look: Look): Promise<Entry | undefined> {
  for (const entry of entries) if (await look(entry[1])) return entry;
  return undefined;
}

type Entry = [key: string | number, value: Json | undefined];

function entriesOf(value: Json | undefined): Entry[] {
  if (Array.isArray(value)) return value.map((item, index) => [index, item]);
  return isObject(value) ? Object.entries(value) : [];
}

/** Every property name and where it is. */
function* keyPlaces(value: Json | undefined, path: Path = []): Generator<[string, Path]> {
  for (const [key, item] of entriesOf(value)) {
    const place = [...path, key];
    if (typeof key === "string") yield [key, place];
    if (typeof item === "object" && item !== null) yield* keyPlaces(item, place);
  }
}

function rewritten(payload: Payload, body: JsonObject, texts: ReadonlyMap<Leaf, string>): JsonObject {
  if (texts.size === 0) return body;
  const { body: made } = payload.rewrite((leaf) => texts.get(leaf) ?? leaf.text);
  return made as JsonObject;
}

function without(body: JsonObject, key: string): JsonObject {
  const { [key]: _, ...rest } = body;
  return rest;
}

function valueAt(body: JsonObject, path: Path): Json | undefined {
  let at: Json | undefined = body;
  for (const step of path) {
    if (Array.isArray(at)) at = at[Number(step)];
    else if (isObject(at)) at = at[step];
    else return undefined;
  }
  return at;
}

/** Changes a value of the body in place. @returns false when the path leads into one (JSON in JSON) */
function setAt(body: JsonObject, path: Path, text: Json): boolean {
  const holder = valueAt(body, path.slice(0, -1));
  const last = path.at(-1);
  if (last === undefined) return false;
  if (Array.isArray(holder)) holder[Number(last)] = text;
  else if (isObject(holder)) holder[last] = text;
  else return false;
  return true;
}

/**
 * An id in the place of one that holds a private value, the same wherever that one stands: a call and its result stay
 * together. The kind that it begins with (`call_`, `toolu_`) stays, for providers ask for it.
 */
function otherId(id: string): string {
  const kind = /^[a-z]{1,6}_/.exec(id)?.[0] ?? "";
  return kind + hash("sha256", id, "hex").slice(0, 24);
}

function note(
  types: Map<string, PrivateLevel>,
  { type, level }: { type: string; level: PrivateLevel },
): void {
  if (types.get(type) !== "S3") types.set(type, level);
}

function refused(type: string, path: Path): RefusedError {
  // Names of properties may be private themselves: only those of the protocol are told.
  const place = path
    .map((step) => (typeof step === "number" || /^[a-z_]{1,24}$/i.test(step) ? step : "?"))
    .join(".");
  return new RefusedError(
    "final-check",
    `a value of type ${type} stands where it cannot be replaced${place === "" ? "" : ` (${place})`}`,
  );
}
