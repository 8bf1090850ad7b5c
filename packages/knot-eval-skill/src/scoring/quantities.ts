import { type Mapped, replaceMapped } from "./mapped.ts";
import { NUMERAL_CHARS, parseChineseNumeral } from "./numerals.ts";
import { canonicalUnit, NUMERAL_UNIT_SOURCE, UNIT_SOURCE } from "./units.ts";

/**
 * Rewrites every quantity of a folded text in one form, so that 5千, 5,000, 五千 and 0.5万 become equal and a
 * number is one indivisible token ("70" is not in "170"). Private-use marks bound the tokens:
 * NUM value END, then UNIT unit.
 */
export const NUM = "\ue001";
export const END = "\ue002";
export const UNIT = "\ue003";

/** A number token anywhere in a text. */
export const NUMBER_TOKEN = /\ue001([^\ue002]*)\ue002/g;

const MULTIPLIERS: Record<string, number> = {
  十: 10,
  百: 100,
  千: 1e3,
  万: 1e4,
  十万: 1e5,
  百万: 1e6,
  千万: 1e7,
  亿: 1e8,
  k: 1e3,
};
const HOUR_SHIFT: Record<string, number> = { 下午: 12, 晚上: 12, 傍晚: 12 };

/** Digits inside a token are moved out of the way, so that no later step reads them again. */
const DIGIT_BASE = 0xe010;

function token(value: string): string {
  return `${NUM}${value.replace(/\d/g, (d) => String.fromCharCode(DIGIT_BASE + Number(d)))}${END}`;
}

function readable(inner: string): string {
  return inner.replace(/[\ue010-\ue019]/g, (c) => String(c.charCodeAt(0) - DIGIT_BASE));
}

/** Already encoded text as a token. */
function wrap(inner: string): string {
  return `${NUM}${inner}${END}`;
}

/** Shortest decimal form; ids (leading zero, more than 15 digits) stay text. */
function canonicalNumber(digits: string, multiplier = 1): string {
  const plain = digits.replaceAll(",", "");
  if (multiplier === 1 && (/^0\d{2,}$/.test(plain) || plain.replace(/\D/g, "").length > 15)) return plain;
  const value = Number(plain) * multiplier;
  return Number.isFinite(value) ? String(Number(value.toPrecision(15))) : plain;
}

function hourShift(half: string | undefined, hour: string): number {
  const value = Number(hour);
  return value + (half !== undefined && value < 12 ? (HOUR_SHIFT[half] ?? 0) : 0);
}

