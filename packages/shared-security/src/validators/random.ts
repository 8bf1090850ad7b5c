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
  const letters = value.match(/[A-Za-z]/g)?.length ?? 0;
  const digits = value.match(/\d/g)?.length ?? 0;
  const alnum = letters + digits;
  if (alnum < 8 || letters < 2 || FILE.test(value) || entropy(value) < 2.2) return 0;
  if (wordShare(value, alnum) > 0.5) return 0;
  if (digits === 0) return alnum >= 16 && switches(value) >= 0.3 ? 0.6 : longestRun(value) >= 24 ? 0.5 : 0;
  const run = longestRun(value, /[A-Za-z0-9+/]{8,}/g);
  if (digits >= 2 && run >= 20) return 1;
  if (digits >= 2 && run >= 14) return 0.9;
  if (digits >= 2 && alnum >= 20 && switches(value) >= 0.2) return 0.85;
  if (digits >= 2 && alnum >= 12) return 0.6;
  return alnum >= 16 ? 0.5 : 0.3;
}

/** Share of letters and digits that stand in runs of 3 to 15 lower-case letters, as words do. */
function wordShare(value: string, alnum: number): number {
  let inWords = 0;
  for (const [run] of value.matchAll(/[a-z]+/g))
    if (run.length >= 3 && run.length <= 15) inWords += run.length;
  for (const [run] of value.matchAll(/(?<![A-Za-z0-9])[A-Z]{3,15}(?![A-Za-z0-9])/g)) inWords += run.length;
  return inWords / alnum;
}

function longestRun(value: string, runs = /[A-Za-z0-9]+/g): number {
  let longest = 0;
  for (const [run] of value.matchAll(runs)) longest = Math.max(longest, run.length);
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

function classOf(code: number): number {
  if (code >= 48 && code <= 57) return 0;
  if (code >= 65 && code <= 90) return 1;
  if (code >= 97 && code <= 122) return 2;
  return 3;
}
