import { isNegated } from "./negation.ts";

/**
 * Wordings that turn a keyword round without changing what it says:
 * 不支持X said as "X 暂不支持", 先A后B said as "先…A，再…B", and 1500元/月 said as "每月补贴1500元".
 */

interface Found {
  start: number;
  end: number;
}

const QUANTITY = "[≤≥<>]?\\ue001[^\\ue002]*\\ue002(?:\\ue003[^\\ue004]*\\ue004)";
/** 1500元/月, 每月1500元, 1500元每月. */
const PER = "年|月|周|天|日|小时|人|次|件|份|单|户|台";
const RATE = new RegExp(`^(?:(${QUANTITY})\\s?(?:/|每)(?:个)?(${PER})|每(?:个)?(${PER})(${QUANTITY}))$`, "u");

const DENIAL =
  /^(不支持|不能|不可以|不可|不得|不允许|不提供|不包含|不包括|不含|不适用|不需要|不收取|不计入|不参与|不享受|不予|无法|无需|无须|禁止)\s?(.{2,})$/u;
const FIRST_THEN = /^先(.{2,12}?)(?:，|,)?\s?(?:后|再|然后)(.{2,12})$/u;

/** Between a subject and what is said of it. */
const TOPIC_GAP = /^[^，。；！？,;!?\n：:]{0,6}$/u;

function* occurrences(text: string, needle: string): Generator<Found> {
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1))
    yield { start: at, end: at + needle.length };
}

/** The object first, the denial after it: "IE 浏览器目前不支持". Spaces inside the object do not count. */
function deniedTopic(denial: string, object: string, text: string): Found[] | undefined {
  for (const verb of occurrences(text, denial)) {
    const before = text.slice(Math.max(0, verb.start - object.length * 2 - 8), verb.start);
    const bare = object.replace(/\s/g, "");
    for (let start = before.length - bare.length; start >= 0; start--) {
      const tail = before.slice(start);
      const size = prefixIgnoringSpaces(tail, bare);
      if (size === undefined || !TOPIC_GAP.test(tail.slice(size))) continue;
      // 不是不支持: the denial itself is denied.
      if (isNegated(text, verb.start, verb.end)) break;
      const from = verb.start - before.length + start;
      return [{ start: from, end: verb.end }];
    }
  }
  return undefined;
}

/** Length of the beginning of `text` that is `wanted` with spaces strewn in, or undefined. */
function prefixIgnoringSpaces(text: string, wanted: string): number | undefined {
  let at = 0;
  for (const char of wanted) {
    while (at > 0 && text[at] === " ") at += 1;
    if (text[at] !== char) return undefined;
    at += 1;
  }
  return at;
}

const STEP = "[^。；;！？!?\\n]{0,8}?";

function escapeRegex(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

function firstThen(first: string, then: string, text: string): Found[] | undefined {
  const pattern = new RegExp(
    `先${STEP}${escapeRegex(first)}${STEP}(?:后|再|然后|才|接着)${STEP}${escapeRegex(then)}`,
    "u",
  );
  const match = pattern.exec(text);
  return match && !isNegated(text, match.index, match.index + match[0].length)
    ? [{ start: match.index, end: match.index + match[0].length }]
    : undefined;
}

/** A quantity for each something, in either order, in one clause. */
function rate(quantity: string, per: string, text: string): Found[] | undefined {
  const amount = escapeRegex(quantity);
  const pattern = new RegExp(
    `每(?:个)?${per}[^，。；！？;!?\\n\ue001]{0,8}${amount}|${amount}\\s?(?:/|每|一)(?:个)?${per}`,
    "u",
  );
  const match = pattern.exec(text);
  return match && !isNegated(text, match.index, match.index + match[0].length)
    ? [{ start: match.index, end: match.index + match[0].length }]
    : undefined;
}

/** A rate is one thing: its amount and its "per" found apart (每年1500元，每月发放) do not state it. */
export function isRate(keyword: string): boolean {
  return RATE.test(keyword);
}

/**
 * @param keyword canonical keyword
 * @param text canonical answer
 * @returns where the answer says the keyword the other way round
 */
export function findTurnedRound(keyword: string, text: string): Found[] | undefined {
  const denial = DENIAL.exec(keyword);
  if (denial) return deniedTopic(denial[1] ?? "", denial[2] ?? "", text);
  const per = RATE.exec(keyword);
  if (per) return rate(per[1] ?? per[4] ?? "", per[2] ?? per[3] ?? "", text);
  const steps = FIRST_THEN.exec(keyword);
  return steps ? firstThen(steps[1] ?? "", steps[2] ?? "", text) : undefined;
}
