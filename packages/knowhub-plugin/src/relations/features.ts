import { coreOf, identityForm } from "../text/identity.ts";
import { normalise } from "../text/normalise.ts";
import { isStopToken } from "../text/stop-words.ts";
import { tokenise } from "../text/tokenise.ts";

/** What decides whether two texts may say the same. */
export interface Features {
  /** Distinct content tokens. */
  tokens: ReadonlySet<string>;
  /** What is said, without filler words and the kind of punctuation; see {@link coreOf}. */
  core: string;
  /** Numbers with their units, in order, e.g. `30s`, `3次`, `1.2.3`. */
  numbers: readonly string[];
  /** Latin words and identifiers, in order ("from a to b" is not "from b to a"), without filler words. */
  latin: readonly string[];
  /** Comparison operators and signs in order. */
  operators: readonly string[];
  /** Whether the number of negations is odd. */
  negated: boolean;
  /** Which side of each opposition (enable/disable, 前/后 …) is named: `+0`, `-0`, … sorted. */
  poles: readonly string[];
}

const NEGATION_ZH =
  /不要|不能|不可|不会|不是|不得|不应|不必|不需|不用|不再|并非|不|没有|没|无需|无法|无须|无|勿|未|非|禁止|严禁|避免|切忌|别|拒绝|防止/gu;
/** Words in which a negation character negates nothing. */
const NOT_NEGATION_ZH =
  /不同|不错|不断|不过|不仅|不但|不管|不论|不妨|不如|不久|差不多|无论|无线|无状态|无头|非常|除非|是非|未来|未必|别的|别名|类别|级别|区别|识别|分别|特别|性别|个别|鉴别|告别/gu;
const NEGATION_EN =
  /\b(?:not|no|never|none|without|avoid|cannot|neither|nor|don'?t|doesn'?t|isn'?t|aren'?t|won'?t|can'?t|shouldn'?t|mustn'?t|needn'?t|didn'?t|wasn'?t|refuse|forbid|prevent)\b/g;

/** Oppositions: naming one side in one text and the other in the other text makes them contradict. */
const POLES: readonly (readonly [RegExp, RegExp])[] = [
  [
    /启用|开启|打开|启动|\benabled?\b|\bturn(?:ed)? on\b/,
    /禁用|停用|关闭|关掉|停止|\bdisabled?\b|\bturn(?:ed)? off\b/,
  ],
  [/允许|\ballow(?:s|ed)?\b|\bpermit/, /禁止|拒绝|\bden(?:y|ies|ied)\b|\bforbid|\bblock(?:s|ed)?\b/],
  [/增加|增大|提高|调高|调大|\bincreas|\braise\b/, /减少|减小|降低|调低|调小|\bdecreas|\blower\b|\breduc/],
  [/高于|大于|超过|多于|\babove\b|\bmore than\b|\bgreater\b/, /低于|小于|不足|少于|\bbelow\b|\bless\b/],
  [/之前|以前|\bbefore\b/, /之后|以后|\bafter\b/],
  [/同步/, /异步/],
  [/最大|\bmax(?:imum)?\b/, /最小|\bmin(?:imum)?\b/],
  [/支持(?!不)|\bsupport(?:s|ed)\b/, /不支持|\bunsupported\b/],
  [/成功|\bsucce/, /失败|\bfail/],
  [/推荐|建议|\brecommended?\b/, /不推荐|不建议|弃用|废弃|\bdeprecated\b/],
  [/必须|\bmust\b|\brequired\b/, /可选|\boptional\b/],
  [/升序|\basc(?:ending)?\b/, /降序|\bdesc(?:ending)?\b/],
  [/公开|\bpublic\b/, /私有|\bprivate\b/],
  [/手动|\bmanual/, /自动|\bautomatic/],
  [/\btrue\b/, /\bfalse\b/],
  [/安装|\binstall/, /卸载|\buninstall/],
  [/快|\bfast(?:er)?\b/, /慢|\bslow(?:er)?\b/],
  [/上传|\bupload/, /下载|\bdownload/],
  [/左/, /右/],
  [/早上|上午/, /晚上|下午/],
  [/先/, /后/],
  [/读|\bread\b/, /写|\bwrite\b/],
  [/全部|所有|\ball\b/, /部分|\bsome\b/],
  [/经常|总是|\boften\b|\balways\b/, /很少|从不|\brarely\b|\bseldom\b|\bnever\b/],
  [/接受|\baccept/, /拒绝|\breject/],
  [/至少|\bat least\b/, /至多|最多|\bat most\b/],
];

/** "A" before a Han character is a name, not an article. */
const FILLER_EN = /\b(?:a|an|the|please|just|simply|really|very)\b(?=\s+[a-z])/g;

const NUMERAL =
  /\d+(?:[.,:]\d+)*(?:\s?(?:ms|s|sec|seconds?|min|minutes?|h|hours?|days?|kb|mb|gb|tb|k|m|g|%|px|秒|毫秒|分钟|小时|天|次|个|倍|条|台|年|月|日|位|号|版|层|核|元|万|亿|兆|字节))?|(?:周|星期|礼拜)[一二三四五六日天]|(?<![零一二三四五六七八九十百千万亿两])[零一二三四五六七八九十百千万亿两]{1,16}(?=[秒分小天次个倍条台年月日位号版层核元种类步点级周名])./gu;
/** Comparisons, and the sign of a number. */
const OPERATOR = /[<>=≤≥≠]=?=?|!==?|(?<![\p{L}\p{N}])[-+](?=\d)/gu;
const LATIN_WORD = /[a-z][a-z0-9]*(?:[._/:@-][a-z0-9]+)*(?:\+\+|#)?/g;

/** Reads the features of a text once; comparing is then cheap. */
export function features(text: string): Features {
  const folded = normalise(text).toLowerCase().replace(/[’‘]/g, "'");
  const numbers = [...folded.matchAll(NUMERAL)].map(([n]) => n.replace(/\s/g, ""));
  const latin = [...folded.replace(FILLER_EN, " ").matchAll(LATIN_WORD)].map(([w]) => w);
  const countable = folded.replace(NOT_NEGATION_ZH, "");
  const negations = count(countable, NEGATION_ZH) + count(countable, NEGATION_EN);
  const poles: string[] = [];
  POLES.forEach(([one, other], index) => {
    // The negative side often contains the positive word (不支持/支持): it is looked for, and taken out, first.
    const negative = other.test(folded);
    if (negative) poles.push(`-${index}`);
    if (one.test(folded.replace(new RegExp(other, "gu"), ""))) poles.push(`+${index}`);
  });
  return {
    tokens: new Set(tokenise(text).filter((token) => !isStopToken(token))),
    core: coreOf(identityForm(text)),
    numbers,
    latin,
    operators: [...folded.matchAll(OPERATOR)].map(([o]) => o),
    negated: negations % 2 === 1,
    poles,
  };
}

function count(text: string, pattern: RegExp): number {
  return [...text.matchAll(pattern)].length;
}
