/**
 * Bodies without their secrets. A body is first looked through as parsed JSON (fast, remembered per text); only when
 * something is found is the raw text rewritten, token by token, so that all other bytes stay as they were on the wire.
 */

import { joinedFindings, keyedSpans, StreamLanes } from "./joined.ts";
import { type StringToken, scanStrings } from "./json-scan.ts";
import { credentialKey, isCredentialValue, REDACTED } from "./names.ts";
import { replaceAll, type SecretFinder } from "./replace.ts";
import { redactParameters } from "./wire.ts";

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
  /** Not everything was shown: the text itself has to be looked through. */
  unsure(): void;
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

/** Stands for what is nested deeper than anybody writes. */
const TOO_DEEP = "[nested too deep]";

/** Nesting that is walked by recursion; what is deeper is looked through as text. */
const MAX_DEPTH = 200;

/** A form (application/x-www-form-urlencoded): token endpoints take their secrets so. */
const FORM = /^[\w.%+*-]{1,100}=[^\s&]*(&[\w.%+*-]{1,100}=[^\s&]*)+$/;

export function createBodyRedactor(finder: SecretFinder): BodyRedactor {
  function dirtyLeaf(value: string, key: string | undefined, inLogprobs: boolean): boolean {
    const strength = key === undefined || inLogprobs ? undefined : credentialKey(key);
    if (strength && isCredentialValue(strength, value)) return true;
    if (value.length < MIN_LEAF) return false;
    if (finder.find(value).length > 0) return true;
    if (!looksLikeJson(value)) return false;
    const nested = parse(value);
    return nested ? dirty(nested.parsed, undefined, false) : keyedSpans(value).length > 0;
  }

  function dirty(value: unknown, key: string | undefined, inLogprobs: boolean, depth = 0): boolean {
    if (typeof value === "string") return dirtyLeaf(value, key, inLogprobs);
    if (typeof value !== "object" || value === null) return false;
    if (depth > MAX_DEPTH) return true;
    if (Array.isArray(value)) {
      for (const item of value) if (dirty(item, undefined, inLogprobs, depth + 1)) return true;
      return false;
    }
    const logprobs = inLogprobs || "logprob" in value;
    const fields = value as Record<string, unknown>;
    for (const name in fields) {
      if (name.length >= 16 && finder.find(name).length > 0) return true;
      if (dirty(fields[name], name, logprobs, depth + 1)) return true;
    }
    return false;
  }

  function inspect(): Inspection {
    let found = false;
    let first: unknown;
    let lanes: StreamLanes | undefined;
    return {
      json(value) {
        if (found) return;
        found = dirty(value, undefined, false);
        // One document has no pieces; from the second event on it is a stream.
        if (lanes) lanes.add(value);
        else if (first === undefined) first = value;
        else {
          lanes = new StreamLanes();
          lanes.add(first);
          lanes.add(value);
        }
      },
      text(value) {
        found ||= dirtyLeaf(value, undefined, false);
      },
      unsure() {
        found = true;
      },
      get dirty() {
        found ||= lanes?.dirty(finder) === true;
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
    if (looksLikeJson(value)) {
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
    if (lines) joinedFindings(tokens, replaced, finder);
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

  return {
    inspect,
    redact(text, kind, inspection) {
      if (text === "") return { text, count: 0 };
      if (kind === "text") {
        const form = FORM.test(text) ? redactParameters(`?${text}`).slice(1) : text;
        const findings = finder.find(form);
        return { text: replaceAll(form, findings), count: findings.length + (form === text ? 0 : 1) };
      }
      const found = inspection ? inspection.dirty : isDirty(text, kind);
      return found ? rewrite(text, kind === "lines") : { text, count: 0 };
    },
    redactValue(value) {
      let count = 0;
      const copy = (item: unknown, key: string | undefined, inLogprobs: boolean, depth: number): unknown => {
        if (typeof item === "string") {
          const clean = cleanLeaf(item, key, inLogprobs);
          if (clean === undefined) return item;
          count++;
          return clean;
        }
        if (typeof item !== "object" || item === null) return item;
        if (depth > MAX_DEPTH) {
          count++;
          return TOO_DEEP;
        }
        if (Array.isArray(item)) return item.map((entry) => copy(entry, undefined, inLogprobs, depth + 1));
        const logprobs = inLogprobs || "logprob" in item;
        return Object.fromEntries(
          Object.entries(item).map(([name, entry]) => [
            replaceAll(name, finder.find(name)),
            copy(entry, name, logprobs, depth + 1),
          ]),
        );
      };
      return { value: copy(value, undefined, false, 0), count };
    },
  };
}

/** JSON inside a string, whole or cut. */
function looksLikeJson(value: string): boolean {
  return /^\s*[{[]/.test(value) && value.includes('"');
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
