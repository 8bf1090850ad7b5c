/** Pictures and files that stand as base64 among the words of a text. */
import { sniffBeginning } from "@clawx/shared-security";
import type { MediaPolicy } from "../types.ts";
import { type MediaKind, noteOf } from "./media.ts";
import { RefusedError } from "./refused-error.ts";
import { Turns } from "./turns.ts";

/** As a `data:` URL (RFC 2397): in Markdown, in HTML. */
const DATA_URL =
  /data:(image|audio|video|application|font)\/[\w.+-]{1,64}(?:;[\w=.-]{1,40}){0,3};base64,[\w+/-]{64,}={0,2}/gi;

/** Shorter runs may be anything. */
const MIN_BARE = 128;
/** A run of so many has one of its letters at one of the sampled places, and encoders break no shorter lines. */
const STEP = 48;
/** Letters passed between two looks at the clock. */
const LETTERS_A_LOOK = 512 * 1024;
/** What parts the lines of one run: a line end, the marks of a quotation or a comment. */
const LINE_GAP = /\\?\r?\n[ \t>#*|]{0,8}(?=[\w+/]{4})/y;

/** A part of a text that is a picture or a file. */
interface Found {
  start: number;
  end: number;
  kind: MediaKind;
}

/** Whether a text may hold {@link withoutInlineMedia}'s concern; quick. */
export async function mayHoldInlineMedia(text: string): Promise<boolean> {
  if (text.length < MIN_BARE) return false;
  if (text.includes(";base64,")) return true;
  const turns = new Turns();
  for (const found of bareMedia(text)) {
    if (found) return true;
    await turns.pause();
  }
  return false;
}

/**
 * A text without the media that stand in it.
 * @returns the text and how many were taken out
 * @throws RefusedError when the policy blocks one of them
 */
export async function withoutInlineMedia(
  text: string,
  policy: Readonly<Record<MediaKind, MediaPolicy>>,
): Promise<{ text: string; count: number }> {
  let count = 0;
  const note = (kind: MediaKind, found: string): string => {
    if (policy[kind] === "block")
      throw new RefusedError("media", `the request holds an attachment (${kind})`);
    if (policy[kind] === "allow") return found;
    count += 1;
    return noteOf(kind);
  };
  const rest = text.replace(DATA_URL, (url, told: string) => {
    const type = told.toLowerCase();
    return note(type === "image" || type === "audio" ? type : "file", url);
  });
  const turns = new Turns();
  let out = "";
  let at = 0;
  for (const found of bareMedia(rest)) {
    if (!found) {
      await turns.pause();
      continue;
    }
    const { start, end, kind } = found;
    out += rest.slice(at, start) + note(kind, rest.slice(start, end));
    at = end;
  }
  return { text: out + rest.slice(at), count };
}

/**
 * Base64 without a word before it that says so, but with the first bytes of a picture, a sound or an archive. Yields
 * undefined now and then, where others may have their turn.
 */
function* bareMedia(text: string): Generator<Found | undefined> {
  let done = 0;
  for (let sample = STEP - 1; sample < text.length; sample += STEP) {
    if (!isBase64(text.charCodeAt(sample))) continue;
    let start = sample;
    while (start > done && sample - start < STEP && isBase64(text.charCodeAt(start - 1))) start -= 1;
    if (lettersUpTo(text, start, start + STEP) < start + STEP) continue;
    const kind = sniffBeginning(text, start)?.kind;
    const end = yield* endOfRun(text, start, kind !== undefined);
    if (kind !== undefined && end - start >= MIN_BARE && !isAllowed(text, start)) {
      yield { start, end, kind: kind === "video" ? "file" : kind };
    }
    done = end;
    // On at the first sampled place behind it.
    sample += Math.max(0, Math.floor((end - 1 - sample) / STEP)) * STEP;
  }
}

/** A `data:` URL is another's concern; where the policy lets it pass it stays. */
function isAllowed(text: string, start: number): boolean {
  return /data:[\w.+-]{1,40}\/[^\s,]{1,160};base64,$/i.test(text.slice(Math.max(0, start - 220), start));
}

function* endOfRun(text: string, start: number, overLines: boolean): Generator<undefined, number> {
  let end = yield* endOfLetters(text, start);
  while (overLines) {
    LINE_GAP.lastIndex = end;
    if (!LINE_GAP.test(text)) break;
    const next = yield* endOfLetters(text, LINE_GAP.lastIndex);
    // A word of what follows is no line of it.
    if (!ENDS_LINE.has(text[next])) break;
    end = next;
  }
  while (text.charCodeAt(end) === 0x3d) end += 1;
  return end;
}

const ENDS_LINE = new Set([undefined, "\n", "\r", "=", "\\", '"', "'", "`", ")"]);

function* endOfLetters(text: string, start: number): Generator<undefined, number> {
  for (let from = start; ; from += LETTERS_A_LOOK) {
    const end = lettersUpTo(text, from, from + LETTERS_A_LOOK);
    if (end < from + LETTERS_A_LOOK) return end;
    yield undefined;
  }
}

/** Where the letters end that begin at `start`, at most `limit`. */
function lettersUpTo(text: string, start: number, limit: number): number {
  const to = Math.min(text.length, limit);
  let end = start;
  while (end < to && isBase64(text.charCodeAt(end))) end += 1;
  return end;
}

/** A letter of base64, in either alphabet. */
function isBase64(code: number): boolean {
  return (
    (code >= 0x30 && code <= 0x39) ||
    ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) ||
    code === 0x2b ||
    code === 0x2f ||
    code === 0x2d ||
    code === 0x5f
  );
}
