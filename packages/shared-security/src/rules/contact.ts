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
      /(?<=(?<![\w.%@]|\/\/|(?<!^|\s)[+-])(?<left>[A-Za-z0-9_](?:[\w.+%-]{0,62}[\w+%-])?))@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.){1,6}(?:[a-z]{2,24}|[A-Z]{2,6}|[A-Z][a-z]{1,9})(?![\w-]|\.[A-Za-z0-9])/,
    validate: (value, context) => isMailbox(value, textAfter(context, 1)),
    examples: {
      ok: [
        "mail alice.b@example.com now",
        "a@x.io b@y.io",
        "邮箱：zhang_wei58@163.com。",
        "<bob+tag@mail.example.co.uk>",
        "+dave@corp.io",
        "GET /users/erin@corp.io/keys",
      ],
      ng: [
        "git clone git@github.com:org/repo.git",
        "logo@2x.png",
        "npm i @scope/name",
        "react@18.2.0",
        "user@localhost",
        "you@example.com",
        "120363403215116621@g.us",
        "release openclaw@YYYY.M.PATCH",
      ],
    },
    source: "RFC 5321 section 4.1.2 (dot-string mailboxes); RFC 2606 and RFC 6761 (example domains)",
  },
  {
    id: "contact/email-spelled",
    type: "EMAIL",
    level: "S2",
    confidence: 0.7,
    keywords: ["(at)", "[at]", "{at}"],
    pattern:
      /(?<=(?<![\w.])(?<left>[A-Za-z0-9][\w.+-]{0,40}) ?)[[({]at[\])}] ?[A-Za-z0-9-]{1,40}(?: ?(?:\.|[[({]dot[\])}]) ?[A-Za-z0-9-]{2,24}){1,4}(?![\w-])/i,
    examples: {
      ok: ["alice (at) example (dot) com", "bob[at]corp.io"],
      ng: ["look (at) this", "items[at] = 1"],
    },
    source: "custom of writing mail addresses for people and not for harvesters",
  },
  {
    id: "contact/im-account",
    type: "IM_ACCOUNT",
    level: "S2",
    confidence: 0.75,
    keywords: ["微信", "wechat", "wxid_", "qq"],
    pattern:
      /(?:(?:微信|wechat|weixin)(?:号|账号|帐号|[ ]?id)?[ ]?[:：是为][ ]?(?<v>[A-Za-z][\w-]{5,19}|wxid_[a-z0-9]{8,24})|(?<![A-Za-z])qq(?:号|号码|群)?[ ]?[:：是为]?[ ]?(?<q>[1-9]\d{5,10})|(?<![\w])wxid_[a-z0-9]{12,24})(?![\w])/i,
    examples: {
      ok: ["微信号：zhang_wei88", "QQ：123456789", "wxid_a1b2c3d4e5f6g7"],
      ng: ["微信客户端的内存地址是多少", "QQ音乐", "加微信同号"],
    },
    source: "Tencent, WeChat ID rules (6-20 characters, starts with a letter); QQ numbers have 5-11 digits",
  },
  {
    id: "contact/one-time-code",
    type: "ONE_TIME_CODE",
    level: "S2",
    confidence: 0.75,
    keywords: [
      "验证码",
      "动态码",
      "校验码",
      "动态密码",
      "verification code",
      "one-time code",
      "login code",
      "security code",
      "passcode",
    ],
    pattern:
      /(?:(?:短信)?验证码|动态(?:密)?码|校验码|(?:verification|one-time|login|security) (?:pass)?code|passcode)(?:(?: is|是|为)?:? {0,2}|["']: ?["']?)(?<v>\d{4,8})(?![\w.-]|\d)/i,
    examples: {
      ok: ["验证码：384920，5分钟内有效", "Your verification code is 384920"],
      ng: ["验证码错误", "验证码4位", "verification code expires in 10 minutes"],
    },
    source: "NIST SP 800-63B section 5.1.3 (out-of-band secrets)",
  },
  {
    id: "contact/address-cn",
    type: "ADDRESS",
    level: "S2",
    confidence: 0.7,
    keywords: ["号"],
    // 省市区 + 路 + 号 + 室. With the room it is a home or a desk; without it must be called an address.
    pattern:
      /(?<=(?:(?:地址|住址|住|寄到|寄往|送到|位于|在|到|于)(?:为|是)?[:：]? ?|(?<![\u4e00-\u9fa5\d]))(?<left>[\u4e00-\u9fa5\d]{0,24}?[\u4e00-\u9fa5]{1,8}?(?:路|街|道|巷|弄|胡同|里|村|园|小区|大街|大道) ?[\d一二三四五六七八九十百甲乙-]{1,8} ?))号(?:院|楼)?(?: ?[\u4e00-\u9fa5A-Za-z]{0,16}?(?:[A-Za-z\d一二三四五六七八九十-]{1,6} ?(?:号楼|栋|幢|座|单元|层|楼|室|号|户|房)){1,4}(?:[A-Za-z]?\d{2,5})?(?:室|房)?)?/,
    validate: (value, context) =>
      /号.*\d.*|室|单元|栋|幢/.test(value.slice(value.indexOf("号") + 1)) ||
      ADDRESS_WORD.test(`${lineBefore(context, 12)}${value.slice(0, 12)}`),
    examples: {
      ok: [
        "地址：北京市海淀区中关村大街27号1101室",
        "寄到上海市浦东新区世纪大道100号2号楼301",
        "家住幸福小区3号楼2单元501",
      ],
      ng: ["公司位于长安街1号", "第27号文件", "地铁2号线", "订单号 12345"],
    },
    source: "GB/T 23705-2009 (coding of urban addresses)",
  },
];

const ADDRESS_WORD = /地址|住址|家住|住在|寄到|寄往|送到|送货|收货|户籍|籍贯|门牌/;

/** A mailbox never ends like a file, an image or a package archive: `logo@2x.png`, `dep@1.2.tgz`. */
const FILE_LIKE =
  /@\S+\.(?:png|jpe?g|gif|svg|webp|css|js|mjs|cjs|jsx|ts|tsx|json|zip|tgz|gz|md|py|sh|service|html?|yml|yaml|patch)$/i;

/** Domains that exist for documentation, and those that stand for "your own". */
const EXAMPLE_DOMAIN =
  /@(?:[\w-]+\.)*(?:example\.(?:com|org|net)|[\w-]+\.(?:example|test|invalid|localhost|local)|(?:your-?)?(?:domain|company|email|org|server|host|provider|mail)\.(?:com|org|net|tld|io))$/i;

/** Names that stand for "somebody". Anyone else at an example domain may well be a person in a made-up mail. */
const NOBODY =
  /^(?:(?:the|a|some|test|my)[._-]?)?(?:user(?:name)?\d?|name|owner|admin|operator|reader|bot|sender|recipient|someone|somebody|person|email|mail|me|foo|bar|baz|test(?:er|ing)?|info|hello|support|contact|no-?reply|scanner|automation|trusted|openclaw|agent|nick|member|customer|client|root|pass(?:word)?|service|sales|security|team|account|ci)(?:\+\w+)?@/i;

/** Somebody's mailbox, and neither a repository address nor a hole to fill in. */
function isMailbox(value: string, after: string): boolean {
  if (FILE_LIKE.test(value) || /^git@/i.test(value) || (after === ":" && /^git/.test(value))) return false;
  // WhatsApp group and contact identifiers have the form of a mailbox: 1203...@g.us.
  if (/^[\d-]+@(?:g\.us|s\.whatsapp\.net|c\.us|broadcast)$/.test(value)) return false;
  // Nobody's mailbox: role addresses that every domain has (RFC 2142), and those of robots.
  if (
    /^(?:security|abuse|postmaster|hostmaster|webmaster|mailer-daemon|no-?reply|do-?not-?reply)@/i.test(value)
  )
    return false;
  if (/@(?:[\w-]+\.)?(?:iam|system)\.gserviceaccount\.com$|\.ts\.net$/i.test(value)) return false;
  if (/^your?(?=[A-Z_.@+-]|e?mail|name)/i.test(value)) return false;
  // A package at a version has its last label in capitals, a mailbox nowhere or everywhere.
  if (/^[a-z].*\.[A-Z]+$/.test(value) && !/@.*[a-z]/.test(value)) return false;
  return !(EXAMPLE_DOMAIN.test(value) && NOBODY.test(value));
}
