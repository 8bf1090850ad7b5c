import { base64Parts } from "../fold/base64.ts";
import { byteLists, textOfBytes } from "../fold/byte-lists.ts";
import { isJson, isJsonContainer, jsonLiterals } from "../json/text.ts";
import {
  base64Bytes,
  decodeBase64Text,
  isBase64,
  isTextType,
  kindOfMediaType,
  type MediaKind,
  parseDataUrl,
  sniffBase64,
} from "./media.ts";
import { collectSchema } from "./schema.ts";
import type { ObjectShape, Shape } from "./shape.ts";
import { type ContainerHolder, type Holder, isContainer, PlacedLeaf, pathTo } from "./tree.ts";
import type { Excluded, Leaf, LeafRole, Unscanned } from "./types.ts";

/** A body that cannot be walked; what it holds is unknown, so it must not leave. */
export class PayloadError extends Error {
  override name = "PayloadError";
}

/** A body of more texts is no request of a model API; walking it would hold up everybody else. */
const MAX_LEAVES = 60_000;
/** JSON inside of texts that is taken apart in one body, in UTF-16 units; what is beyond is read as text. */
const MAX_JSON = 2 * 1024 * 1024;

/** Deeper bodies are refused: no client makes them, and a walk must not overflow the stack. */
const MAX_DEPTH = 500;
/** Whole numbers from here on may be phone, card or document numbers. */
const LONG_NUMBER = 1_000_000;

/** A field of some protocol version we do not know; anything else as a property name may be a value. */
const FIELD_NAME = /^[A-Za-z_$][A-Za-z_$-]{0,63}\d{0,2}$/;

/** Counts, limits, times and seeds: numbers of the protocol, which are no text. */
const PROTOCOL_NUMBER =
  /(?:^|_)(?:seed|tokens?|n|k|ctx|predict|created|at|after|size|bytes|count|duration|timeout|length|ms|s)$|(?:Tokens?|Count|Size|Bytes|Time|Duration|Length|Budget|TopK)$/;

/** Of those the names of numbers that may be large. */
const LARGE_NUMBER = /(?:^|_)(?:seed|created|at|after|ms|s)$|(?:Time|Duration)$/;
/** Eleven digits. */
const NO_COUNT = 10_000_000_000;
/** A measure has few digits before its point, or few behind it. */
const LONG_FRACTION = /^-?(?=[\d.]{10,24}$)(?:\d{3,}\.\d{3,}|\d{10,}\.\d+)$/;

/** No signature and no cipher text is shorter, in characters. */
const SHORTEST_OPAQUE = 44;

const IDENTIFIER = /^[\w.:|/=+-]{1,512}$/;
const WORD = /^[\w./:-]{1,64}$/;
/** Model ids may hold a path or a tag; spaces and other prose are no model. */
const MODEL = /^[\w.:@/+-]{1,256}$/;

const TEXT: Shape = { is: "text" };

/** Goes through a body by its shape and notes every text, every medium and everything left alone. */
export class Collector {
  readonly leaves: PlacedLeaf[] = [];
  readonly unscanned: Unscanned[] = [];
  readonly excluded: Excluded[] = [];
  #zones = 0;
  #jsonLeft = MAX_JSON;

  /** @param holder of the container; `shape` of what is in it */
  container(holder: ContainerHolder, shape: Shape, role: LeafRole): void {
    if (holder.depth > MAX_DEPTH) {
      throw new PayloadError(
        `the JSON body is nested deeper than ${MAX_DEPTH} levels: it was not read and must not be sent`,
      );
    }
    if (shape.is === "schema") {
      collectSchema(this, holder);
      return;
    }
    if (shape.is === "data") {
      this.#data(holder, shape.role, this.#zones++, true);
      return;
    }
    if (Array.isArray(holder.value)) this.#array(holder, shape, role);
    else if (shape.is === "object") this.#object(holder, shape, role);
    else if (shape.is === "json") this.#data(holder, shape.role, this.#zones++, true);
    // An object where a plain field was expected: nothing is known about it.
    else this.#data(holder, shape.is === "text" ? (shape.role ?? role) : role, this.#zones++, false);
  }

