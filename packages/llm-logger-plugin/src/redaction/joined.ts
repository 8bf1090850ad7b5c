/** Secrets that are whole only when the pieces of a field over many events of a stream are put together. */
import { LANE_KEYS, laneName, type StringToken, scanStrings } from "./json-scan.ts";
import { credentialKey, isCredentialValue, REDACTED } from "./names.ts";
import { placeholder, type SecretFinder } from "./replace.ts";

/** A piece at least this long that repeats is an id, no piece of a text. */
const REPEATED_ID = 8;

/** Characters of one field that are looked through together; a longer field is taken in parts that overlap. */
const WINDOW = 1_000_000;
const OVERLAP = 20_000;

/** Fields that every event has and that are no text. */
const NO_TEXT = new Set(["type", "id", "object", "model", "obfuscation", "system_fingerprint", "created_at"]);

interface Span {
  start: number;
  end: number;
  mark: string;
}

/**
 * Adds to `replaced` what pieces become in which a secret of the joined text stands. Streams mix the texts of several
 * choices, tool calls and items, so pieces are put together by their place and by the numbers beside them, each way
 * that makes sense.
 */
export function joinedFindings(
  tokens: readonly StringToken[],
  replaced: Map<StringToken, string>,
  finder: SecretFinder,
): void {
  const ways: ((token: StringToken) => string)[] = [
    (token) => token.path,
    (token) => `${token.path} ${laneName(token.lane)}`,
    (token) => `${token.field} ${laneName(token.lane)}`,
  ];
  for (const way of ways) {
    const fields = new Map<string, StringToken[]>();
    for (const token of tokens) {
      if (token.isKey) continue;
      const name = way(token);
      const field = fields.get(name);
      if (field === undefined) fields.set(name, [token]);
      else if (field.at(-1)?.value !== token.value || token.value.length < REPEATED_ID) field.push(token);
    }
    for (const pieces of fields.values()) if (pieces.length > 1) replaceIn(pieces, replaced, finder);
  }
}

function replaceIn(pieces: StringToken[], replaced: Map<StringToken, string>, finder: SecretFinder): void {
  const current = (piece: StringToken) => replaced.get(piece) ?? piece.value;
  const whole = pieces.map(current).join("");
  const spans = spansOf(whole, finder);
  if (spans.length === 0) return;
  let offset = 0;
  for (const piece of pieces) {
    const before = current(piece);
    const end = offset + before.length;
    let value = "";
    let at = offset;
    for (const span of spans) {
      if (span.end <= at || span.start >= end) continue;
      value += whole.slice(at, Math.max(at, span.start));
      // The placeholder stands in the piece where the secret starts; its other pieces become empty.
      if (span.start >= offset) value += span.mark;
      at = Math.min(end, span.end);
    }
    value += whole.slice(at, end);
    if (value !== before) replaced.set(piece, value);
    offset = end;
  }
}

function spansOf(whole: string, finder: SecretFinder): Span[] {
  const spans: Span[] = keyedSpans(whole);
  for (let from = 0; from === 0 || from + OVERLAP < whole.length; from += WINDOW - OVERLAP) {
    const part = whole.length <= WINDOW ? whole : whole.slice(from, from + WINDOW);
    for (const { start, end, type } of finder.find(part))
      spans.push({ start: from + start, end: from + end, mark: placeholder({ type }) });
  }
  // Two rules may see one secret: what overlaps is replaced once.
  const disjoint: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = disjoint.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else disjoint.push(span);
  }
  return disjoint;
}

/** Values of credential keys in JSON that came as text (tool arguments), whole or cut. */
export function keyedSpans(whole: string): Span[] {
  const spans: Span[] = [];
  if (!/^\s*[{[]/.test(whole)) return spans;
  scanStrings(whole, false, (token) => {
    const strength = token.key === undefined ? undefined : credentialKey(token.key);
    if (strength && isCredentialValue(strength, token.value))
      spans.push({ start: token.start, end: token.end, mark: REDACTED });
  });
  return spans;
}

/** Gathers the texts that the events of a stream bring in pieces. */
export class StreamLanes {
  readonly #lanes = new Map<string, string[]>();

  /** Takes in a parsed event. */
  add(event: unknown): void {
    this.#walk(event, "", 0);
  }

  /** Whether one of the texts holds a secret. */
  dirty(finder: SecretFinder): boolean {
    for (const pieces of this.#lanes.values())
      if (pieces.length > 1 && spansOf(pieces.join(""), finder).length > 0) return true;
    return false;
  }

  #walk(value: unknown, lane: string, depth: number): void {
    if (typeof value === "string") {
      if (value === "") return;
      const pieces = this.#lanes.get(lane);
      if (!pieces) this.#lanes.set(lane, [value]);
      else if (pieces.at(-1) !== value || value.length < REPEATED_ID) pieces.push(value);
      return;
    }
    if (typeof value !== "object" || value === null || depth > 40) return;
    if (Array.isArray(value)) {
      for (const item of value) this.#walk(item, lane, depth + 1);
      return;
    }
    const fields = value as Record<string, unknown>;
    let here = lane;
    for (const key of LANE_KEYS) if (fields[key] !== undefined) here += `#${String(fields[key])}`;
    for (const key in fields) {
      if (!NO_TEXT.has(key) && !LANE_KEYS.has(key)) this.#walk(fields[key], `${here}.${key}`, depth + 1);
    }
  }
}
