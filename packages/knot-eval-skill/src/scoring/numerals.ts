/** Chinese numerals (GB/T 15835 writes both forms): 三十 -> 30, 一千二百 -> 1200, 三点五 -> 3.5, 五千万 -> 50000000. */

const DIGITS: Record<string, number> = {
  零: 0,
  〇: 0,
  一: 1,
  壹: 1,
  二: 2,
  贰: 2,
  两: 2,
  三: 3,
  叁: 3,
  四: 4,
  肆: 4,
  五: 5,
  伍: 5,
  六: 6,
  陆: 6,
  七: 7,
  柒: 7,
  八: 8,
  捌: 8,
  九: 9,
  玖: 9,
};
const SMALL: Record<string, number> = { 十: 10, 拾: 10, 百: 100, 佰: 100, 千: 1000, 仟: 1000 };
const LARGE: Record<string, number> = { 万: 1e4, 萬: 1e4, 亿: 1e8, 億: 1e8 };

/** Characters a Chinese numeral may have, for building regular expressions. */
export const NUMERAL_CHARS = `${Object.keys(DIGITS).join("")}${Object.keys(SMALL).join("")}${Object.keys(LARGE).join("")}点`;

/** @returns the value, or undefined when the text is not a numeral */
export function parseChineseNumeral(text: string): number | undefined {
  const [whole = "", fraction, ...more] = text.split("点");
  if (more.length > 0 || whole === "" || fraction === "") return undefined;
  const value = parseWhole(whole);
  if (value === undefined) return undefined;
  if (fraction === undefined) return value;
  const digits = [...fraction].map((c) => DIGITS[c]);
  if (digits.some((d) => d === undefined)) return undefined;
  return Number(`${value}.${digits.join("")}`);
}

function parseWhole(text: string): number | undefined {
  const chars = [...text];
  // 二零二四, 一二三: digits read one by one.
  if (chars.length > 1 && chars.every((c) => DIGITS[c] !== undefined))
    return Number(chars.map((c) => DIGITS[c]).join(""));
  let total = 0;
  let section = 0;
  let digit: number | undefined;
  let lastUnit = 1;
  for (const char of chars) {
    const value = DIGITS[char];
    if (value !== undefined) {
      if (digit !== undefined && digit !== 0) return undefined;
      digit = value;
      if (value === 0) lastUnit = 1;
      continue;
    }
    const small = SMALL[char];
    if (small !== undefined) {
      section += (digit ?? 1) * small;
      digit = undefined;
      lastUnit = small;
      continue;
    }
    const large = LARGE[char];
    if (large === undefined) return undefined;
    const part = section + (digit ?? 0);
    if (part === 0 && total === 0) return undefined;
    total = large === 1e8 ? (total + part) * large : total + part * large;
    section = 0;
    digit = undefined;
    lastUnit = large;
  }
  // 一百二 is 120, 一万五 is 15000: a final digit right after a unit counts in the next lower one.
  if (digit !== undefined) section += lastUnit >= 100 && digit !== 0 ? digit * (lastUnit / 10) : digit;
  return total + section;
}