  /** Any value at `slot` of `holder`. */
  value(holder: Holder, slot: string | number, value: unknown, shape: Shape, role: LeafRole): void {
    if (typeof value === "string") this.#string(holder, slot, value, shape, role);
    else if (isContainer(value)) this.container(below(holder, slot, value), shape, role);
    // A number where a text was expected (`user`, `metadata.user_id`) may be somebody's as well as one in free data.
    else if (isLongNumber(value) && (shape.is === "data" || !isProtocolNumber(String(slot), value))) {
      this.#leaf(holder, slot, {
        text: plainDigits(value),
        role,
        kind: "number",
        key: undefined,
        zone: undefined,
      });
    }
  }

  /** Note a text; JSON inside it is gone into. */
  text(
    holder: Holder,
    slot: string | number,
    text: string,
    role: LeafRole,
    data?: { key: string | undefined; zone: number },
  ): void {
    if (text === "" || this.#isMedia(holder, slot, text, role)) return;
    // Numbers that are the bytes of a text are read as a whole: none of them says anything.
    if (this.#mayTakeApart(text) && isJsonContainer(text) && byteLists(text).length === 0) {
      this.#json(holder, slot, text, role, data);
      return;
    }
    this.#leaf(holder, slot, {
      text,
      role,
      kind: data === undefined ? "text" : "data",
      key: data?.key,
      zone: data?.zone,
    });
  }

  /** Note a string that must stay as it is. */
  exclude(holder: Holder, slot: string | number, text: string, why: Excluded["why"]): void {
    this.excluded.push({ text, path: pathTo(holder, slot), why });
  }

  #array(holder: ContainerHolder, shape: Shape, role: LeafRole): void {
    const items = Object.values(holder.value);
    if (
      shape.is === "opaque" ||
      (shape.is !== "model" && items.length > 0 && items.every((item) => typeof item === "number"))
    ) {
      if (items.length > 0) this.#report("tokens", holder.parent ?? holder, holder.slot, "inline", undefined);
      return;
    }
    items.forEach((item, index) => {
      this.value(holder, index, item, shape, role);
    });
  }

  #object(holder: ContainerHolder, shape: ObjectShape, inherited: LeafRole): void {
    const object: Readonly<Record<string, unknown>> = holder.value as Readonly<Record<string, unknown>>;
    const role = (typeof shape.role === "function" ? shape.role(object) : shape.role) ?? inherited;
    for (const [key, value] of Object.entries(object)) {
      const field = Object.hasOwn(shape.fields, key) ? shape.fields[key] : undefined;
      if (field === undefined && !FIELD_NAME.test(key)) {
        this.#leaf(holder, key, { text: key, role, kind: "key", key: undefined, zone: undefined });
      }
      this.value(holder, key, value, field ?? shape.rest ?? TEXT, role);
    }
  }

  #string(holder: Holder, slot: string | number, text: string, shape: Shape, role: LeafRole): void {
    switch (shape.is) {
      case "model":
      case "id":
      case "word":
      case "name":
        if (patternOf(shape.is).test(text)) this.exclude(holder, slot, text, shape.is);
        else this.text(holder, slot, text, role);
        return;
      case "json":
        if (this.#mayTakeApart(text) && isJson(text) && byteLists(text).length === 0)
          this.#json(holder, slot, text, shape.role, undefined);
        else this.text(holder, slot, text, shape.role);
        return;
      case "data":
        this.text(holder, slot, text, shape.role);
        return;
      case "media":
        this.#media(holder, slot, text, shape.media, role);
        return;
      case "file-id":
        if (IDENTIFIER.test(text)) this.#report(shape.media, holder, slot, "id", undefined);
        else this.text(holder, slot, text, role);
        return;
      case "opaque":
        // Only what cannot be prose: a "signature" with words in it is text.
        if (IDENTIFIER.test(text) || isBase64(text)) {
          this.#report("opaque", holder, slot, "inline", text.length);
          // Too short for what a provider has encrypted or signed, or text in base64.
          if (text.length < SHORTEST_OPAQUE || base64Parts(text).length > 0)
            this.exclude(holder, slot, text, "id");
        } else this.text(holder, slot, text, role);
        return;
      case "schema":
        if (WORD.test(text)) this.exclude(holder, slot, text, "schema");
        else this.text(holder, slot, text, role);
        return;
      case "text":
        this.text(holder, slot, text, shape.role ?? role);
        return;
      case "object":
        this.text(holder, slot, text, (typeof shape.role === "string" ? shape.role : undefined) ?? role);
    }
  }

  /** Free-form data. `numbers`: all whole numbers count, not only those that are none of a protocol. */
  #data(holder: ContainerHolder, role: LeafRole, zone: number, numbers: boolean, key?: string): void {
    if (holder.depth > MAX_DEPTH) {
      throw new PayloadError(
        `the JSON body is nested deeper than ${MAX_DEPTH} levels: it was not read and must not be sent`,
      );
    }
    const isArray = Array.isArray(holder.value);
    for (const [slot, value] of Object.entries(holder.value)) {
      const place = isArray ? Number(slot) : slot;
      const name = isArray ? key : slot;
      if (!isArray && slot !== "")
        this.#leaf(holder, slot, { text: slot, role, kind: "key", key: undefined, zone });
      if (typeof value === "string") this.text(holder, place, value, role, { key: name, zone });
      else if (isContainer(value)) {
        const bytes = Array.isArray(value) ? textOfBytes(value) : undefined;
        if (bytes !== undefined) this.text(holder, place, bytes, role, { key: name, zone });
        else this.#data(below(holder, place, value), role, zone, numbers, name);
      } else if (isLongNumber(value) && (numbers || !PROTOCOL_NUMBER.test(name ?? ""))) {
        this.#leaf(holder, place, { text: plainDigits(value), role, kind: "number", key: name, zone });
      }
    }
  }

  #json(
    holder: Holder,
    slot: string | number,
    text: string,
    role: LeafRole,
    data: { zone: number } | undefined,
  ): void {
    this.#jsonLeft -= text.length;
    const literals = jsonLiterals(text);
    const inside: Holder = { kind: "json", parent: holder, slot, depth: holder.depth + 1, text, literals };
    if (inside.depth > MAX_DEPTH) {
      throw new PayloadError(
        `JSON inside JSON is nested deeper than ${MAX_DEPTH} levels: it was not read and must not be sent`,
      );
    }
    const zone = data?.zone ?? this.#zones++;
    literals.forEach((literal, index) => {
      const key = literal.kind === "key" ? undefined : literal.place?.name;
      if (literal.kind === "string") this.text(inside, index, literal.text, role, { key, zone });
      else if (literal.kind === "key") {
        if (literal.text !== "")
          this.#leaf(inside, index, { text: literal.text, role, kind: "key", key, zone });
      } else {
        const text = digitsOfLiteral(literal.text);
        if (text !== undefined) this.#leaf(inside, index, { text, role, kind: "number", key, zone });
      }
    });
  }

  #media(holder: Holder, slot: string | number, text: string, kind: MediaKind, role: LeafRole): void {
    if (text === "" || this.#isMedia(holder, slot, text, role, kind)) return;
    const told = siblings(holder);
    if (told.type === "text" || !(isBase64(text) || /^[a-z][a-z0-9+.-]*:\/\//i.test(text))) {
      this.text(holder, slot, text, role);
      return;
    }
    const mediaType = [told.media_type, told.mimeType, told.mime_type, told.format].find(
      (value) => typeof value === "string",
    );
    if (!isBase64(text)) {
      // The provider will fetch it: the address is text of ours, what is behind it nobody has read.
      this.#report(kindOfMediaType(mediaType, kind), holder, slot, "url", undefined, mediaType);
      this.text(holder, slot, text, role);
      return;
    }
    this.#inline(holder, slot, "", text, mediaType, kind, role);
  }

  /** Media that show themselves: a `data:` URL, or base64 with the first bytes of a picture. */
  #isMedia(
    holder: Holder,
    slot: string | number,
    text: string,
    role: LeafRole,
    kind: MediaKind = "file",
  ): boolean {
    const url = parseDataUrl(text);
    if (url !== undefined) {
      const payload = text.slice(url.payloadStart);
      if (!url.base64 || !isBase64(payload)) return false;
      this.#inline(holder, slot, text.slice(0, url.payloadStart), payload, url.mediaType, kind, role);
      return true;
    }
    const sniffed = sniffBase64(text);
    if (sniffed === undefined) return false;
    this.#report(sniffed.kind, holder, slot, "inline", base64Bytes(text), sniffed.mediaType);
    return true;
  }

  #inline(
    holder: Holder,
    slot: string | number,
    prefix: string,
    payload: string,
    mediaType: string | undefined,
    kind: MediaKind,
    role: LeafRole,
  ): void {
    const text = isTextType(mediaType) ? decodeBase64Text(payload) : undefined;
    if (text !== undefined) {
      this.text({ kind: "base64", parent: holder, slot, depth: holder.depth + 1, prefix }, 0, text, role);
      return;
    }
    const type = mediaType?.includes("/") ? mediaType : undefined;
    this.#report(kindOfMediaType(type, kind), holder, slot, "inline", base64Bytes(payload), mediaType);
  }

  #report(
    kind: Unscanned["kind"],
    holder: Holder,
    slot: string | number,
    carried: Unscanned["carried"],
    bytes: number | undefined,
    mediaType?: string,
  ): void {
    this.unscanned.push({ kind, mediaType, path: pathTo(holder, slot), bytes, carried });
  }

  #mayTakeApart(text: string): boolean {
    return text.length <= this.#jsonLeft;
  }

  #leaf(
    holder: Holder,
    slot: string | number,
    leaf: Pick<Leaf, "text" | "role" | "kind" | "key" | "zone">,
  ): void {
    if (this.leaves.length >= MAX_LEAVES) {
      throw new PayloadError(
        `the JSON body holds more than ${MAX_LEAVES} texts: it was not read and must not be sent`,
      );
    }
    this.leaves.push(new PlacedLeaf(holder, slot, leaf));
  }
}

