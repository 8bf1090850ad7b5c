const WEIGHTS = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECK_CHARACTERS = "10X98765432";

/** First two digits of the administrative codes of GB/T 2260: mainland provinces, and 81-83 for residence permits. */
const PROVINCES = new Set(
  "11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65 71 81 82 83".split(
    " ",
  ),
);

/**
 * A Chinese citizen identity number: GB 11643-1999 (18 characters, ISO 7064 MOD 11-2 check character).
 * Province, a possible birth date not in the future, and the check character must all hold.
 * @param id 17 digits and a digit or X, no separators.
 */
export function isCnId(id: string): boolean {
  if (!/^\d{17}[\dXx]$/.test(id) || !PROVINCES.has(id.slice(0, 2))) return false;
  if (!isBirthDate(Number(id.slice(6, 10)), Number(id.slice(10, 12)), Number(id.slice(12, 14)))) return false;
  let sum = 0;
  for (let i = 0; i < 17; i++) sum += (id.charCodeAt(i) - 48) * (WEIGHTS[i] as number);
  return CHECK_CHARACTERS[sum % 11] === id.slice(17).toUpperCase();
}

/**
 * An identity number that was read as a JSON number: beyond 2^53 the last digits are rounded, so its check digit is lost;
 * province and birth date must hold.
 */
export function isRoundedCnId(id: string): boolean {
  return (
    /^\d{18}$/.test(id) &&
    String(Number(id)) === id &&
    PROVINCES.has(id.slice(0, 2)) &&
    isBirthDate(Number(id.slice(6, 10)), Number(id.slice(10, 12)), Number(id.slice(12, 14)))
  );
}

/** The 15-digit number of before 1999 (GB 11643-1989): no check digit, so province and date only; ask for context. */
export function isOldCnId(id: string): boolean {
  return (
    /^\d{15}$/.test(id) &&
    PROVINCES.has(id.slice(0, 2)) &&
    isBirthDate(1900 + Number(id.slice(6, 8)), Number(id.slice(8, 10)), Number(id.slice(10, 12)))
  );
}

function isBirthDate(year: number, month: number, day: number): boolean {
  if (year < 1900 || month < 1 || month > 12 || day < 1) return false;
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getTime() <= Date.now();
}
