/**
 * One UTF-16 code unit (or an astral letter form) to what a reader takes it for: lower case, no accents, full width and
 * styled letters as plain ones. Whole words are looked at in normalise.ts.
 */
const DROP = "";
/** Small capitals and other Latin look-alikes that Unicode compatibility mapping (NFKC) leaves alone. */
const LOOKALIKE = new Map<string, string>(
  Object.entries({
    ı: "i",
    ł: "l",
    đ: "d",
    ø: "o",
    ß: "ss",
    æ: "ae",
    œ: "oe",
    ħ: "h",
    ŧ: "t",
    ʋ: "v",
    ɱ: "m",
    ȷ: "j",
    ᴀ: "a",
    ʙ: "b",
    ᴄ: "c",
    ᴅ: "d",
    ᴇ: "e",
    ꜰ: "f",
    ɢ: "g",
    ʜ: "h",
    ɪ: "i",
    ᴊ: "j",
    ᴋ: "k",
    ʟ: "l",
    ᴍ: "m",
    ɴ: "n",
    ᴏ: "o",
    ᴘ: "p",
    ʀ: "r",
    ꜱ: "s",
    ᴛ: "t",
    ᴜ: "u",
    ᴠ: "v",
    ᴡ: "w",
    ʏ: "y",
    ᴢ: "z",
    ɑ: "a",
    ɡ: "g",
    ɩ: "i",
    "‘": "'",
    "’": "'",
    "‛": "'",
    ʼ: "'",
    "′": "'",
    "＇": "'",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "‐": "-",
    "‑": "-",
    "‒": "-",
    "–": "-",
    "—": "-",
    "−": "-",
  }),
);
/**
 * What a reader sees nothing of (Unicode `Default_Ignorable_Code_Point`), and Arabic vowel signs, which writers leave
 * out at will. ZWJ and ZWNJ included: here only words count, not their shape. Ranges, inclusive.
 */
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x0610, 0x061a],
  [0x061c, 0x061c],
  [0x0640, 0x0640],
  [0x064b, 0x065f],
  [0x0670, 0x0670],
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
];

function isInvisible(character: string): boolean {
  const code = character.charCodeAt(0);
  return INVISIBLE.some(([from, to]) => code >= from && code <= to);
}

const ACCENT = /[\u0300-\u036f]/g;
const ALPHABETIC = /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;

/** The folded form of one character, "" when it is to be dropped. */
export function foldCharacter(character: string): string {
  if (isInvisible(character)) return DROP;
  if (ACCENT.test(character)) {
    ACCENT.lastIndex = 0;
    return DROP;
  }
  let folded = LOOKALIKE.get(character) ?? character.normalize("NFKC").toLowerCase();
  if (ALPHABETIC.test(folded)) folded = folded.normalize("NFD").replace(ACCENT, "");
  let out = "";
  for (const part of folded) out += LOOKALIKE.get(part) ?? part;
  return out;
}

const NOT_YET = 0xfffe;
const SEVERAL = 0xffff;
const table = new Uint16Array(0x10000).fill(NOT_YET);
const several = new Map<number, string>();

/** Folded code of a BMP code unit: 0 drops it, {@link FOLD_SEVERAL} asks {@link foldedString}. */
export function foldCode(code: number): number {
  const known = table[code] as number;
  return known === NOT_YET ? learn(code) : known;
}
export const FOLD_SEVERAL: number = SEVERAL;

export function foldedString(code: number): string {
  return several.get(code) ?? "";
}

function learn(code: number): number {
  // A lone surrogate stands for itself; pairs are read by foldAstral.
  const folded =
    code >= 0xd800 && code <= 0xdfff ? String.fromCharCode(code) : foldCharacter(String.fromCharCode(code));
  let result = SEVERAL;
  if (folded.length === 0) result = 0;
  else if (folded.length === 1 && folded.charCodeAt(0) < NOT_YET) result = folded.charCodeAt(0);
  else several.set(code, folded);
  table[code] = result;
  return result;
}

/**
 * ASCII code that a supplementary-plane character stands for, or 0: mathematical alphanumerics (1D400-1D7FF), enclosed
 * and regional letters (1F130-1F1FF) and outlined ones (1CCD6-1CCF9).
 */
export function foldAstral(point: number): number {
  if (point >= 0x1d400 && point <= 0x1d7ff) {
    const plain = foldCharacter(String.fromCodePoint(point));
    return plain.length === 1 ? plain.charCodeAt(0) : 0;
  }
  const base =
    point >= 0x1f130 && point <= 0x1f149
      ? 0x1f130
      : point >= 0x1f150 && point <= 0x1f169
        ? 0x1f150
        : point >= 0x1f170 && point <= 0x1f189
          ? 0x1f170
          : point >= 0x1f1e6 && point <= 0x1f1ff
            ? 0x1f1e6
            : point >= 0x1ccd6 && point <= 0x1ccef
              ? 0x1ccd6
              : 0;
  return base === 0 ? 0 : 97 + point - base;
}