function patternOf(kind: "model" | "id" | "word" | "name"): RegExp {
  if (kind === "model") return MODEL;
  return kind === "id" ? IDENTIFIER : WORD;
}

function below(parent: Holder, slot: string | number, value: ContainerHolder["value"]): ContainerHolder {
  return { kind: "container", parent, slot, depth: parent.depth + 1, value };
}

/** Whole numbers that may be somebody's; and fractions that may be, with a point set into them. */
function isLongNumber(value: unknown): value is number {
  if (typeof value !== "number" || !Number.isFinite(value)) return false;
  return Number.isInteger(value) ? Math.abs(value) >= LONG_NUMBER : LONG_FRACTION.test(String(value));
}

/** Whether a number is one of the protocol by its name. No count and no limit has so many digits; times and seeds have. */
function isProtocolNumber(name: string, value: number): boolean {
  return PROTOCOL_NUMBER.test(name) && (Math.abs(value) < NO_COUNT || LARGE_NUMBER.test(name));
}

/** All digits of a whole number: `String` would write large ones as `1e+21`. */
function plainDigits(value: number): string {
  return !Number.isInteger(value) || Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString();
}

/** The digits of a whole number in JSON as it may be written: `13800138000`, `13800138000.0`, `1.3800138e10`. */
function digitsOfLiteral(text: string): string | undefined {
  if (/^-?\d{7,25}$/.test(text)) return text;
  if (text.length > 64 || !/^-?\d+(?:\.\d+)?(?:e\+?\d+)?$/i.test(text)) return undefined;
  if (LONG_FRACTION.test(text) && !Number.isInteger(Number(text))) return text;
  const value = Number(text);
  return isLongNumber(value) && Math.abs(value) < 1e25 ? plainDigits(value) : undefined;
}

function siblings(holder: Holder): Readonly<Record<string, unknown>> {
  if (holder.kind !== "container" || Array.isArray(holder.value)) return {};
  return holder.value as Readonly<Record<string, unknown>>;
}
