/**
 * Whether a stated phrase is denied by what stands right before or after it: 不支持X does not state 支持X.
 *
 * The reader works on one clause, looks for a negator before the hit, and lets the negation reach the hit only
 * over words through which it really carries (不允许用户删除: yes; 未登录用户可以浏览: no).
 */

const CLAUSE_BREAK = /[，。；！？,;!?\n:：()（）\u3002]|\.(?=\s|$)/;

/** Words that hold a negating character without negating: 不仅, 非常, 特别, 是否, 能不能 ... */
const HARMLESS =
  /不仅仅|不仅|不但|不只|不光|不单|不论|不管|不同|不少|不断|不过|不止|不妨|不错|不久|不得不|不可或缺|不可缺少|不要忘记|不晚于|不迟于|不早于|不外乎|不限于|不限|不等|不变|不动产|不锈钢|不间断|不定期|不一样|毫不犹豫|不难|不得已|不大于|不小于|不高于|不低于|不少于|不多于|不超过|不足|不到|不满|无论|无非|无疑|无线|无人机|无障碍|无缝|无限|无损|无服务器|无状态|无人值守|非常|非洲|除非|是非题|是非对错|非结构化|未来|未必不|没错|没问题|特别|分别|类别|级别|别名|区别|个别|性别|识别|辨别|差别|鉴别|能不能|可不可以|是不是|要不要|有没有|会不会|行不行|能否|是否|可否|免费|避免不了|无误|不可不|不会不|不能不|无不|不无|并非不|不是不|没有不|不是没有|免密|免签|免登录|无需担心|不用担心|不必担心|不要错过/g;

const NEGATOR =
  /(?:不再|不曾|从不|绝不|并不|决不|毫不|不|没有|没能|没|从未|尚未|未能|未|无法|无需|无须|无权|毋需|无|并非|绝非|非|勿|请勿|切勿|莫|禁止|严禁|禁用|拒绝|缺乏|缺少|避免|防止|取消|谢绝|免于|免除|免)/g;

/** A negation carries over these to what follows: auxiliaries, permission, existence, manner. */
const CARRIER =
  /^(?:找到|查到|查询到|检索到|搜索到|提及|提到|记载|发现|说明|明确|规定|关于|有关|相关|再|会|能够|能|可以|可|应该|应当|应|该|得|要|用|必须|必|需要|需|允许|准许|许|支持|建议|推荐|提供|包含|包括|含|涉及|要求|是|属于|具备|存在|适用|接受|负责|进行|直接|自动|默认|任何|有|给予|给|让|使用|通过|任意|强制|同时|单独|额外|主动|立即|随意|私自|擅自|将|把|对|向|在|的话|被|完全|真的|一定|经过|得到|完成|办理|收取|采用|开放|设置|配置|产生|发生)+/;

const BREAKERS = /而是|即可|就|便|也|则|才|仍|但|却|反而|只|的(?!话)|后|时|而(?!且)|以外|之外|外/;

const ENGLISH_NEGATION =
  /\b(?:not|no|never|without|cannot|can't|don't|doesn't|isn't|aren't|won't|didn't|shouldn't|mustn't|unable to|neither|nor)(?:\s+[a-z'-]+){0,3}\s*$/;
const ENGLISH_HARMLESS =
  /\bnot (?:only|just|merely)\b|\bno (?:later|more|less|fewer) than\b|\bno doubt\b|\bwhether or not\b/;

const DENIED_AFTER =
  /^\s*["'”]?\s*(?:这一?说法|这种说法|这个说法|的说法|的描述|的表述)?\s*(?:，)?(?:是|为|都是|并)?\s*(?:错误的|错误|错的|不对的|不对|不正确|不准确|不成立|不属实|不存在|有误)/;

/** 是否提供发票 asks, it does not state; what may stand between. */
const ASKING =
  /(?:是否|能否|可否|有没有|会不会|能不能|可不可以|是不是|要不要|需不需要)(?:会|能够|能|可以|可|应该|应|该|要|需要|需|必须|允许|支持|提供|包含|属于|已经|已|有)*$/;

/** ... unless the answer follows at once: 是否需要押金？需要。 */
const ANSWERED =
  /^[^。！\n]{0,8}[？?：:]\s*(?:\**答[案复]?\**[:：]\s*|a[:：]\s*)?\**(?:是|对|需要|需|可以|可|支持|有|会|能|必须|允许|提供|包含|yes)/;

/** Characters looked at before a hit. */
const REACH = 24;

function clauseBefore(text: string, start: number): string {
  const window = text.slice(Math.max(0, start - REACH), start);
  let from = 0;
  for (let i = window.length - 1; i >= 0; i--) {
    if (
      CLAUSE_BREAK.test(window[i] ?? "") &&
      !(window[i] === "." && i + 1 < window.length && window[i + 1] !== " ")
    ) {
      from = i + 1;
      break;
    }
  }
  return window.slice(from);
}

function carries(filler: string, negator: string): boolean {
  const text = filler.replace(/[\s"'*`_\-「」]/g, "");
  if (text === "") return true;
  if (BREAKERS.test(text)) return false;
  if (negator === "免" || negator === "非") return false;
  const carrier = CARRIER.exec(text)?.[0] ?? "";
  const rest = text.slice(carrier.length);
  if (carrier === "") return text.length <= 2;
  if (/可以|可|能|会/.test(rest) && !/^任何/.test(carrier) && !carrier.startsWith("有")) return false;
  return rest.length <= 8;
}

/** How many negations reach the position `start` within its clause. */
function negationsReaching(text: string, start: number): number {
  const clause = clauseBefore(text, start);
  const masked = clause.replace(HARMLESS, (word) => "■".repeat(word.length));
  // 不是不支持: two negations cancel; HARMLESS has masked the fixed pairs already.
  let reaching = 0;
  for (const match of masked.matchAll(NEGATOR)) {
    const filler = masked.slice(match.index + match[0].length);
    if (filler.includes("■")) continue;
    const others = filler.replace(NEGATOR, "");
    if (carries(others, match[0])) reaching += 1;
  }
  return reaching;
}

/**
 * @param text canonical answer
 * @param start index of the hit's first character
 * @param end index after its last character
 */
export function isNegated(text: string, start: number, end: number): boolean {
  if (ASKING.test(clauseBefore(text, start)) && !ANSWERED.test(text.slice(end, end + 24))) return true;
  if (DENIED_AFTER.test(text.slice(end, end + 24))) return true;
  const before = text.slice(Math.max(0, start - 40), start);
  const lastClause = before.split(/[.;,!?\n，。；]\s?/).at(-1) ?? "";
  if (ENGLISH_NEGATION.test(lastClause) && !ENGLISH_HARMLESS.test(lastClause)) return true;
  return negationsReaching(text, start) % 2 === 1;
}

/** A negator anywhere in a short text: used for the gap between two fragments of a keyword. */
export function holdsNegation(text: string): boolean {
  const masked = text.replace(HARMLESS, "");
  NEGATOR.lastIndex = 0;
  const found = NEGATOR.test(masked);
  NEGATOR.lastIndex = 0;
  return found || /\b(?:not|never|without|cannot|no)\b|n't\b/.test(masked);
}
