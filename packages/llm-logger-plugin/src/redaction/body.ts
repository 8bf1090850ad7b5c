/**
 * Bodies without their secrets. A body is first looked through as parsed JSON (fast, remembered per text); only when
 * something is found is the raw text rewritten, token by token, so that all other bytes stay as they were on the wire.
 */

import { type StringToken, scanStrings } from "./json-scan.ts";
import { credentialKey, isCredentialValue, REDACTED } from "./names.ts";
import { placeholder, replaceAll, type SecretFinder } from "./replace.ts";

/** `json`: one document. `lines`: SSE or NDJSON, a document a line. `text`: anything else. */
export type BodyKind = "json" | "lines" | "text";

export interface RedactedBody {
  text: string;
  /** Values replaced. */
  count: number;
}

/** Tells after the fact whether anything that was shown to it has to be replaced. */
export interface Inspection {
  /** A parsed document or event. */
  json(value: unknown): void;
  /** Text, or what the pieces of a stream say when they are put together. */
  text(value: string): void;
  readonly dirty: boolean;
}

export interface BodyRedactor {
  /**
   * @param inspection of the same text, with everything that it said; without one the text is looked through here, the
   * pieces of a stream put together.
   */
  redact(text: string, kind: BodyKind, inspection?: Inspection): RedactedBody;
  /** Looks through a body that somebody else parses. */
  inspect(): Inspection;
  /** The same for a value that is not a body: hook records, assembled messages. Returns a redacted copy. */
  redactValue(value: unknown): { value: unknown; count: number };
}

/** A leaf at least this long may hold a secret by itself. */
const MIN_LEAF = 8;

/** Pieces of a stream are joined for fields of up to this many characters. */
const MAX_JOINED = 4_000_000;

