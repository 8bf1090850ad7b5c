import { FOLD_SEVERAL, foldAstral, foldCode, foldedString } from "./fold-code.ts";

/** A text as a reader takes it, lower-cased and folded, with the way back to the text as given. */
export interface Folded {
  text: string;
  /** Position in the original of a position in `text` (one past the end included). */
  origin(index: number): number;
  /** Text spelt in invisible Unicode tag characters (U+E0020-E007E), and where it stands in the original. */
  hidden: { text: string; start: number; end: number }[];
  /** How many words mixed Latin with Cyrillic or Greek look-alikes. */
  mixedWords: number;
  /** Where the first of them stands in `text`. */
  firstMixed: number;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant
const NON_ASCII = /[^\u0000-\u007f]/;
/** An England or Scotland flag spells five tag letters and a cancel tag. */
const FLAG_TAGS = 7;

/** Folds a text (see {@link Folded}); linear, and no copy but the lower-casing for ASCII. */
export function normalise(text: string): Folded {
  if (!NON_ASCII.test(text)) {
    return { text: text.toLowerCase(), origin: (index) => index, hidden: [], mixedWords: 0, firstMixed: 0 };
  }
  return foldUnicode(text);
}

/** Runs of characters that are not ASCII; what lies between them only needs lower-casing. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant
const NON_ASCII_RUN = /[^\u0000-\u007f]+/g;

/** A folded text in pieces, with break points: from `folded[i]` on, positions run in step with `origin[i]`. */
class Pieces {
  text = "";
  readonly folded: number[] = [0];
  readonly origin: number[] = [0];
  letters = 0;

  breakAt(origin: number): void {
    this.folded.push(this.text.length);
    this.origin.push(origin);
  }

  originOf(index: number): number {
    let low = 0;
    let high = this.folded.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.folded[middle] as number) <= index) low = middle;
      else high = middle - 1;
    }
    const next = this.origin[low + 1];
    const at = (this.origin[low] as number) + index - (this.folded[low] as number);
    return next === undefined ? at : Math.min(at, next);
  }
}

function foldUnicode(text: string): Folded {
  const out = new Pieces();
  const hidden: Folded["hidden"] = [];
  let from = 0;
  if (isDense(text)) {
    foldRun(text, 0, text.length, out, hidden);
    from = text.length;
  }
  for (const match of from > 0 ? [] : text.matchAll(NON_ASCII_RUN)) {
    out.text += text.slice(from, match.index).toLowerCase();
    foldRun(text, match.index, match.index + match[0].length, out, hidden);
    from = match.index + match[0].length;
  }
  out.text += text.slice(from).toLowerCase();
  const [folded, mixedWords, firstMixed] = out.letters > 0 ? unmix(out.text) : [out.text, 0, 0];
  return {
    text: folded,
    origin: (index) => Math.min(out.originOf(index), text.length),
    hidden,
    mixedWords,
    firstMixed,
  };
}

/** Whether so much of a text is not ASCII that it is cheaper to go over it character by character. */
function isDense(text: string): boolean {
  const step = Math.max(1, text.length >> 8);
  let other = 0;
  let seen = 0;
  for (let i = 0; i < text.length; i += step) {
    seen++;
    if (text.charCodeAt(i) > 127) other++;
  }
  return other * 3 > seen;
}

/** Folds `[start, end)` onto `out`. */
function foldRun(text: string, start: number, end: number, out: Pieces, hidden: Folded["hidden"]): void {
  let codes = buffer;
  if (codes.length < end - start) codes = new Uint16Array(end - start);
  let length = 0;
  const flush = () => {
    out.text += asString(codes, length);
    length = 0;
  };
  let i = start;
  while (i < end) {
    const code = text.charCodeAt(i);
    const folded = code >= 0xd800 && code <= 0xdbff && i + 1 < text.length ? FOLD_SEVERAL : foldCode(code);
    if (folded !== 0 && folded !== FOLD_SEVERAL) {
      if (folded >= 0x370 && folded <= 0x52f) out.letters++;
      codes[length++] = folded;
      i++;
      continue;
    }
    flush();
    const [replacement, width] =
      code >= 0xd800 && code <= 0xdbff ? foldPair(text, i, hidden) : [foldedString(code), 1];
    for (const character of replacement.split("")) {
      if (replacement.length > 1) out.breakAt(i);
      out.text += character;
    }
    i += width;
    if (replacement.length !== width) out.breakAt(i);
  }
  flush();
}

