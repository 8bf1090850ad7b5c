import { caesar } from "./lexicon/ciphered.ts";

/** Text found inside an encoding, and where the encoded run stands in the text as given. */
export interface Decoded {
  text: string;
  encoding:
    | "base64"
    | "hex"
    | "binary"
    | "morse"
    | "percent"
    | "entities"
    | "escapes"
    | "quoted-printable"
    | "caesar"
    | "reversed"
    | "spaced";
  start: number;
  end: number;
}

/** Runs tried at all, and characters decoded, in one text: enough for any attack, little enough to stay linear. */
const MAX_RUNS = 4_000;
export const MAX_DECODED = 32_768;
const MAX_RUN = 8_192;
const MAX_VIEWS = 16;

/** A kind of run by its characters; `least` is the shortest that is looked at. */
interface RunKind {
  encoding: Decoded["encoding"];
  bit: number;
  least: number;
  read: (run: string) => string | undefined;
}

const RUN_KINDS: readonly RunKind[] = [
  { encoding: "hex", bit: 2, least: 24, read: hex },
  { encoding: "binary", bit: 4, least: 42, read: binary },
  { encoding: "base64", bit: 1, least: 20, read: base64 },
  { encoding: "morse", bit: 8, least: 24, read: morse },
];

/** Bits of {@link RUN_KINDS} by ASCII code. */
const CLASS = new Uint8Array(128);
const mark = (characters: string, bit: number) => {
  for (const character of characters)
    CLASS[character.charCodeAt(0)] = (CLASS[character.charCodeAt(0)] as number) | bit;
};
mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_-=", 1);
mark("0123456789abcdefABCDEF ,:", 2);
mark("01 ", 4);
mark(".-/ ", 8);

function inClass(text: string, at: number, bit: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 && ((CLASS[code] as number) & bit) !== 0;
}

/**
 * Every run of at least `least` characters of one class. Only one character in `least` is looked at until one is of
 * the class: a long run cannot hide between two of them.
 */
function* runs(text: string, bit: number, least: number): Generator<[number, number]> {
  for (let at = least - 1; at < text.length; ) {
    if (!inClass(text, at, bit)) {
      at += least;
      continue;
    }
    let start = at;
    while (start > 0 && at - start < least && inClass(text, start - 1, bit)) start--;
    let end = at + 1;
    while (end < text.length && inClass(text, end, bit)) end++;
    if (end - start >= least) yield [start, end];
    at = end + least;
  }
}

/** Letters pulled apart, "i g n o r e" or "i.g.n.o.r.e"; on folded or given text alike. */
const SPACED = /\b[A-Za-z](?:[ .\-_*|]{1,3}(?![A-Za-z]{2})[A-Za-z]){5,600}/g;
const PERCENT = /%[0-9A-Fa-f]{2}(?:[^\s%]{0,24}%[0-9A-Fa-f]{2}){3,400}[^\s%]{0,24}/g;
const ENTITIES = /(?:&#x?[0-9a-fA-F]{1,6};\s?){4,1000}/g;
const ESCAPES = /(?:\\u\{?[0-9a-fA-F]{2,6}\}?|\\x[0-9a-fA-F]{2}){4,1000}/g;
const QUOTED = /(?:=[0-9A-F]{2}){6,1000}/g;

/** Everything that decodes to readable text. `text` is the text as given (case matters to base64). */
export function decodeRuns(text: string): Decoded[] {
  const views: Decoded[] = [];
  const budget = { runs: MAX_RUNS, characters: MAX_DECODED };
  const full = () => budget.runs-- <= 0 || budget.characters <= 0 || views.length >= MAX_VIEWS;
  const consider = (encoding: Decoded["encoding"], start: number, end: number, read: RunKind["read"]) => {
    const decoded = read(text.slice(start, Math.min(end, start + MAX_RUN)));
    if (decoded === undefined) return;
    budget.characters -= decoded.length;
    views.push({ text: decoded, encoding, start, end });
  };
  for (const { encoding, bit, least, read } of RUN_KINDS) {
    for (const [start, end] of runs(text, bit, least)) {
      if (full()) return views;
      consider(encoding, start, end, read);
    }
  }
  const each = (pattern: RegExp, encoding: Decoded["encoding"], read: RunKind["read"]) => {
    for (const match of text.matchAll(pattern)) {
      if (full()) return;
      consider(encoding, match.index, match.index + match[0].length, read);
    }
  };
  // Only some words may be pulled apart, so what follows belongs to it.
  for (const match of text.matchAll(SPACED)) {
    if (full()) break;
    const end = match.index + match[0].length;
    consider("spaced", match.index, end, (run) => spaced(run) + text.slice(end, end + 80));
  }
  if (text.includes("%")) each(PERCENT, "percent", percent);
  if (text.includes("&#")) each(ENTITIES, "entities", entities);
  if (text.includes("\\")) each(ESCAPES, "escapes", escapes);
  if (text.includes("=")) each(QUOTED, "quoted-printable", quotedPrintable);
  return views;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what tells bytes from text
const UNREADABLE = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\ufffd]/;

/** `text` when it reads as text, else nothing. */
function readable(text: string): string | undefined {
  return text.length >= 6 && !UNREADABLE.test(text) ? text : undefined;
}

function fromBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
}