export function createBodyRedactor(finder: SecretFinder): BodyRedactor {
  function dirtyLeaf(value: string, key: string | undefined, inLogprobs: boolean): boolean {
    const strength = key === undefined || inLogprobs ? undefined : credentialKey(key);
    if (strength && isCredentialValue(strength, value)) return true;
    if (value.length < MIN_LEAF) return false;
    if (finder.find(value).length > 0) return true;
    const nested = nestedJson(value);
    return nested !== undefined && dirty(nested, undefined, false);
  }

  function dirty(value: unknown, key: string | undefined, inLogprobs: boolean): boolean {
    if (typeof value === "string") return dirtyLeaf(value, key, inLogprobs);
    if (typeof value !== "object" || value === null) return false;
    if (Array.isArray(value)) {
      for (const item of value) if (dirty(item, undefined, inLogprobs)) return true;
      return false;
    }
    const logprobs = inLogprobs || "logprob" in value;
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      if (name.length >= 16 && finder.find(name).length > 0) return true;
      if (dirty(fields[name], name, logprobs)) return true;
    }
    return false;
  }

  function inspect(): Inspection {
    let found = false;
    return {
      json(value) {
        found ||= dirty(value, undefined, false);
      },
      text(value) {
        found ||= dirtyLeaf(value, undefined, false);
      },
      get dirty() {
        return found;
      },
    };
  }

  function isDirty(text: string, kind: BodyKind): boolean {
    if (kind !== "json") return true;
    const value = parse(text);
    return value === undefined || dirty(value.parsed, undefined, false);
  }

  /** The redacted form of one string value, or undefined when it may stay. */
  function cleanLeaf(value: string, key: string | undefined, inLogprobs: boolean): string | undefined {
    const strength = key === undefined || inLogprobs ? undefined : credentialKey(key);
    if (strength && isCredentialValue(strength, value)) return REDACTED;
    const nested = nestedJson(value);
    if (nested !== undefined) {
      const inner = rewrite(value, false);
      return inner.count > 0 ? inner.text : undefined;
    }
    const findings = value.length < MIN_LEAF ? [] : finder.find(value);
    return findings.length > 0 ? replaceAll(value, findings) : undefined;
  }

  function rewrite(text: string, lines: boolean): RedactedBody {
    const tokens: StringToken[] = [];
    scanStrings(text, lines, (token) => tokens.push(token));
    const replaced = new Map<StringToken, string>();
    for (const token of tokens) {
      const clean = cleanLeaf(token.value, token.key, isLogprob(text, token));
      if (clean !== undefined) replaced.set(token, clean);
    }
    if (lines) for (const [token, value] of joinedFindings(tokens, replaced)) replaced.set(token, value);
    let out = "";
    let at = 0;
    let outside = 0;
    const plain = (piece: string) => {
      // What is not a JSON string (SSE comments, plain data lines, broken JSON) is looked through as text.
      const findings = finder.find(piece);
      outside += findings.length;
      return replaceAll(piece, findings);
    };
    for (const token of tokens) {
      const value = replaced.get(token);
      if (value === undefined) continue;
      out += plain(text.slice(at, token.start)) + JSON.stringify(value).slice(1, -1);
      at = token.end;
    }
    out += plain(text.slice(at));
    return { text: out, count: replaced.size + outside };
  }

  /** Secrets that are whole only when a field's pieces over many events are put together. */
  function joinedFindings(tokens: StringToken[], done: Map<StringToken, string>): Map<StringToken, string> {
    const fields = new Map<string, StringToken[]>();
    for (const token of tokens) {
      if (token.isKey || done.has(token)) continue;
      const field = fields.get(token.path);
      // An id that repeats in every event is no piece of a text.
      if (field === undefined) fields.set(token.path, [token]);
      else if (field.at(-1)?.value !== token.value || token.value.length < MIN_LEAF) field.push(token);
    }
    const out = new Map<StringToken, string>();
    for (const pieces of fields.values()) {
      if (pieces.length < 2) continue;
      const whole = pieces.map((piece) => piece.value).join("");
      if (whole.length > MAX_JOINED) continue;
      const found = finder
        .find(whole)
        .map(({ start, end, type }) => ({ start, end, mark: placeholder({ type }) }));
      const spans = [...found, ...keyedSpans(whole)].sort((a, b) => a.start - b.start);
      let offset = 0;
      for (const piece of pieces) {
        const end = offset + piece.value.length;
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
        if (value !== piece.value) out.set(piece, value);
        offset = end;
      }
    }
    return out;
  }

  /** Credential keys of JSON that was streamed as text (tool arguments). */
  function keyedSpans(whole: string): { start: number; end: number; mark: string }[] {
    const spans: { start: number; end: number; mark: string }[] = [];
    if (!whole.startsWith("{")) return spans;
    scanStrings(whole, false, (token) => {
      const strength = token.key === undefined ? undefined : credentialKey(token.key);
      if (strength && isCredentialValue(strength, token.value)) {
        spans.push({ start: token.start, end: token.end, mark: REDACTED });
      }
    });
    return spans;
  }

  return {
    inspect,
    redact(text, kind, inspection) {
      if (text === "") return { text, count: 0 };
      if (kind === "text") {
        const findings = finder.find(text);
        return { text: replaceAll(text, findings), count: findings.length };
      }
      const found = inspection ? inspection.dirty : isDirty(text, kind);
      return found ? rewrite(text, kind === "lines") : { text, count: 0 };
    },
    redactValue(value) {
      let count = 0;
      const copy = (item: unknown, key: string | undefined, inLogprobs: boolean): unknown => {
        if (typeof item === "string") {
          const clean = cleanLeaf(item, key, inLogprobs);
          if (clean === undefined) return item;
          count++;
          return clean;
        }
        if (typeof item !== "object" || item === null) return item;
        if (Array.isArray(item)) return item.map((entry) => copy(entry, undefined, inLogprobs));
        const logprobs = inLogprobs || "logprob" in item;
        return Object.fromEntries(
          Object.entries(item).map(([name, entry]) => [
            replaceAll(name, finder.find(name)),
            copy(entry, name, logprobs),
          ]),
        );
      };
      return { value: copy(value, undefined, false), count };
    },
  };
}

function nestedJson(value: string): object | undefined {
  if (!/^\s*[{[]/.test(value) || !value.includes('"')) return undefined;
  const parsed = parse(value)?.parsed;
  return typeof parsed === "object" && parsed !== null ? parsed : undefined;
}

function parse(text: string): { parsed: unknown } | undefined {
  try {
    return { parsed: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Whether a `token` value is a piece of text with its log probability (OpenAI logprobs), not a credential. */
function isLogprob(text: string, token: StringToken): boolean {
  if (token.path.includes("logprobs")) return true;
  return /^"\s*,\s*"(logprob|bytes|top_logprobs)"/.test(text.slice(token.end, token.end + 40));
}
