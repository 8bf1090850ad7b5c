import { normaliseComparisons } from "./comparisons.ts";
import { type Mapped, type Rewrite, rewriteAll } from "./mapped.ts";
import { NUMERAL_CHARS, parseChineseNumeral } from "./numerals.ts";
import { NUM, plainDigits, numberToken as token, unitToken } from "./tokens.ts";
import { canonicalUnit, NUMERAL_UNIT_SOURCE, UNIT_SOURCE } from "./units.ts";

/**
 * Rewrites every quantity of a folded text in one form, so that 5千, 5,000, 五千 and 0.5万 become equal.
 */

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

/** Already encoded text as a token. */
function wrap(inner: string): string {
  return `${NUM}${inner}\ue002`;
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
/** Longer runs are no numerals; the limit keeps the search linear. */
const NUMERAL_RUN = `(?<![${NUMERAL_CHARS}])[${NUMERAL_CHARS}]{1,24}(?![${NUMERAL_CHARS}])`;
const NUMERAL_PART = `[${NUMERAL_CHARS}]{1,24}`;
const COMPOSITE = new RegExp(`(第?)(?<!\\d\\s?)(${NUMERAL_RUN})(?=(${NUMERAL_UNIT_SOURCE})|)`, "g");

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

function rangeReplacement(m: RegExpExecArray): string | undefined {
  const [, from = "", unit, separator, to = "", nextUnit] = m;
  const low = Number(plainDigits(from));
  const high = Number(plainDigits(to));
  const isYear = (n: number) => n >= 1900 && n <= 2100;
  if (!(low < high) || (unit !== undefined && nextUnit !== undefined && unit !== nextUnit)) return undefined;
  // 2019-2023 are two years, 22239-2019 is the number of a standard: no ranges.
  if ((isYear(low) && isYear(high)) || (separator === "-" && (from.length > 4 || to.length > 4)))
    return undefined;
  const shown = nextUnit ?? unit;
  return `${wrap(`${from}~${to}`)}${shown === undefined ? "" : unitToken(shown)}`;
}

/** 一个半 -> 1.5 */
function halfMore(number = "", unit = ""): string | undefined {
  const value = /^\d+$/.test(number) ? Number(number) : parseChineseNumeral(number);
  return value === undefined ? undefined : `${token(String(value + 0.5))}${unit}`;
}

/** 三分之一 -> 1/3 */
function fractionReplacement(m: RegExpExecArray): string | undefined {
  const read = (text: string) => (/^\d+$/.test(text) ? Number(text) : parseChineseNumeral(text));
  const [below, above] = [read(m[1] ?? ""), read(m[2] ?? "")];
  return below === undefined || above === undefined
    ? undefined
    : `${token(String(above))}/${token(String(below))}`;
}

const steps: readonly Rewrite[] = [
  [/(?<=\d\s?)m2(?![a-z\d])/g, () => "平方米"],
  // 7x24 and 1920 x 1080 are products.
  [/(?<=\d)\s?x\s?(?=\d)/g, () => "*"],
  // Dates: 2024-05-01, 2024/5/1, 2024.5.1 -> the parts of 2024年5月1日.
  [
    /(?<![\d.-])((?:19|20)\d{2})([-/.])(\d{1,2})\2(\d{1,2})(?![\d.-])/g,
    (m) =>
      `${token(m[1] ?? "")}${unitToken("年")}${token(canonicalNumber(m[3] ?? ""))}月${token(canonicalNumber(m[4] ?? ""))}${unitToken("天")}`,
  ],
  [
    /(?<![\d.-])((?:19|20)\d{2})-(0[1-9]|1[0-2])(?![\d.-])/g,
    (m) => `${token(m[1] ?? "")}${unitToken("年")}${token(canonicalNumber(m[2] ?? ""))}月`,
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
  // A product's number is a name too: Python 3.10 is not Python 3.1.
  [
    /(?<![\p{Script=Latin}\d.])(?!rmb|cny|usd|eur|hkd|jpy|gbp)(\p{Script=Latin}{2,})([\s-]?)(\d+\.\d+)(?![\d.%,]|\s?(?:元|万|亿|倍|秒|[gm]hz|[gmkt]b))/gu,
    (m) => `${m[1]}${m[2]}${token(`v${m[3]}`)}`,
  ],
  [/(?<![\d.\p{L}])(\d+\.\d+)\s?版本?/gu, (m) => `版本${token(`v${m[1]}`)}`],
  // Shares: 百分之五十, 五成.
  [
    new RegExp(`(百|千)分之(${DIGITS}|${NUMERAL_PART})`, "g"),
    (m) => {
      const text = m[2] ?? "";
      const value = /^\d/.test(text) ? Number(text.replaceAll(",", "")) : parseChineseNumeral(text);
      const sign = m[1] === "千" ? "‰" : "%";
      return value === undefined ? undefined : `${token(canonicalNumber(String(value)))}${unitToken(sign)}`;
    },
  ],
  [
    /(?<![\d.])(\d(?:\.\d)?|[一二三四五六七八九])成(?!员|本|功|绩|果|为|长|立|分|交|熟|都|就|人|效)/g,
    (m) => {
      const value = /\d/.test(m[1] ?? "") ? Number(m[1]) : parseChineseNumeral(m[1] ?? "");
      return value === undefined
        ? undefined
        : `${token(canonicalNumber(String(value), 10))}${unitToken("%")}`;
    },
  ],
  [
    new RegExp(`(?<![\\d${NUMERAL_CHARS}])(\\d{1,9}|${NUMERAL_PART})分之(\\d{1,9}|${NUMERAL_PART})`, "g"),
    fractionReplacement,
  ],
  [/双倍/g, () => `${token("2")}${unitToken("倍")}`],
  // 一个半小时, 两年半.
  [
    new RegExp(`(\\d{1,3}|${NUMERAL_RUN})个半(小时|钟头|月)`, "g"),
    (m) => halfMore(m[1], m[2] === "月" ? "个月" : "小时"),
  ],
  [
    new RegExp(`(\\d{1,3}|${NUMERAL_RUN})(年|天|周|个月|小时|分钟)半(?![年天小个月数])`, "g"),
    (m) => halfMore(m[1], m[2]),
  ],
  [/半(?=(小时|个小时|年|天|个月)(?!度))/g, () => token("0.5")],
  [COMPOSITE, numeralReplacement],
  // A Chinese numeral's digits may be followed by a Western multiplier form: handled above; now Western digits.
  [
    new RegExp(
      String.raw`(?<![\d.\ue001]|\d,)([-+](?=\d))?(${DIGITS})\s?(百万|千万|十万|亿|万|千(?!克|米|瓦|卡|字|赫|伏)|百(?!分)|k(?![\p{Script=Latin}\d]))?(?![\d])`,
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
  [
    /¥\s?\ue001([^\ue002]*)\ue002(?:\s?(?:元|块钱|块|人民币))?/g,
    (m) => `${wrap(m[1] ?? "")}${unitToken("元")}`,
  ],
  [
    /(?:rmb|cny|人民币)\s?\ue001([^\ue002]*)\ue002(?:\s?(?:元|块钱|块))?/g,
    (m) => `${wrap(m[1] ?? "")}${unitToken("元")}`,
  ],
  [/\$\s?\ue001([^\ue002]*)\ue002/g, (m) => `${wrap(m[1] ?? "")}${unitToken("美元")}`],
  [/(working|business)\s(days?)/g, (m) => `${m[1]}${m[2]}`],
  [/(月的?)\ue001([^\ue002]*)\ue002号/g, (m) => `${m[1]}${wrap(m[2] ?? "")}${unitToken("天")}`],
  // Units, glued to their number.
  [new RegExp(`\\ue002[\\s-]?(${UNIT_SOURCE})`, "g"), (m) => `\ue002${unitToken(canonicalUnit(m[1] ?? ""))}`],
  [/(\ue003元\ue004)整/g, (m) => m[1]],
  // One number, a range of numbers: 3-5天, 3天到5天.
  [
    /\ue001(-?[\ue010-\ue019.]+)\ue002(?:\ue003([^\ue004]*)\ue004)?\s?(-|~|至|到)\s?\ue001([\ue010-\ue019.]+)\ue002(?:\ue003([^\ue004]*)\ue004)?/g,
    rangeReplacement,
  ],
];

/** Applies all steps to a folded text. */
export function normaliseQuantities(folded: Mapped): Mapped {
  return normaliseComparisons(rewriteAll(folded, steps));
}