function base64(run: string): string | undefined {
  // Lower-case words joined by dashes, slashes or underscores are names.
  if (!/[A-Z]/.test(run)) return undefined;
  // Most runs are names and hashes: their first bytes already tell.
  const head = Buffer.from(run.slice(0, 20), "base64").toString("latin1");
  let odd = 0;
  for (let i = 0; i < head.length; i++) {
    const code = head.charCodeAt(i);
    if (code < 9 || (code > 13 && code < 32) || code === 127) return undefined;
    if (code > 127) odd++;
  }
  if (odd > 9) return undefined;
  return readable(
    Buffer.from(run, "base64")
      .toString("utf8")
      .replace(/\ufffd{1,2}$/, ""),
  );
}

/** One long token, or pairs parted by blanks, commas or colons; words before and after it do not count. */
function hex(run: string): string | undefined {
  if (!/\d/.test(run)) return undefined;
  let longest = "";
  let pairs = "";
  for (const token of run.split(/[ ,:]+/)) {
    pairs = token.length === 2 ? pairs + token : "";
    if (pairs.length > longest.length) longest = pairs;
    if (token.length > longest.length) longest = token;
  }
  return longest.length < 24 ? undefined : readable(fromBytes(Buffer.from(longest, "hex")));
}

/** Eight bits a letter; groups of another length (a damaged copy) become `?`. */
function binary(run: string): string | undefined {
  if (!run.includes("1") || !run.includes("0")) return undefined;
  const groups = run.includes(" ") ? run.split(" ").filter(Boolean) : (run.match(/.{8}/g) ?? []);
  let text = "";
  let damaged = 0;
  for (const group of groups) {
    const code = group.length === 8 ? Number.parseInt(group, 2) : Number.NaN;
    if (code >= 32 && code < 127) text += String.fromCharCode(code);
    else {
      damaged++;
      text += "?";
    }
  }
  return damaged * 2 < groups.length ? readable(text) : undefined;
}

const MORSE_CODE = new Map<string, string>(
  "a.- b-... c-.-. d-.. e. f..-. g--. h.... i.. j.--- k-.- l.-.. m-- n-. o--- p.--. q--.- r.-. s... t- u..- v...- w.-- x-..- y-.-- z--.. 1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. 0-----"
    .split(" ")
    .map((entry) => [entry.slice(1), entry[0] as string]),
);

