/**
 * What single characters look like, as tables of UTF-16 code units. Sources: Unicode 16 (general categories Cf, Zs, Nd
 * and Pd, `Default_Ignorable_Code_Point`), UTS 39 confusables for Latin letters, GB/T 15835 and radio custom for digits
 * written in Chinese.
 */

/** Shows nothing: leave it out. */
export const DROP = 0;
/** What it is depends on its neighbours: see `fold.ts`. */
export const DEPENDS = 1;

const UNITS = 0x10000;

/** For each code unit what it folds to: itself, another one, {@link DROP} or {@link DEPENDS}. */
export const FOLDED: Uint16Array = new Uint16Array(UNITS);
/** Digit that a unit stands for in a row of its kind (circled, raised, Chinese), plus one; 0 for none. */
export const DIGIT_OF: Uint8Array = new Uint8Array(UNITS);
/** The Latin letter that a Cyrillic, Greek or other letter is drawn like; 0 for none. */
export const LOOKS_LIKE: Uint16Array = new Uint16Array(UNITS);

const each = (from: number, to: number, set: (unit: number, index: number) => void): void => {
  for (let unit = from; unit <= to; unit++) set(unit, unit - from);
};
const all = (characters: string, to: number): void => {
  for (const character of characters) FOLDED[character.charCodeAt(0)] = to;
};

each(0, UNITS - 1, (unit) => {
  FOLDED[unit] = unit;
});

// Invisible. Control characters too: text of two bytes a character read as one has a NUL behind each letter.
const INVISIBLE_RANGES = [
  [0x00, 0x08],
  [0x0e, 0x1a],
  [0x1c, 0x1f],
  [0x7f, 0x84],
  [0x86, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x202a, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xfffb],
] as const;
for (const [from, to] of INVISIBLE_RANGES)
  each(from, to, (unit) => {
    FOLDED[unit] = DROP;
  });

all(
  "\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\u2800",
  0x20,
);
all("\u2028\u2029\u0085", 0x0a);
all("\u2010\u2011\u2012\u2013\u2014\u2015\u2043\u2212\ufe58\ufe63", 0x2d);

// ESC begins the control sequences of terminals.
FOLDED[0x1b] = DEPENDS;

each(0xff01, 0xff5e, (unit, index) => {
  FOLDED[unit] = 0x21 + index;
});

/** Where the ten digits of the scripts of the world begin (Nd, BMP). */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xde6, 0xe50, 0xed0,
  0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90, 0x1b50, 0x1bb0, 0x1c40, 0x1c50,
  0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0,
];
for (const zero of ZEROS)
  each(zero, zero + 9, (unit, index) => {
    FOLDED[unit] = 0x30 + index;
  });

const digit = (unit: number, value: number): void => {
  FOLDED[unit] = DEPENDS;
  DIGIT_OF[unit] = value + 1;
};
for (const first of [0x2460, 0x2776, 0x2780, 0x278a]) each(first, first + 8, (unit, i) => digit(unit, i + 1));
digit(0x24ea, 0);
digit(0x24ff, 0);
each(0x2074, 0x2079, (unit, i) => digit(unit, i + 4));
each(0x2080, 0x2089, (unit, i) => digit(unit, i));
digit(0x2070, 0);
for (const [value, character] of [..."\u00b9\u00b2\u00b3"].entries())
  digit(character.charCodeAt(0), value + 1);

/** Digits in Chinese characters, the banker's forms and those of the radio (幺 1, 两 2, 拐 7, 勾 9, 洞 0). */
const CHINESE = ["零〇洞", "一壹幺", "二贰两", "三叁", "四肆", "五伍", "六陆", "七柒拐", "八捌", "九玖勾"];
CHINESE.forEach((characters, value) => {
  for (const character of characters) digit(character.charCodeAt(0), value);
});
/** The first code unit of the Chinese digits: below are rows of one kind, above are words as well. */
export const FIRST_CHINESE_DIGIT = 0x3007;

each(0x24b6, 0x24cf, (unit, i) => {
  FOLDED[unit] = 0x41 + i;
});
each(0x24d0, 0x24e9, (unit, i) => {
  FOLDED[unit] = 0x61 + i;
});

// Marks on a letter, and dots and strokes that are part of a word or of a number.
const COMBINING_RANGES = [
  [0x300, 0x34e],
  [0x350, 0x36f],
  [0x20d0, 0x20f0],
] as const;
for (const [from, to] of COMBINING_RANGES)
  each(from, to, (unit) => {
    FOLDED[unit] = DEPENDS;
  });
all("\u00b7\u2022\u2027\u2219\u3002\u30fb\uff61\u30fc", DEPENDS);

const CONFUSABLES: Readonly<Record<string, string>> = {
  A: "АΑ",
  a: "аα",
  B: "ВΒ",
  C: "СϹ",
  c: "сϲ",
  D: "Ꭰ",
  E: "ЕΕ",
  e: "е",
  G: "Ԍ",
  H: "НΗ",
  h: "һ",
  I: "ІӀΙ",
  i: "іι",
  J: "Ј",
  j: "јϳ",
  K: "КΚ",
  k: "кκ",
  L: "Ꮮ",
  l: "ӏ",
  M: "МΜ",
  N: "Ν",
  n: "ո",
  O: "ОΟ",
  o: "оο",
  P: "РΡ",
  p: "рρ",
  Q: "Ԛ",
  q: "ԛ",
  R: "Ꭱ",
  S: "Ѕ",
  s: "ѕ",
  T: "ТΤ",
  U: "Ս",
  u: "ս",
  V: "Ѵ",
  v: "ѵν",
  W: "Ԝ",
  w: "ԝ",
  X: "ХΧ",
  x: "хχ",
  Y: "ҮΥ",
  y: "уγ",
  Z: "Ζ",
};
for (const [letter, characters] of Object.entries(CONFUSABLES)) {
  for (const character of characters) {
    FOLDED[character.charCodeAt(0)] = DEPENDS;
    LOOKS_LIKE[character.charCodeAt(0)] = letter.charCodeAt(0);
  }
}

// Beyond the BMP: mathematical letters and digits, enclosed letters, digits of segments, tags and selectors.
for (const high of [0xd835, 0xd83c, 0xd83e, 0xdb40]) FOLDED[high] = DEPENDS;

/** What a character beyond the BMP folds to; {@link DROP}, or undefined for "itself". */
export function foldAstral(code: number): number | undefined {
  if (code >= 0xe0000 && code <= 0xe0fff) return DROP;
  if (code >= 0x1d400 && code <= 0x1d6a3) {
    const index = (code - 0x1d400) % 52;
    return index < 26 ? 0x41 + index : 0x61 + index - 26;
  }
  if (code >= 0x1d7ce && code <= 0x1d7ff) return 0x30 + ((code - 0x1d7ce) % 10);
  if (code >= 0x1fbf0 && code <= 0x1fbf9) return 0x30 + code - 0x1fbf0;
  for (const first of [0x1f130, 0x1f150, 0x1f170])
    if (code >= first && code < first + 26) return 0x41 + code - first;
  return undefined;
}
