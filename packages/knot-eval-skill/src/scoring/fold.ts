import { type Mapped, replaceMapped } from "./mapped.ts";

/**
 * Character folding before any comparison: Unicode NFKC (UAX #15), lower case, zero-width characters out, and one
 * sign for all forms of a quote, dash, multiplication or comparison sign.
 */

// Zero-width and formatting characters, soft hyphen, variation selectors.
const INVISIBLE_RANGES: readonly (readonly [number, number])[] = [
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];

function isInvisible(char: string): boolean {
  const code = char.codePointAt(0) ?? 0;
  return code >= 0xad && INVISIBLE_RANGES.some(([from, to]) => from <= code && code <= to);
}

const SIGNS = new Map<string, string>([
  ..."“”„‟«»「」『』〝〞＂".split("").map((c) => [c, '"'] as const),
  ..."‘’‚‛′＇`´".split("").map((c) => [c, "'"] as const),
  ..."‐‑‒–—―−－﹣﹘ー─".split("").map((c) => [c, "-"] as const),
  ..."✕✖⨯╳∗＊⋅".split("").map((c) => [c, "*"] as const),
  ["×", "*"],
  ["㎡", "平方米"],
  ["㎥", "立方米"],
  ["≦", "≤"],
  ["⩽", "≤"],
  ["≧", "≥"],
  ["⩾", "≥"],
  ["÷", "/"],
  ["〜", "~"],
  ["～", "~"],
  ["∼", "~"],
  ["≈", "~"],
  ["≒", "~"],
  ["→", "→"],
  ["➔", "→"],
  ["➜", "→"],
  ["⇒", "→"],
  ["・", "·"],
  ["•", "·"],
  ["‧", "·"],
  ["￥", "¥"],
  // A full-width comma never groups digits, an ASCII comma may: they stay different until numbers are read.
  ["，", "，"],
]);

function foldCharacter(char: string): string {
  const sign = SIGNS.get(char);
  if (sign !== undefined) return sign;
  if (isInvisible(char)) return "";
  const folded = char.normalize("NFKC").toLowerCase();
  const again = folded.length === 1 ? SIGNS.get(folded) : undefined;
  return again ?? folded;
}

/** Folds characters one by one (offsets stay known), then the multi-character signs `<=`, `->`, HTML tags, white space. */
export function fold(original: string): Mapped {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let offset = 0;
  for (const char of original) {
    const folded = char.codePointAt(0) === 10 ? "\n" : foldCharacter(char);
    for (let i = 0; i < folded.length; i++) {
      starts.push(offset);
      ends.push(offset + char.length);
    }
    parts.push(folded);
    offset += char.length;
  }
  let mapped: Mapped = { text: parts.join(""), starts, ends };
  mapped = replaceMapped(
    mapped,
    /<(br|p|li|tr|div)\b[^<>]{0,80}>|<\/?[a-z][a-z0-9]{0,10}(\s[^<>]{0,80})?>/g,
    (m) => (m[1] ? "\n" : ""),
  );
  // Markdown emphasis and code marks are no part of the text: **30** 天, `token`.
  mapped = replaceMapped(mapped, /(?<!\d)\*{2,3}|\*{2,3}(?!\d)|__(?=\S)|(?<=\S)__/g, () => "");
  mapped = replaceMapped(mapped, /<=|=<|>=|=>|!=|<>|-{1,6}>/g, (m) => {
    if (m[0] === "<=" || m[0] === "=<") return "≤";
    if (m[0] === ">=" || m[0] === "=>") return "≥";
    return m[0] === "!=" || m[0] === "<>" ? "≠" : "→";
  });
  return replaceMapped(mapped, /[^\S\n]+/g, () => " ");
}

/** Latin letters and digits, for which word borders matter. */
export function isWordChar(char: string | undefined): boolean {
  return char !== undefined && /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}0-9]/u.test(char);
}

/** Han, Kana, Hangul. */
export function isCjk(char: string | undefined): boolean {
  return (
    char !== undefined &&
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(char)
  );
}