const DIGITS = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\d,])|\d+(?:\.\d+)?`;
const NUMERAL_RUN = `[${NUMERAL_CHARS}]+`;
const COMPOSITE = new RegExp(`(第?)(${NUMERAL_RUN})(?=(${NUMERAL_UNIT_SOURCE})|)`, "g");

/** 三十 and 五千 are numbers on their own; one character needs a unit or 第. */
function numeralReplacement(match: RegExpExecArray): string | undefined {
  const [, ordinal = "", run = "", unit] = match;
  // The run may have swallowed 点 as a full stop or measure word: 三点 -> 三 + 点.
  const body = run.replace(/点+$/, "");
  const tail = run.slice(body.length);
  const value = parseChineseNumeral(body);
  if (value === undefined) return undefined;
  const leads = /^[一二两三四五六七八九壹贰叁肆伍陆柒捌玖十拾]/.test(body);
  const composite =
    (leads && body.length >= 2 && /[十百千万亿拾佰仟]/.test(body)) ||
    /^[零〇一二三四五六七八九]{4}$/.test(body);
  if (!composite && ordinal === "" && unit === undefined && tail === "") return undefined;
  if (!composite && tail !== "" && unit === undefined && ordinal === "") return undefined;
  return `${ordinal}${token(canonicalNumber(String(value)))}${tail}`;
}

const steps: readonly [RegExp, (match: RegExpExecArray) => string | undefined][] = [
  // 7x24 and 1920 x 1080 are products.
  [/(?<=\d)\s?x\s?(?=\d)/g, () => "*"],
  // Dates: 2024-05-01, 2024/5/1, 2024.5.1 -> the parts of 2024年5月1日.
  [
    /(?<![\d.-])((?:19|20)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.-])/g,
    (m) =>
      `${token(m[1] ?? "")}${UNIT}年${token(canonicalNumber(m[3] ?? ""))}月${token(canonicalNumber(m[4] ?? ""))}${UNIT}天`,
  ],
  [
    /(?<![\d.-])((?:19|20)\d{2})-(0[1-9]|1[0-2])(?![\d.-])/g,
    (m) => `${token(m[1] ?? "")}${UNIT}年${token(canonicalNumber(m[2] ?? ""))}月`,
  ],
  // Times of day.
  [
    /(上午|下午|晚上|傍晚|早上|凌晨)?\s?(?<![\d.:])([01]?\d|2[0-4]):([0-5]\d)(?![\d:.])/g,
    (m) => token(`t${hourShift(m[1], m[2] ?? "")}:${m[3]}`),
  ],
  [
    /(上午|下午|晚上|傍晚|早上|凌晨)\s?(\d{1,2}|[一二三四五六七八九十]{1,2})[点时](半|整|(\d{1,2})分?)?/g,
    (m) => {
      const hour = /\d/.test(m[2] ?? "") ? Number(m[2]) : parseChineseNumeral(m[2] ?? "");
      if (hour === undefined) return undefined;
      const minutes = m[3] === "半" ? "30" : (m[4] ?? "00").padStart(2, "0");
      return token(`t${hourShift(m[1], String(hour))}:${minutes}`);
    },
  ],
  [
    /(?<![\d.])(\d{1,2})点(半|(\d{1,2})分)/g,
    (m) => token(`t${Number(m[1])}:${m[2] === "半" ? "30" : (m[3] ?? "").padStart(2, "0")}`),
  ],
  // Versions and addresses with more than one dot, and v1.10 / 版本1.10, are names, not numbers.
  [/(?<![\d.\p{L}])v?(\d+(?:\.\d+){2,})(?![\d])/gu, (m) => token(`v${m[1]}`)],
  [
    /(?:(?<![\p{L}\d])v(?:er(?:sion)?)?\.?\s?|版本号?\s?)(\d+(?:\.\d+)?)(?![\d.])/gu,
    (m) => (m[0].startsWith("版") ? `版本${token(`v${m[1]}`)}` : token(`v${m[1]}`)),
  ],
  [/(?<![\d.\p{L}])(\d+\.\d+)\s?版本?/gu, (m) => `版本${token(`v${m[1]}`)}`],
  // Shares: 百分之五十, 五成.
  [
    new RegExp(`百分之(${DIGITS}|${NUMERAL_RUN})`, "g"),
    (m) => {
      const text = m[1] ?? "";
      const value = /^\d/.test(text) ? Number(text.replaceAll(",", "")) : parseChineseNumeral(text);
      return value === undefined ? undefined : `${token(canonicalNumber(String(value)))}${UNIT}%`;
    },
  ],
  [
    /(?<![\d.])(\d(?:\.\d)?|[一二三四五六七八九])成(?!员|本|功|绩|果|为|长|立|分|交|熟|都|就|人|效)/g,
    (m) => {
      const value = /\d/.test(m[1] ?? "") ? Number(m[1]) : parseChineseNumeral(m[1] ?? "");
      return value === undefined ? undefined : `${token(canonicalNumber(String(value), 10))}${UNIT}%`;
    },
  ],
  [/半(?=(小时|个小时|年|天|个月)(?!度))/g, () => token("0.5")],
  [COMPOSITE, numeralReplacement],
  // A Chinese numeral's digits may be followed by a Western multiplier form: handled above; now Western digits.
  [
    new RegExp(
      String.raw`(?<![\p{Script=Latin}\d.\ue001]|\d,)([-+](?=\d))?(${DIGITS})\s?(百万|千万|十万|亿|万|千(?!克|米|瓦|卡|字|赫|伏)|百(?!分)|k(?![\p{Script=Latin}\d]))?(?![\d])`,
      "gu",
    ),
    (m) => {
      const [, sign, digits = "", multiplier] = m;
      const value = canonicalNumber(digits, multiplier ? (MULTIPLIERS[multiplier] ?? 1) : 1);
      if (sign === undefined) return token(value);
      const before = m.input[m.index - 1];
      // A minus right after a letter, digit or bracket joins a name or a range: it is no sign.
      const joins = before !== undefined && /[\p{L}\d)\]\ue002%]/u.test(before);
      if (sign === "+" || joins) return `${sign}${token(value)}`;
      return token(`-${value}`);
    },
  ],
  [/零下\s?\ue001/g, () => `${NUM}-`],
  // Currency signs before a number become the unit after it.
  [/¥\s?\ue001([^\ue002]*)\ue002(?:\s?(?:元|块钱|块|人民币))?/g, (m) => `${wrap(m[1] ?? "")}${UNIT}元`],
  [
    /(?:rmb|cny|人民币)\s?\ue001([^\ue002]*)\ue002(?:\s?(?:元|块钱|块))?/g,
    (m) => `${wrap(m[1] ?? "")}${UNIT}元`,
  ],
  [/\$\s?\ue001([^\ue002]*)\ue002/g, (m) => `${wrap(m[1] ?? "")}${UNIT}美元`],
  [/(working|business)\s(days?)/g, (m) => `${m[1]}${m[2]}`],
  // Units, glued to their number.
  [new RegExp(`\\ue002[\\s-]?(${UNIT_SOURCE})`, "g"), (m) => `${END}${UNIT}${canonicalUnit(m[1] ?? "")}`],
  [/\ue003元整/g, () => `${UNIT}元`],
  // One number, a range of numbers: 3-5天, 3天到5天.
  [
    /\ue001(-?[\ue010-\ue019.]+)\ue002(?:\ue003([^\ue001-\ue003\s]{1,3}?))?\s?(-|~|至|到)\s?\ue001([\ue010-\ue019.]+)\ue002(?:\ue003(%|[\p{L}°]{1,4}))?/gu,
    (m) => {
      const [, from = "", unit, separator, to = "", nextUnit] = m;
      const low = Number(readable(from));
      const high = Number(readable(to));
      const year = (n: number) => n >= 1900 && n <= 2100;
      if (!(low < high) || (unit !== undefined && nextUnit !== undefined && !nextUnit.startsWith(unit)))
        return undefined;
      if (year(low) && year(high)) return undefined;
      if (separator === "-" && (from.length > 4 || to.length > 4)) return undefined;
      return `${wrap(`${from}~${to}`)}${nextUnit === undefined ? (unit === undefined ? "" : UNIT + unit) : UNIT + nextUnit}`;
    },
  ],
];

/** Comparison words next to a number become a sign before it; `30天以内` and `不超过30天` are both `≤30天`. */
const comparisons: readonly [RegExp, (match: RegExpExecArray) => string | undefined][] = [
  [
    /(?:不超过|不得超过|不能超过|不可超过|不应超过|不大于|不高于|不多于|不长于|小于等于|小于或等于|小于或者等于|至多|最多|上限为|上限是|不晚于|不迟于)(?:为|是)?\s?(?=\ue001)/g,
    () => "≤",
  ],
  [
    /(?:不少于|不得少于|不能少于|不低于|不得低于|不能低于|不小于|不短于|大于等于|大于或等于|大于或者等于|至少|最少|起码|下限为|下限是|at least )(?:为|是|需要?|要|有)?\s?(?=\ue001)/g,
    () => "≥",
  ],
  [/(?:no more than|up to|at most) (?=\ue001)/g, () => "≤"],
  [/(?<!不得?|不能|不可|未|没有?)(?:大于|超过|多于|高于|超出|more than )\s?(?=\ue001)/g, () => ">"],
  [/(?<!不得?|不能|不可|未)(?:小于|少于|低于|不足|不满|不到|未满|less than )\s?(?=\ue001)/g, () => "<"],
  [
    /(\ue001[^\ue002]*\ue002(?:\ue003[^\ue001-\ue003\s，。,.;；、()]{1,4}?)?)\s?(?:\(含\)|（含）)?(?:及|或|或者|和)?(以内|之内|以下|以上|起步|及以上)/g,
    (m) => {
      const sign = m[2]?.endsWith("上") || m[2] === "起步" ? "≥" : "≤";
      const before = m.input[m.index - 1];
      return before !== undefined && "≤≥<>".includes(before) ? m[1] : `${sign}${m[1]}`;
    },
  ],
  [
    /(?<![≤≥<>])(\ue001[^\ue002]*\ue002\ue003(?:天|小时|分钟|毫秒|秒|个工作日|个月|年|周))内(?![部容存网置地外])/g,
    (m) => `≤${m[1]}`,
  ],
  [
    /([≤≥<>]\ue001[^\ue002]*\ue002\ue003(?:天|小时|分钟|毫秒|秒|个工作日|个月|年|周))内(?![部容存网置地外])/g,
    (m) => m[1],
  ],
  [/([<>≤≥≠=])\s+(?=\ue001)/g, (m) => m[1]],
];

/** Applies all steps to a folded text. */
export function normaliseQuantities(folded: Mapped): Mapped {
  let mapped = folded;
  for (const [pattern, replacement] of steps) mapped = replaceMapped(mapped, pattern, replacement);
  for (const [pattern, replacement] of comparisons) mapped = replaceMapped(mapped, pattern, replacement);
  return mapped;
}

/** Values of all number tokens of a canonical text, in order. */
export function numbersIn(canonical: string): string[] {
  return [...canonical.matchAll(NUMBER_TOKEN)].map((m) => readable(m[1] ?? ""));
}
