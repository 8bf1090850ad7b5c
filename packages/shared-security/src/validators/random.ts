import { entropy } from "./entropy.ts";

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** A file name, a path of a module, a version: long and mixed, yet written by people. */
const FILE = /\.(?:m?[jt]sx?|json|md|html?|css|py|ya?ml|png|svg|txt|sh|go|rs|toml|lock|log|exe|dll)$/i;

/**
 * How much a value looks drawn at random rather than written by a person, 0..1: 0 for words, identifiers and slugs, 1
 * for a UUID or a long run in which digits and letters are mixed. No dictionary: words are runs of lower-case letters
 * and take up most of an identifier, but little of a key.
 */
export function randomness(value: string): number {
  if (UUID.test(value)) return new Set(value).size > 6 ? 1 : 0;
  let letters = 0;
  let digits = 0;
  for (let i = 0; i < value.length; i++) {
    const cls = classOf(value.charCodeAt(i));
    if (cls === DIGIT) digits++;
    else if (cls !== OTHER) letters++;
  }
  const alnum = letters + digits;
  if (alnum < 8 || letters < 2 || FILE.test(value)) return 0;
  const words = wordShare(value, alnum);
  if (
    (words > 0.5 && !(digits >= 6 && words < 0.6 && longestRun(value) >= 16) && !isMixedThrough(value)) ||
    entropy(value) < 2.2
  )
    return 0;
  if (digits === 0) return alnum >= 18 && switches(value) >= 0.4 ? 0.6 : longestRun(value) >= 24 ? 0.5 : 0;
  const run = longestRun(value, true);
  if (digits >= 2 && run >= 20) return 1;
  if (digits >= 2 && run >= 14) return 0.9;
  if (digits >= 2 && alnum >= 20 && switches(value) >= 0.2) return 0.85;
  if (digits >= 2 && alnum >= 12 && run >= 6) return 0.6;
  return alnum >= 16 ? 0.5 : 0.3;
}

/** Share of letters and digits that stand in words: runs of 3 to 15 lower-case letters, or capitals on their own. */
function wordShare(value: string, alnum: number): number {
  let inWords = 0;
  for (let i = 0; i < value.length; ) {
    const cls = classOf(value.charCodeAt(i));
    let end = i + 1;
    while (end < value.length && classOf(value.charCodeAt(end)) === cls) end++;
    const length = end - i;
    const isWord = length >= 3 && length <= 15;
    if (isWord && cls === LOWER) inWords += length;
    else if (isWord && cls === UPPER && isApart(value, i - 1) && isApart(value, end)) inWords += length;
    i = end;
  }
  return inWords / alnum;
}

/** One long run with digits in three places or more: base32 and base36 have runs of letters too, no word has those. */
function isMixedThrough(value: string): boolean {
  for (const run of value.split(/[^A-Za-z0-9]/)) {
    if (run.length >= 24 && (run.match(/\d+/g)?.length ?? 0) >= 3) return true;
  }
  return false;
}

function isApart(value: string, index: number): boolean {
  return index < 0 || index >= value.length || classOf(value.charCodeAt(index)) === OTHER;
}

/** Length of the longest run of letters and digits; with `slashes`, of base64 characters. */
function longestRun(value: string, slashes = false): number {
  let longest = 0;
  let run = 0;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    run = classOf(code) !== OTHER || (slashes && (code === 0x2b || code === 0x2f)) ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** Share of neighbours of different class: upper case, lower case, digit, other. */
function switches(value: string): number {
  let changes = 0;
  let last = classOf(value.charCodeAt(0));
  for (let i = 1; i < value.length; i++) {
    const cls = classOf(value.charCodeAt(i));
    if (cls !== last) changes++;
    last = cls;
  }
  return changes / (value.length - 1);
}

const DIGIT = 0;
const UPPER = 1;
const LOWER = 2;
const OTHER = 3;

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return DIGIT;
  if (code >= 65 && code <= 90) return UPPER;
  return code >= 97 && code <= 122 ? LOWER : OTHER;
}
