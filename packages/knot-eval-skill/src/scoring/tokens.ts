/**
 * Marks inside canonical texts (Unicode private use): NUM value END, and for a unit UNIT name UNIT_END. A number is
 * one indivisible token, so "70" is not in "170".
 */
export const NUM = "\ue001";
export const END = "\ue002";
export const UNIT = "\ue003";
export const UNIT_END = "\ue004";

/** Regex sources: any number token, any unit token. */
export const ANY_NUMBER = "\\ue001[^\\ue002]*\\ue002";
export const ANY_UNIT = "\\ue003[^\\ue004]*\\ue004";

/** Digits inside a token are moved out of the way, so that no later step reads them again. */
const DIGIT_BASE = 0xe010;

/** A number token for a value in plain digits. */
export function numberToken(value: string): string {
  return `${NUM}${value.replace(/\d/g, (d) => String.fromCharCode(DIGIT_BASE + Number(d)))}${END}`;
}

export function unitToken(name: string): string {
  return `${UNIT}${name}${UNIT_END}`;
}

/** Token digits as ordinary ones. */
export function plainDigits(inner: string): string {
  return inner.replace(/[\ue010-\ue019]/g, (c) => String(c.charCodeAt(0) - DIGIT_BASE));
}

/** True for the marks themselves and for encoded digits. */
export function isMark(char: string): boolean {
  return char >= "\ue001" && char <= "\ue019";
}

/** Values of all number tokens of a canonical text, in order. */
export function numbersIn(canonical: string): string[] {
  return [...canonical.matchAll(/\ue001([^\ue002]*)\ue002/g)].map((m) => plainDigits(m[1] ?? ""));
}
