import { isPossiblePhone } from "../validators/phone.ts";
import { digitsOf, lineBefore, textAfter, textBefore } from "./context.ts";
import type { MatchContext, Rule } from "./rule.ts";

/** Telephone numbers: those that show by their form what they are, and any digits that the words around call a phone. */
export const PHONE_RULES: readonly Rule[] = [
  {
    id: "contact/phone-cn-mobile",
    type: "PHONE",
    level: "S2",
    confidence: 0.9,
    keywords: "number",
    firstDigits: "180",
    // Whole, in the usual groups, or digit by digit with one separator; 86 may stand before it.
    pattern:
      /(?:(?<![\dA-Za-z.+]|\d[ .-])|(?<=(?:phone|mobile|tel|wechat|vx|wx)[=:]?)|(?<=\+)(?=86))(?:(?:00)?86[ -]?)?(?<v>1(?:[3-9]\d[ .-]?\d{4}[ .-]?\d{4}|[3-9]\d(?<gap>_| - |[ \t]{1,3}|\r?\n)\d{4}\k<gap>\d{4}|[3-9]\d[ -]\d{3}[ -]\d{5}|[3-9]\d{3}[ -]\d{3}[ -]\d{4}|[3-9]\d{3}[ -]?\d{6}|(?<one>[ .-])[3-9](?:\k<one>\d){9}))(?![\dA-Za-z]|[ -]\d{3}|\.\d)/i,
    validate: (_value, context) => !NO_PHONE.test(lineBefore(context, 20)),
    examples: {
      ok: [
        "请打 138 0013 8000 找我",
        "手机：13800138000",
        "电话138-0013-8000",
        "?phone=13800138000&x=1",
        "我的号码是+86 17739753184，加微信同号",
        "008613800138000",
        "1 3 8 0 0 1 3 8 0 0 0",
        "138.0013.8000",
      ],
      ng: [
        "id 1748503543012 at 1712345678901",
        "订单号 202611301234567890 已发货",
        "const userId = 13393724573;",
        "squares: 1 4 9 16 25 36 49",
        "0.13800138000",
      ],
    },
    source: "MIIT numbering plan for public telecommunication networks (2017): mobile prefixes 13-19",
  },
  {
    id: "contact/phone-cn-landline",
    type: "PHONE",
    level: "S2",
    confidence: 0.8,
    keywords: "number",
    firstDigits: "08",
    pattern:
      /(?<![\dA-Za-z.]|\d[ .-])(?:(?:00)?86[ -]?)?0(?:10|2\d|[3-9]\d{2})(?:-|[ ](?=\d{4}[ -]?\d))?[2-8]\d{2,3}[ -]?\d{4}(?:-\d{1,5})?(?![\dA-Za-z-]|[ ]\d)/,
    validate: (value, context) =>
      /-/.test(value.slice(0, 6)) || CHINESE_PHONE_WORD.test(lineBefore(context, 16)),
    examples: {
      ok: ["座机0755-58749714", "座机021-35254454", "电话 010 8888 6666", "传真：02089898989"],
      ng: ["0755", "编号 0212345678901", "2021-12345678"],
    },
    source: "MIIT numbering plan for public telecommunication networks (2017): long-distance area codes",
  },
  {
    id: "contact/phone-international",
    type: "PHONE",
    level: "S2",
    confidence: 0.8,
    keywords: ["+"],
    pattern:
      /(?<![\w+*/)\]])\+[1-9]\d{0,2}[ .-]?(?:\(0?\d{0,4}\)[ .-]?)?\d{1,5}(?:[ .-]?\d{1,5}){1,5}(?:[ ]?(?:x|ext\.?)[ ]?\d{1,5})?(?![\w]|[.:]\d)/i,
    validate: (value, context) => {
      const digits = digitsOf(value).length;
      return (
        digits >= 9 && digits <= 17 && isSomebodys(value, context) && isPossiblePhone(value, context.scan)
      );
    },
    examples: {
      ok: [
        "call +1-984-182-0190",
        "+46 (0)8 928 571 38 fax",
        "电话 +86 138 0013 8000",
        "+447712345678",
        "phone: +1 555 0100 123",
      ],
      ng: [
        "a +1 b",
        "UTC+08:00",
        "x+12345678901",
        `allowFrom: ["+15555550123", "+447700900123"]`,
        "+12 +34 56",
        "+999 123 456 789",
        "+1 800 100 200 300",
      ],
    },
    source: "ITU-T E.164 and E.123; NANPA: 555 is no area code, 555-0100 to 555-0199 are for fiction",
  },
  {
    id: "contact/phone-nanp",
    type: "PHONE",
    level: "S2",
    confidence: 0.75,
    keywords: "number",
    firstDigits: "23456789",
    pattern: /(?<=(?<left>\())[2-9]\d{2}\)[ ]?\d{3}[ .-]\d{4}(?:[ ]?(?:x|ext\.?)[ ]?\d{1,5})?(?![\w-])/i,
    validate: (value, context) => isSomebodys(value, context),
    examples: {
      ok: ["(579)888-3058 fax", "call (415) 867-5309"],
      ng: ["(415) 86-75309", "f(123)456"],
    },
    source: "NANPA, North American Numbering Plan",
  },
  {
    id: "contact/phone-nanp-plain",
    type: "PHONE",
    level: "S2",
    confidence: 0.7,
    keywords: "number",
    firstDigits: "0123456789",
    pattern:
      /(?<![\w.+-]|\d )(?:(?:001|1)[.-])?(?!400)([2-9]\d{2})([.-])\d{3}\2\d{4}(?:[ ]?(?:x|ext\.?)[ ]?\d{1,5})?(?![\w-]|\.\d)/i,
    validate: (value, context) => isSomebodys(value, context),
    examples: {
      ok: [
        "registered 905-674-3793. Could",
        "930.167.3943 fax",
        "463-612-6138x036",
        "001-518-640-0854 mobile",
      ],
      ng: ["2024-05-1234", "123-456-78901", "105-674-3793", "v905-674-3793"],
    },
    source: "NANPA, North American Numbering Plan",
  },
  {
    id: "contact/phone-in-context",
    type: "PHONE",
    level: "S2",
    confidence: 0.7,
    keywords: "number",
    pattern:
      /(?<![\w.+/#-]|\d[ :])\(?\d{1,15}\)?(?:[ ./-]{1,2}\(?\d{1,8}\)?){0,5}(?:[ ]?x\d{1,5})?(?![\w]|[.:/-]\d)/,
    validate: (value, context) => {
      const digits = digitsOf(value).length;
      return (
        digits >= 7 && digits <= 15 && !DATE.test(value) && !HOTLINE.test(value) && hasPhoneContext(context)
      );
    },
    examples: {
      ok: [
        "Phone:\n60-56-85-91\n",
        "call me at 0494 92 82 32 please",
        "Fax: 9498777106",
        "416 60 039 office\n",
        "They're not answering at 99 668472",
        "电话：88886666",
      ],
      ng: [
        "order 9498777106",
        "Phone: 2024-01-02",
        "call it 12 times",
        "office hours 9-17",
        "mobile 12.5.0",
        "电话：400-820-8820",
      ],
    },
    source: "ITU-T E.123 (national notation)",
  },
];

/** Words that say the digits are no phone number. */
const NO_PHONE =
  /(?:\b[ui]id|\bid|[a-z]I[dD]|_id|\bID|订单号?|单号|编号|流水号?|\bport|时间戳|timestamp|\bts|version|版本|size|bytes|count|total|amount|金额)["']?\s*[:：=#]?\s*["']?$/i;

const CHINESE_PHONE_WORD = /(?:电话|座机|固话|传真|热线|手机|联系方式|致电|拨打|号码)\D{0,6}$/;

/** `phone: `, `call me at `, `my registered `: what leads up to a number and calls it one. */
const PHONE_BEFORE =
  /(?:\b(?:tele)?phones?(?:[ ]?(?:number|no\.?|#))?|\bmobile(?:[ ](?:number|no\.?))?|\bcell(?:phone)?(?:[ ]number)?|\btel\b\.?|\bfax|\bdesk|\bdial|\bhotline|\bwhatsapp|\b(?:call|ring|reach|text|sms|contact)(?:ing|ed)?(?:[ ](?:me|us|him|her|them|back|you))?(?:[ ](?:at|on|via))?|\bmessages?[ ](?:to|at|on)|\banswering[ ](?:at|on)|\bmy[ ]registered|\b(?:my|his|her|their|our|your)[ ](?:new[ ])?number(?:[ ]is)?|电话|手机|座机|固话|传真|热线|致电|拨打|联系方式)(?:[ ](?:is|was|at|on))?["'*]{0,2}\s{0,2}[:：=#]?\s{0,4}["'(*]{0,2}$/i;

const PHONE_AFTER = /^[ ,\\-]{0,3}\(?(?:office|fax|mobile|cell|home|work|desk|tel|phone|手机|电话|传真)\b/i;

/** Chinese business lines, which are printed in advertisements: 400-xxx-xxxx and 95xxx (MIIT numbering plan). */
const HOTLINE = /^(?:400[ -]?\d{3}[ -]?\d{4}|400[ -]?\d{4}[ -]?\d{3}|95\d{3,4})$/;

const DATE = /^(?:(?:19|20)\d{2}[-/. ]\d{1,2}[-/. ]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ](?:19|20)\d{2})/;

/** Whether the words around a number call it a telephone number. */
export function hasPhoneContext(context: MatchContext): boolean {
  return PHONE_BEFORE.test(textBefore(context, 40)) || PHONE_AFTER.test(textAfter(context, 12));
}

/** Fictional numbers count only in prose that calls them a phone: in quotes they are a sample value. */
function isSomebodys(value: string, context: MatchContext): boolean {
  return !isFictional(value) || (hasPhoneContext(context) && !/^["'`]/.test(textAfter(context, 1)));
}

/**
 * Numbers set aside for examples and fiction: area code 555 and exchange 555 of the North American plan (NANPA), 07700
 * 900xxx of the United Kingdom (Ofcom).
 */
function isFictional(value: string): boolean {
  const digits = digitsOf(value.replace(/[ ]?(?:x|ext).*$/i, ""));
  return /^1?555\d{7}$|^1?\d{3}555\d{4}$|^447700900\d{3}$/.test(digits);
}
