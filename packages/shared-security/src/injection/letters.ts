/** Gap: what may stand between the words of an entry. */
export const GAP = 1;
export const SYMBOLS = 49;
/** ASCII code to column of the transition table: 0 none, 1 gap, 2-27 letters, 28-37 digits, then the signs of entries. */
export const COLUMN = new Uint8Array(128);
for (const code of [9, 10, 11, 12, 13, 32, 45, 95]) COLUMN[code] = GAP;
for (let i = 0; i < 26; i++) COLUMN[97 + i] = 2 + i;
for (let i = 0; i < 10; i++) COLUMN[48 + i] = 28 + i;
for (const [index, sign] of [..."'./=+~,"].entries()) COLUMN[sign.charCodeAt(0)] = 38 + index;
// Signs that stand for letters in leetspeak: no entry holds them, but a walk may pass them.
for (const [index, sign] of [..."@$!"].entries()) COLUMN[sign.charCodeAt(0)] = 45 + index;

/** Letters that digits and signs stand for in leetspeak, most usual first. */
export const LEET = new Map<number, readonly number[]>(
  Object.entries({
    "0": "o",
    "1": "il",
    "3": "e",
    "4": "a",
    "5": "s",
    "7": "t",
    "@": "a",
    $: "s",
    "!": "i",
  }).map(([sign, letters]) => [sign.charCodeAt(0), [...letters].map((letter) => letter.charCodeAt(0))]),
);

/** 1 for the signs of {@link LEET}, by ASCII code. */
export const IS_LEET = new Uint8Array(128);
for (const code of LEET.keys()) IS_LEET[code] = 1;

/** Letters of scripts that part words by spaces and write them with one code a letter: Latin, Greek, Cyrillic, Armenian. */
export function joinsWord(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  return (code >= 0xc0 && code <= 0x58f) || (code >= 0x1e00 && code <= 0x1fff);
}

export function isGap(code: number): boolean {
  return code < 128 && COLUMN[code] === GAP;
}

export function isWide(code: number): boolean {
  return code >= 0x0e00;
}

export const LETTER = 1;
export const SIGN = 2;
/** What an entry may begin with, by ASCII code: a letter or digit (at a word start), a sign (anywhere), or nothing. */
export const START = new Uint8Array(128);
for (let code = 0; code < 128; code++) {
  if (joinsWord(code)) START[code] = LETTER;
  else if ((COLUMN[code] as number) > GAP) START[code] = SIGN;
}