const buffer = new Uint16Array(4096);
const decoder = new TextDecoder("utf-16le");

function asString(codes: Uint16Array, length: number): string {
  if (length > 24) return decoder.decode(codes.subarray(0, length));
  let text = "";
  for (let i = 0; i < length; i++) text += String.fromCharCode(codes[i] as number);
  return text;
}

/** What stands for the character (or run of tags) at `at`, which takes two code units, and how long it is. */
function foldPair(text: string, at: number, hidden: Folded["hidden"]): [string, number] {
  const point = text.codePointAt(at) as number;
  if (point < 0x10000) return [text.charAt(at), 1];
  if (point >= 0xe0000 && point <= 0xe007f) return ["", readTags(text, at, hidden) - at];
  if (point >= 0xe0100 && point <= 0xe01ef) return ["", 2];
  const plain = foldAstral(point);
  return [plain ? String.fromCharCode(plain) : text.slice(at, at + 2), 2];
}

/** Reads a run of tag characters from `from`; returns where it ends. */
function readTags(text: string, from: number, hidden: Folded["hidden"]): number {
  let spelt = "";
  let at = from;
  while (at + 1 < text.length) {
    const point = text.codePointAt(at) as number;
    if (point < 0xe0000 || point > 0xe007f) break;
    if (point >= 0xe0020 && point <= 0xe007e) spelt += String.fromCharCode(point - 0xe0000);
    at += 2;
  }
  if (spelt.length >= FLAG_TAGS) hidden.push({ text: spelt, start: from, end: at });
  return at;
}

/** Cyrillic and Greek letters that look like Latin ones (Unicode confusables.txt, the lower-case part a reader misses). */
const CONFUSABLE = new Map<number, number>(
  [..."аaеeоoрpсcуyхxіiјjѕsԁdһhқkвbнhкkмmтtгrпnԛqԝwӏlοoαaιiνvρpτtυuκkχxηnεeγyβbμuωw"].reduce<
    [number, number][]
  >((pairs, letter, index, all) => {
    if (index % 2 === 0) pairs.push([letter.charCodeAt(0), (all[index + 1] as string).charCodeAt(0)]);
    return pairs;
  }, []),
);

/** Words that hold a letter of Greek or Cyrillic beside others. */
const LETTERS = /[a-z]*[\u0370-\u052f][a-z\u0370-\u052f]*/g;

/** Rewrites look-alikes to Latin in words that mix the scripts; returns how many such words there were and where. */
function unmix(text: string): [string, number, number] {
  let words = 0;
  let first = 0;
  const plain = text.replace(LETTERS, (word, at: number) => {
    if (!/[a-z]/.test(word)) return word;
    let latin = "";
    for (const letter of word) {
      const code = letter.charCodeAt(0);
      const like = code < 128 ? code : CONFUSABLE.get(code);
      if (like === undefined) return word;
      latin += String.fromCharCode(like);
    }
    if (words++ === 0) first = at;
    return latin;
  });
  return [plain, words, first];
}

/** The folded form of a lexicon entry: as {@link normalise}, without the look-alikes of mixed words. */
export function foldEntry(entry: string): string {
  let folded = "";
  for (let i = 0; i < entry.length; i++) {
    const code = foldCode(entry.charCodeAt(i));
    if (code === FOLD_SEVERAL) folded += foldedString(entry.charCodeAt(i));
    else if (code !== 0) folded += String.fromCharCode(code);
  }
  return folded;
}
