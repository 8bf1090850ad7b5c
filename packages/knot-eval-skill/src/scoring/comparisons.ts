import { type Mapped, type Rewrite, rewriteAll } from "./mapped.ts";
import { ANY_NUMBER, ANY_UNIT } from "./tokens.ts";

/** Comparison words next to a number become a sign before it: `30天以内` and `不超过30天` are both `≤30天`. */

const AT_MOST =
  "不超过|不得超过|不能超过|不可超过|不应超过|不大于|不高于|不多于|不长于|小于等于|小于或等于|小于或者等于|至多|最多|上限为|上限是|不晚于|不迟于";
const AT_LEAST =
  "不少于|不得少于|不能少于|不低于|不得低于|不能低于|不小于|不短于|大于等于|大于或等于|大于或者等于|至少|最少|起码|下限为|下限是|at least ";
const QUANTITY = `${ANY_NUMBER}(?:${ANY_UNIT})?`;
const DURATION = `${ANY_NUMBER}\\ue003(?:天|小时|分钟|毫秒|秒|个工作日|个月|年|周)\\ue004`;
/** 内 after a duration is "within", unless it begins a word: 内部, 内容. */
const WITHIN = "内(?![部容存网置地外])";

const steps: readonly Rewrite[] = [
  [new RegExp(`(?:${AT_MOST})(?:为|是)?\\s?(?=\\ue001)`, "g"), () => "≤"],
  [new RegExp(`(?:${AT_LEAST})(?:为|是|需要?|要|有)?\\s?(?=\\ue001)`, "g"), () => "≥"],
  // 年满18周岁, 满一年: a time that has passed. 满300元 is a price and stays.
  [/(?<![不未没尚])(?:年满|已满|满)\s?(?=\ue001[^\ue002]*\ue002\ue003(?:岁|年|个月|天)\ue004)/g, () => "≥"],
  [/(?:no more than|up to|at most) (?=\ue001)/g, () => "≤"],
  [/(?<!不得?|不能|不可|未|没有?)(?:大于|超过|多于|高于|超出|more than )\s?(?=\ue001)/g, () => ">"],
  [/(?<!不得?|不能|不可|未)(?:小于|少于|低于|不足|不满|不到|未满|less than )\s?(?=\ue001)/g, () => "<"],
  [
    new RegExp(
      `(${QUANTITY})\\s?(?:\\(含\\)|（含）)?(?:及|或|或者|和)?(以内|之内|以下|以上|起步|及以上)`,
      "g",
    ),
    (m) => {
      const sign = m[2]?.endsWith("上") || m[2] === "起步" ? "≥" : "≤";
      // A version keeps its words (Python 3.10 及以上): a sign would come between name and number.
      if (m[1]?.startsWith("\ue001v")) return undefined;
      const before = m.input[m.index - 1];
      return before !== undefined && "≤≥<>".includes(before) ? m[1] : `${sign}${m[1]}`;
    },
  ],
  [new RegExp(`(?<![≤≥<>])(${DURATION})${WITHIN}`, "g"), (m) => `≤${m[1]}`],
  [new RegExp(`([≤≥<>]${DURATION})${WITHIN}`, "g"), (m) => m[1]],
  [/([<>≤≥≠=])\s+(?=\ue001)/g, (m) => m[1]],
];

/** @param mapped a folded text whose quantities are tokens already */
export function normaliseComparisons(mapped: Mapped): Mapped {
  return rewriteAll(mapped, steps);
}
