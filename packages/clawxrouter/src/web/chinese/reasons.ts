/**
 * Why a verdict came out as it did, in Chinese. The gateway writes reasons in English, as parts between semicolons; the
 * parts it makes itself are said in Chinese, what a model or a rule wrote stays as it is.
 */
import { JUDGED } from "./judge-words.ts";

/** The token saver's tiers. */
export const TIER_NAMES = {
  SIMPLE: "简单",
  MEDIUM: "中等",
  COMPLEX: "复杂",
  RESEARCH: "研究",
  REASONING: "推理",
} as const;

const WHOLE: Readonly<Record<string, string>> = {
  "nothing private found": "未发现私密内容",
  "nothing matched": "没有命中",
  always: "总是",
  "no router had an opinion": "没有路由器有意见",
  "holds placeholders of this conversation": "含有本会话的占位符",
  "holds a private text of this conversation": "含有本会话的私密文本",
  "private turn: the call and its result stay on this machine": "私密对话：调用及其结果留在本机",
  "switched off": "已关闭",
  "subagents are exempt": "子智能体不参与",
  "the model was chosen by hand": "模型由用户指定",
  "no judge answered": "没有判定器应答",
  "routing failed": "路由失败",
  "no usable answer": "没有可用的应答",
  "not asked, it failed several times in a row": "连续多次失败，未再询问",
};

type Say = (...parts: string[]) => string;

const FORMS: readonly (readonly [RegExp, Say])[] = [
  [/^rule (.+)$/s, (rest) => `规则 ${rest}`],
  [/^tool (.+)$/s, (rest) => `工具 ${rest}`],
  [/^path (.+)$/s, (rest) => `路径 ${rest}`],
  [
    /^(.+): treated as (S[123]) \(privacy\.failClosed\)$/s,
    (what, level) => `${partInChinese(what ?? "")}：按 ${level} 处理（privacy.failClosed）`,
  ],
  [/^local model: (.+)$/s, (rest) => `本地模型：${partInChinese(rest ?? "")}`],
  [/^custom detector: (.+)$/s, (rest) => `自定义检测器：${rest}`],
  [/^no answer within (\d+) ms$/, (ms) => `${ms} 毫秒内没有应答`],
  [/^router failed: (.+)$/s, (rest) => `路由器出错：${rest}`],
  [/^routing failed: (.+)$/s, (rest) => `路由失败：${rest}`],
  [/^withheld: (.+) where no placeholder can stand$/, (type) => `已扣留：${type}，此处无法放置占位符`],
  [
    /^stays on (\S+): a switch would cost ([\d.]+) USD more$/,
    (model, usd) => `沿用 ${model}：切换会多花 ${usd} 美元`,
  ],
  [
    /^stays on (\S+): a switch may cost more than it saves \(price unknown\)$/,
    (model) => `沿用 ${model}：切换可能得不偿失（价格未知）`,
  ],
  [/^stays on (.+)$/s, (rest) => `沿用 ${rest}`],
  [
    /^(\S+) is not configured in the host: its own choice stays$/,
    (model) => `宿主没有配置 ${model}：沿用宿主自己的选择`,
  ],
  [/^([A-Z]+), but unsure \(([\d.]+)\)$/, (tier, sure) => `难度${tierName(tier)}，但把握不足（${sure}）`],
  [
    /^([A-Z]+): no configured model of this tier or above fits$/,
    (tier) => `难度${tierName(tier)}：没有合适的同级或更高级模型`,
  ],
  [
    /^([A-Z]+) \((.*)\), downgraded from ([A-Z]+): budget (.*)$/s,
    (tier, why, from, budget) =>
      `难度${tierName(tier)}（${judged(why ?? "")}），因预算从${tierName(from)}降级：${budgetInChinese(budget ?? "")}`,
  ],
  [/^([A-Z]+) \((.*)\)$/s, (tier, why) => `难度${tierName(tier)}（${judged(why ?? "")}）`],
];

export function reasonInChinese(reason: string): string {
  return partsOf(reason).map(partInChinese).join("；");
}

/** Parts are cut at semicolons, but not within brackets: a judge's own reason may have some. */
function partsOf(reason: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < reason.length; at += 1) {
    const character = reason[at];
    if (character === "(") depth += 1;
    else if (character === ")") depth = Math.max(0, depth - 1);
    else if (depth === 0 && reason.startsWith("; ", at)) {
      parts.push(reason.slice(from, at));
      from = at + 2;
    }
  }
  // A bracket that is never closed is no bracket.
  if (depth > 0) return reason.split("; ");
  return [...parts, reason.slice(from)];
}

function partInChinese(part: string): string {
  if (Object.hasOwn(WHOLE, part)) return WHOLE[part] ?? part;
  for (const [pattern, say] of FORMS) {
    const [, ...found] = pattern.exec(part) ?? [];
    if (found.length > 0) {
      const tierish = /^\^\(\[A-Z\]/.test(pattern.source);
      if (!tierish || isTier(found[0])) return say(...found);
    }
  }
  return part;
}

function tierName(name: string | undefined): string {
  return isTier(name) ? TIER_NAMES[name] : (name ?? "");
}

function isTier(name: string | undefined): name is keyof typeof TIER_NAMES {
  return name !== undefined && Object.hasOwn(TIER_NAMES, name);
}

/** What the shipped judge gives as reasons; a local model's are its own. */
function judged(why: string): string {
  return why
    .split("; ")
    .map((part) => {
      const exam =
        /^exam question (where a strong model gains little|that needs a strong model) \(need (\d+) of 100\)$/.exec(
          part,
        );
      if (exam !== null)
        return exam[1] === "that needs a strong model"
          ? `考题，需要强模型（需要程度 ${exam[2]}/100）`
          : `考题，强模型帮助不大（需要程度 ${exam[2]}/100）`;
      return namesIn(part)?.join("、") ?? part;
    })
    .join("；");
}

/** A list of the judge's names, one of which has a comma itself; undefined when it is anything else. */
function namesIn(part: string): string[] | undefined {
  const names: string[] = [];
  let rest = part;
  while (rest !== "") {
    const name = Object.keys(JUDGED).find((known) => rest === known || rest.startsWith(`${known}, `));
    if (name === undefined) return undefined;
    names.push(JUDGED[name] ?? name);
    rest = rest.slice(name.length + 2);
  }
  return names;
}

/** `day 0.84 of 1.00 USD, month …` */
function budgetInChinese(text: string): string {
  return text.replace(
    /\b(day|month) ([\d.]+) of ([\d.]+) USD(, )?/g,
    (_, span: string, used: string, limit: string, more: string | undefined) =>
      `${span === "day" ? "今日" : "本月"} ${used}/${limit} 美元${more === undefined ? "" : "，"}`,
  );
}
