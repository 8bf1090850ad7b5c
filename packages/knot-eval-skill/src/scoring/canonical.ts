import { fold, isCjk, isWordChar } from "./fold.ts";
import { filterMapped, type Mapped } from "./mapped.ts";
import { normaliseQuantities } from "./quantities.ts";
import { END, isMark, NUM, UNIT, UNIT_END } from "./tokens.ts";

/** A text with one level of simplification more, mapped back to the canonical text. */
export interface Layered {
  text: string;
  /** Index in the canonical text for every character. */
  from: number[];
}

/** All forms of one text that the matcher looks at. */
export interface Canonical {
  original: string;
  /** Folded, quantities normalised. */
  base: Mapped;
  /** Without punctuation and spaces. */
  bare: Layered;
  /** Without punctuation, spaces and stop words. */
  core: Layered;
}

/** Signs that carry meaning and stay when punctuation is stripped. */
function carriesMeaning(text: string, index: number): boolean {
  const char = text[index];
  const before = text[index - 1];
  const after = text[index + 1];
  switch (char) {
    case "≤":
    case "≥":
    case "≠":
    case "<":
    case ">":
    case "=":
      // A comparison needs a number after it; `设置 > 通知` is a path.
      return after === NUM;
    case "*":
      return before === END && after === NUM;
    case "+":
    case "#":
      // C++, C#, A+ , 70+
      return isWordChar(before) || before === "+" || before === END;
    case "%":
    case "‰":
    case "@":
    case "&":
    case "$":
    case "°":
      return true;
    default:
      return false;
  }
}

function isPunctuation(text: string, index: number): boolean {
  const char = text[index] ?? "";
  if (isMark(char) || insideToken(text, index)) return false;
  if (isCjk(char) || isWordChar(char)) return false;
  if (/[\p{L}\p{N}]/u.test(char)) return false;
  return !carriesMeaning(text, index);
}

function insideToken(text: string, index: number): boolean {
  for (let i = index; i >= 0; i--) {
    if (text[i] === NUM || text[i] === UNIT) return true;
    if (text[i] === END || text[i] === UNIT_END || index - i > 40) return false;
  }
  return false;
}

/** Words without a meaning of their own. Negations and 都/只/全 are not among them. */
const STOP_WORDS: readonly string[] = [
  "需要",
  "可以",
  "可",
  "需",
  "进行",
  "以及",
  "或者",
  "并且",
  "而且",
  "通过",
  "关于",
  "对于",
  "一个",
  "一种",
  "相关",
  "其中",
  "所有的",
  "应该",
  "应当",
  "应",
  "必须",
  "须",
  "能够",
  "能",
  "会",
  "将",
  "把",
  "被",
  "的",
  "了",
  "是",
  "在",
  "和",
  "与",
  "及",
  "或",
  "为",
  "地",
  "得",
  "之",
  "于",
  "其",
  "该",
  "此",
  "这",
  "那",
  "以",
  "并",
  "而",
  "也",
  "就",
  "由",
  "从",
  "向",
  "至",
  "到",
  "对",
  "使用",
  "有",
  "个",
  "等",
  "您",
  "你",
  "我们",
  "请",
];

const LATIN_STOP_WORDS = new Set([
  "the",
  "a",
  "an",
  "of",
  "to",
  "is",
  "are",
  "be",
  "and",
  "or",
  "for",
  "in",
  "on",
  "by",
  "with",
  "at",
  "your",
  "will",
  "should",
  "must",
  "can",
]);

/** Han words a stop-word character is a real part of; there it stays. */
const PROTECTED =
  /目的|的确|为了|了解|能力|能源|功能|性能|智能|可能|权能|节能|可靠|可用|可见|可信|可选|许可|认可|会议|会员|会话|社会|机会|协会|将来|地址|地区|地方|地图|当地|场地|本地|得到|获得|在线|存在|现在|所在|和平|或许|行为|认为|作为|成为|为期|以上|以下|以内|所以|以前|以后|可以|并发|并行|合并|也许|就业|成就|自由|理由|由于|从属|向量|方向|对象|对比|对接|对称|对账|应用|应答|响应|反应|供应|适应|效应|需求|必须|须知|是否|但是|于是|关于|等级|等于|平等|有效|所有|没有|拥有|有限|有关|个人|个性|到期|到达|得分|使用|到账|到货|期望|请求|申请|邀请|请假|会计|将军|向导|从业|至少|与会|参与|给与|普及|涉及|及时|及格|其他|应收|应付|对公|之间|在职|在途|有偿|此前|从未|从不|把握|能否|到场|由来|因为|为止|应急|会签|会费|或有|可控|可逆|可行|可比|可读|可写/g;

function stopFlags(text: string, extra: readonly string[]): boolean[] {
  const flags = new Array<boolean>(text.length).fill(false);
  const guarded = new Array<boolean>(text.length).fill(false);
  for (const match of text.matchAll(PROTECTED)) {
    for (let i = match.index; i < match.index + match[0].length; i++) guarded[i] = true;
  }
  const words = [...extra, ...STOP_WORDS].sort((a, b) => b.length - a.length);
  for (const word of words) {
    for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
      const range = Array.from({ length: word.length }, (_, i) => at + i);
      const whole = PROTECTED.test(word);
      PROTECTED.lastIndex = 0;
      if (!whole && range.some((i) => guarded[i])) continue;
      for (const i of range) flags[i] = true;
    }
  }
  for (const match of text.matchAll(/[a-z]+/g)) {
    if (!LATIN_STOP_WORDS.has(match[0])) continue;
    const [before, after] = [text[match.index - 1], text[match.index + match[0].length]];
    // "a" beside Han or a digit is a name: A轮融资.
    const touches = (char: string | undefined) =>
      isWordChar(char) || isCjk(char) || (char !== undefined && isMark(char));
    if (touches(before) || touches(after)) continue;
    for (let i = match.index; i < match.index + match[0].length; i++) flags[i] = true;
  }
  return flags;
}

/**
 * Builds all forms of a text.
 *
 * @param stopWords words a project adds to the built-in list
 * @param marked the text is our own work and may hold the marks of tokens.ts; in foreign text they are blanked, or it
 *   could hold numbers that nobody wrote
 */
export function canonicalise(original: string, stopWords: readonly string[] = [], marked = false): Canonical {
  const base = normaliseQuantities(fold(marked ? original : original.replace(/[\ue001-\ue019]/g, " ")));
  const { text } = base;
  const bare = filterMapped(text, (i) => !isPunctuation(text, i));
  const stops = stopFlags(text, stopWords);
  const core = filterMapped(text, (i) => !isPunctuation(text, i) && !stops[i]);
  return { original, base, bare, core };
}

/** True when nothing is left to look for: only punctuation, spaces or invisible characters. */
export function isEmptyKeyword(keyword: Canonical): boolean {
  return keyword.bare.text === "";
}