/** ITU-R M.1677-1; letters by spaces, words by `/`. */
function morse(run: string): string | undefined {
  if (!run.includes(". ") && !run.includes("- ")) return undefined;
  let letters = 0;
  let unknown = 0;
  const seen = new Set<string>();
  const text = run
    .split("/")
    .map((word) =>
      word
        .split(" ")
        .filter(Boolean)
        .map((sign) => {
          const letter = MORSE_CODE.get(sign);
          if (!letter) {
            unknown++;
            return "";
          }
          letters++;
          seen.add(letter);
          return letter;
        })
        .join(""),
    )
    .join(" ");
  return letters >= 6 && seen.size >= 4 && unknown * 3 < letters ? readable(text) : undefined;
}

/** The letters put together again; where the writer left wider gaps between words, so does this. */
function spaced(run: string): string {
  return run.replace(/([A-Za-z])[ .\-_*|](?=[A-Za-z])/g, "$1").replace(/[ .\-_*|]{2,3}/g, " ");
}

function percent(run: string): string | undefined {
  return readable(
    fromBytes(
      Buffer.from(
        run
          .replace(/\+/g, " ")
          .replace(/%([0-9A-Fa-f]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
        "latin1",
      ),
    ),
  );
}

/** The character of a code; `?` where there is none. */
export function codePoint(code: number): string {
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "?";
}

function entities(run: string): string | undefined {
  return readable(
    run.replace(/&#(x?)([0-9a-fA-F]{1,6});/g, (_, x: string, code: string) =>
      codePoint(Number.parseInt(code, x ? 16 : 10)),
    ),
  );
}

function escapes(run: string): string | undefined {
  return readable(
    run.replace(/\\[ux]\{?([0-9a-fA-F]{2,6})\}?/g, (_, code: string) => codePoint(Number.parseInt(code, 16))),
  );
}

function quotedPrintable(run: string): string | undefined {
  return readable(fromBytes(Buffer.from(run.replace(/=/g, ""), "hex")));
}

const COMMON =
  /\b(?:the|is|are|what|which|who|how|and|of|to|in|that|this|you|your|it|for|was|were|first|can|do|does|me|tell|on|a)\b/g;

/** Whether a text is English prose of at least `least` words, by its little words. */
export function readsAsProse(text: string, least = 4): boolean {
  const words = text.toLowerCase().match(/[a-z']+/g) ?? [];
  const common = text.toLowerCase().match(COMMON) ?? [];
  return words.length >= least && common.length >= 2 && common.length * 5 >= words.length;
}

/**
 * The clause around a disguised key word, undone: of the clauses near `around` that do not read as English, the first
 * that does under some Caesar shift or in mirror writing. Looks at 1,200 characters.
 */
export function undisguise(text: string, around: number): Decoded | undefined {
  const from = Math.max(0, around - 400);
  const part = text.slice(from, Math.min(text.length, around + 800));
  let tried = 0;
  for (const clause of part.matchAll(/[^.!?;:"'“”«»\n]{12,600}/g)) {
    const words = clause[0].match(/[a-z]+/g) ?? [];
    const letters = words.reduce((sum, word) => sum + word.length, 0);
    // Prose is letters and blanks; markup and formulas have short scraps of letters that any shift makes words of.
    if ((letters + words.length) * 10 < clause[0].length * 9 || letters < words.length * 2.5) continue;
    if (words.length < 3 || commonWords(clause[0]) * 6 > words.length || tried++ >= 8) continue;
    const start = from + clause.index;
    const end = start + clause[0].length;
    let best: Decoded | undefined;
    let bestCount = Math.max(3, words.length / 5);
    const consider = (reading: string, encoding: Decoded["encoding"]) => {
      const count = commonWords(reading);
      if (count < bestCount) return;
      bestCount = count + 1;
      best = { text: reading, encoding, start, end };
    };
    for (let shift = 1; shift < 26; shift++) consider(caesar(clause[0], shift), "caesar");
    consider([...clause[0]].reverse().join(""), "reversed");
    if (best) return best;
  }
  return undefined;
}

/** How many different little words a text has. */
function commonWords(text: string): number {
  return new Set(text.match(COMMON) ?? []).size;
}
