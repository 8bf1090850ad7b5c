/** The 31 characters of GB 32100-2015: digits and capitals without I, O, S, V, Z. */
const ALPHABET = "0123456789ABCDEFGHJKLMNPQRTUWXY";
const WEIGHTS = [1, 3, 9, 27, 19, 26, 16, 17, 20, 29, 25, 13, 8, 24, 10, 30, 28];

/**
 * A unified social credit code of a Chinese organisation: GB 32100-2015 (18 characters, modulo 31).
 * @param code capitals and digits, no separators.
 */
export function isCnCompanyCode(code: string): boolean {
  if (code.length !== 18) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) {
    const value = ALPHABET.indexOf(code[i] as string);
    if (value < 0) return false;
    sum += value * (WEIGHTS[i] as number);
  }
  return ALPHABET[(31 - (sum % 31)) % 31] === code[17];
}
