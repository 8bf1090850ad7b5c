import { lineBefore, textAfter } from "./context.ts";
import type { Rule } from "./rule.ts";

export const CONTACT_RULES: readonly Rule[] = [
  {
    id: "contact/email",
    type: "EMAIL",
    level: "S2",
    confidence: 0.95,
    keywords: ["@"],
    pattern:
      /(?<=(?<![\w.+%@/-])(?<left>[A-Za-z0-9_](?:[\w.+%-]{0,62}[\w+%-])?))@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}[A-Za-z]{2,24}(?![\w-]|\.[A-Za-z0-9])/,
    validate: (value, context) => !isGitRemote(value, textAfter(context, 1)) && !FILE_LIKE.test(value),
    examples: {
      ok: [
        "mail alice.b@example.com now",
        "a@x.io b@y.io",
        "邮箱：zhang_wei58@163.com。",
        "<bob+tag@mail.example.co.uk>",
      ],
      ng: [
        "git clone git@github.com:org/repo.git",
        "logo@2x.png",
        "npm i @scope/name",
        "react@18.2.0",
        "user@localhost",
      ],
    },
    source: "RFC 5321 section 4.1.2 (dot-string mailboxes)",
  },
  {
    id: "contact/phone-cn-mobile",
    type: "PHONE",
    level: "S2",
    confidence: 0.9,
    keywords: "number",
    firstDigits: "1",
    pattern: /(?<![\dA-Za-z.]|\d[ -])1[3-9]\d[ -]?\d{4}[ -]?\d{4}(?![\dA-Za-z]|[ -]\d{3})/,
    validate: (_value, context) => !OTHER_NUMBER.test(lineBefore(context, 16)),
    examples: {
      ok: ["请打 138 0013 8000 找我", "手机：13800138000", "电话138-0013-8000", "?phone=13800138000&x=1"],
      ng: [
        "id 1748503543012 at 1712345678901",
        "订单号 202611301234567890 已发货",
        "const userId = 13393724573;",
      ],
    },
    source: "MIIT numbering plan for public telecommunication networks (2017): mobile prefixes 13-19",
  },
  {
    id: "contact/phone-international",
    type: "PHONE",
    level: "S2",
    confidence: 0.8,
    keywords: ["+"],
    pattern:
      /(?<![\w+])\+[1-9]\d{0,2}[ .-]?(?:\(0?\d{0,4}\)[ .-]?)?\d{1,4}(?:[ .-]?\d{2,4}){1,4}(?![\w-]|\.\d)/,
    validate: (value) => {
      const digits = value.replace(/\D/g, "").length;
      return digits >= 9 && digits <= 15;
    },
    examples: {
      ok: ["call +1-984-182-0190", "+46 (0)8 928 571 38 fax", "电话 +86 138 0013 8000", "+447700900123"],
      ng: ["a +1 b", "UTC+08:00", "x+12345678901"],
    },
    source: "ITU-T E.164 and E.123",
  },
];

/** A mailbox never ends like a file, an image or a package archive: `logo@2x.png`, `dep@1.2.tgz`. */
const FILE_LIKE =
  /@\S+\.(?:png|jpe?g|gif|svg|webp|css|js|mjs|cjs|ts|tsx|json|zip|tgz|gz|md|py|sh|service|html?)$/i;

/** Words that say the digits are no phone number. */
const OTHER_NUMBER =
  /(?:\w*id|订单号?|单号|编号|流水号?|port|时间戳|timestamp|ts|version|版本)["']?\s*[:：=#]?\s*["']?$/i;

/** `git@host:path` is the scp form of a repository address; git is nobody's mailbox. */
function isGitRemote(value: string, after: string): boolean {
  return after === ":" && value.startsWith("git@");
}
