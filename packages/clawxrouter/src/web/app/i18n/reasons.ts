/**
 * Why a verdict came out as it did. The gateway writes reasons in English, as parts between semicolons; the parts it
 * makes itself are said in the user's language, what a model or a rule wrote stays as it is.
 */

import { oneOf, TIERS } from "../api/names.ts";
import { commonWords } from "./common.ts";
import { language } from "./language.ts";

const WHOLE: Readonly<Record<string, string>> = {
  "nothing private found": "未发现私密内容",
  "nothing matched": "没有命中",
  always: "总是",
  "no router had an opinion": "没有路由器有意见",
  "holds placeholders of this conversation": "含有本会话的占位符",
  "holds a private text of this conversation": "含有本会话的私密文本",
  "private turn: the call and its result stay on this machine": "私密对话：调用及其结果留在本机",
};

const BEGINNINGS: readonly (readonly [RegExp, (rest: string) => string])[] = [
  [/^rule (.+)$/, (rest) => `规则 ${rest}`],
  [/^tool (.+)$/, (rest) => `工具 ${rest}`],
  [/^path (.+)$/, (rest) => `路径 ${rest}`],
  [/^local model: (.+)$/, (rest) => `本地模型：${rest}`],
  [/^custom detector: (.+)$/, (rest) => `自定义检测器：${rest}`],
  [/^router failed: (.+)$/, (rest) => `路由器出错：${rest}`],
  [/^stays on (.+)$/, (rest) => `沿用 ${rest}`],
];

export function reasonText(reason: string): string {
  if (language.value !== "zh") return reason;
  return reason.split("; ").map(partInChinese).join("；");
}

function partInChinese(part: string): string {
  const whole = Object.hasOwn(WHOLE, part) ? WHOLE[part] : undefined;
  if (whole !== undefined) return whole;
  for (const [pattern, say] of BEGINNINGS) {
    const rest = pattern.exec(part)?.[1];
    if (rest !== undefined) return say(rest);
  }
  const [, tierName, why] = /^([A-Z]+) \((.*)\)$/.exec(part) ?? [];
  const tier = oneOf(TIERS, tierName);
  return tier === undefined ? part : `难度${commonWords.zh.tiers[tier]}（${why}）`;
}
