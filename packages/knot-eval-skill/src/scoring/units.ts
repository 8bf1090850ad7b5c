/**
 * Names of one and the same unit. Only spellings are joined here (kg and 公斤); conversions that need judgement
 * (30 天 and 一个月, 24 小时 and 一天) belong to the equivalence map.
 */
const UNIT_GROUPS: readonly (readonly string[])[] = [
  ["%", "percent", "个百分比"],
  ["‰"],
  ["元", "元人民币", "块钱", "人民币", "块", "rmb", "cny", "yuan"],
  ["美元", "美金", "usd", "dollars", "dollar"],
  ["天", "个自然日", "自然日", "日历天", "days", "day", "日"],
  ["个工作日", "工作日", "个工作天", "工作天", "workingdays", "workingday", "businessdays", "businessday"],
  ["小时", "个小时", "个钟头", "钟头", "hours", "hour", "hrs", "hr", "h"],
  ["分钟", "minutes", "minute", "mins", "min"],
  ["毫秒", "milliseconds", "millisecond", "msec", "ms"],
  ["秒", "秒钟", "seconds", "second", "secs", "sec", "s"],
  ["周", "个星期", "星期", "个礼拜", "礼拜", "weeks", "week"],
  ["个月", "个自然月", "months", "month"],
  ["年", "周年", "years", "year"],
  ["次", "times", "time", "回"],
  ["岁", "周岁"],
  ["人", "名", "位", "个人", "people", "persons"],
  ["倍"],
  ["tb", "tib", "t"],
  ["gb", "gib", "g", "吉字节"],
  ["mb", "mib", "m", "兆字节", "兆"],
  ["kb", "kib", "千字节"],
  ["mbps", "mb/s", "兆比特每秒"],
  ["千克", "公斤", "kg", "kilograms", "kilogram"],
  ["克", "grams", "gram"],
  ["公里", "千米", "km", "kilometers"],
  ["厘米", "公分", "cm"],
  ["毫米", "mm"],
  ["米", "meters", "meter"],
  ["平方米", "平米", "平方"],
  ["等奖"],
  ["°c", "摄氏度", "度", "℃"],
  ["字", "个字", "个字符", "字符", "characters", "chars"],
  ["核", "核心", "个核心", "cores", "core", "vcpu"],
  [
    "条",
    "项",
    "点",
    "种",
    "类",
    "个",
    "款",
    "份",
    "件",
    "台",
    "张",
    "级",
    "层",
    "页",
    "章",
    "节",
    "步",
    "个步骤",
    "期",
    "楼",
    "号",
    "版",
    "吨",
    "斤",
    "升",
    "折",
    "成",
    "题",
    "轮",
    "批",
    "家",
    "套",
    "组",
    "笔",
    "瓦",
    "伏",
    "门",
    "座",
    "篇",
  ],
];

/** Measure words that stay as written: each is its own unit. */
const OWN = UNIT_GROUPS.length - 1;

const CANONICAL = new Map<string, string>();
for (const [index, group] of UNIT_GROUPS.entries()) {
  for (const unit of group) {
    if (!CANONICAL.has(unit)) CANONICAL.set(unit, index === OWN ? unit : (group[0] ?? unit));
  }
}

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Regex source that matches any unit, longest first; Latin units end at a word border. */
export const UNIT_SOURCE = [...CANONICAL.keys()]
  .sort((a, b) => b.length - a.length)
  .map((unit) => (/[a-z]$/.test(unit) ? `${escapeRegex(unit)}(?![a-z0-9])` : escapeRegex(unit)))
  .join("|");

/** Units that make a single Chinese numeral a quantity (三天), while 一定 or 三方 stay words. */
export const NUMERAL_UNIT_SOURCE = [...CANONICAL.keys()]
  .filter((unit) => !/^[a-z°%℃]/.test(unit))
  .sort((a, b) => b.length - a.length)
  .map(escapeRegex)
  .join("|");

/** The one spelling of a unit. */
export function canonicalUnit(unit: string): string {
  return CANONICAL.get(unit) ?? unit;
}
