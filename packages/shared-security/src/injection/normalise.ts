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

const decoder = new TextDecoder("utf-16le");

class Output {
  codes = new Uint16Array(1024);
  starts = new Uint32Array(1024);
  length = 0;
  constructor(capacity: number) {
    this.grow(capacity);
  }
  grow(capacity: number): void {
    const codes = new Uint16Array(capacity);
    codes.set(this.codes.subarray(0, this.length));
    this.codes = codes;
    const starts = new Uint32Array(capacity + 1);
    starts.set(this.starts.subarray(0, this.length));
    this.starts = starts;
  }
  push(code: number, start: number): void {
    if (this.length === this.codes.length) this.grow(this.length * 2);
    this.codes[this.length] = code;
    this.starts[this.length++] = start;
  }
}

function foldUnicode(text: string): Folded {
  const out = new Output(text.length + 16);
  const hidden: Folded["hidden"] = [];
  let latin = false;
  let other = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code <= 0xdbff && i + 1 < text.length) {
      const point = text.codePointAt(i) as number;
      if (point >= 0xe0000 && point <= 0xe007f) {
        i = readTags(text, i, hidden) - 1;
        continue;
      }
      if (point >= 0xe0100 && point <= 0xe01ef) {
        i++;
        continue;
      }
      const plain = foldAstral(point);
      if (plain) out.push(plain, i);
      else {
        out.push(code, i);
        out.push(text.charCodeAt(i + 1), i + 1);
      }
      i++;
      continue;
    }
    const folded = foldCode(code);
    if (folded === 0) continue;
    if (folded === FOLD_SEVERAL) {
      const several = foldedString(code);
      for (let k = 0; k < several.length; k++) out.push(several.charCodeAt(k), i);
      continue;
    }
    if (folded >= 97 && folded <= 122) latin = true;
    else if (folded >= 0x370 && folded <= 0x52f) other = true;
    out.push(folded, i);
  }
  let mixedWords = 0;
  let firstMixed = 0;
  if (latin && other) [mixedWords, firstMixed] = unmix(out);
  const starts = out.starts;
  const length = out.length;
  return {
    text: decoder.decode(out.codes.subarray(0, length)),
    origin: (index) => (index >= length ? text.length : (starts[index] as number)),
    hidden,
    mixedWords,
    firstMixed,
  };
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

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 0x370 && code <= 0x52f);
}

/** Rewrites look-alikes to Latin in words that mix the scripts; returns how many such words there were and where. */
function unmix(out: Output): [number, number] {
  let words = 0;
  let first = 0;
  let at = 0;
  while (at < out.length) {
    if (!isLetter(out.codes[at] as number)) {
      at++;
      continue;
    }
    const start = at;
    let latin = 0;
    let foreign = 0;
    let confusable = 0;
    while (at < out.length && isLetter(out.codes[at] as number)) {
      const code = out.codes[at] as number;
      if (code < 128) latin++;
      else {
        foreign++;
        if (CONFUSABLE.has(code)) confusable++;
      }
      at++;
    }
    if (latin === 0 || foreign === 0 || confusable !== foreign) continue;
    if (words++ === 0) first = start;
    for (let k = start; k < at; k++)
      out.codes[k] = CONFUSABLE.get(out.codes[k] as number) ?? (out.codes[k] as number);
  }
  return [words, first];
}

/** The folded form of a lexicon entry. */
export function foldEntry(entry: string): string {
  return normalise(entry).text;
}
