import { luhn } from "../validators/luhn.ts";
import { IBAN_COUNTRIES, isIban } from "../validators/mod97.ts";
import { digitsOf, lineBefore } from "./context.ts";
import type { Rule } from "./rule.ts";

/** Country and first check digit: `GB8`. Two letters alone would be tried at every second word. */
const IBAN_STARTS = IBAN_COUNTRIES.flatMap((country) => Array.from("0123456789", (digit) => country + digit));

export const FINANCE_RULES: readonly Rule[] = [
  {
    id: "finance/payment-card",
    type: "BANK_CARD",
    level: "S3",
    confidence: 0.95,
    keywords: "number",
    firstDigits: "123456",
    pattern:
      /(?<![A-Za-z\d.]|[A-Za-z\d]_|\d[ -])(?:\d{4}[ -]?\d{4}[ -]?\d{4}[ -]?\d{4}(?:[ -]?\d{1,3})?|\d{4}([._/]|[ \t]{1,2}| - |\r?\n)\d{4}\1\d{4}\1\d{4}(?:\1\d{1,3})?|3\d{3}[ -]?\d{6}[ -]?\d{4,5}|\d{12,19})(?![A-Za-z\d]|_[A-Za-z\d]|[ -]\d)/,
    validate: (value, context) => isCard(digitsOf(value), lineBefore(context, 24)),
    examples: {
      ok: [
        "card 4111 1111 1111 1111",
        "卡号6228 4864 1989 9013 656 工行",
        "3782 822463 10005",
        "4454794511390933",
      ],
      ng: [
        "4111 1111 1111 1112",
        "id 1748503543012",
        "订单号 202611301234567890",
        "550e8400-e29b-41d4-a716-446655440000",
      ],
    },
    source:
      "ISO/IEC 7812-1; issuer ranges of Visa, Mastercard, Amex, Diners, Discover, JCB, UnionPay, Maestro",
  },
  {
    id: "finance/card-rounded",
    type: "BANK_CARD",
    level: "S3",
    confidence: 0.7,
    keywords: "number",
    firstDigits: "6",
    pattern: /(?<![\w.-])62\d{15,17}(?![\w.-])/,
    // UnionPay's cards have up to 19 digits; as a JSON number the last are rounded and the check digit is lost.
    validate: (value) => String(Number(value)) === value && /00$/.test(value),
    examples: {
      ok: [`"card": ${Number("6222021400012345678")}`],
      ng: ["6222021400012345678", "6199990000000000000"],
    },
    source: "ISO/IEC 7812-1; ECMA-262, Number::toString (shortest form of a rounded number)",
  },
  {
    id: "finance/card-labelled",
    type: "BANK_CARD",
    level: "S3",
    confidence: 0.75,
    keywords: [
      "卡号",
      "银行卡",
      "信用卡",
      "储蓄卡",
      "借记卡",
      "银行账号",
      "银行账户",
      "card number",
      "card_number",
      "cardnumber",
      "cardno",
    ],
    // Called a card number it is hidden even when mistyped.
    pattern:
      /(?:卡号|(?:银行|信用|储蓄|借记)卡(?:卡?号码?)?|银行账[号户]|card[ _]?(?:number|no))["']?\s?(?:是|为|is)?[:=]?\s?["']?(?<v>\d{4}(?:[ -]?\d{4}){2,3}(?:[ -]?\d{1,4})?)(?![\w]|[ -]\d)/i,
    validate: (value) => digitsOf(value).length >= 15,
    examples: {
      ok: [
        "银行卡号：6222021400012345678",
        "card number: 4111 1111 1111 1112",
        "卡号 6222 0214 0001 2345 67",
      ],
      ng: ["银行卡必填", "卡号不能为空", "card number has 16 digits", "卡号 12345678"],
    },
    source: "ISO/IEC 7812-1 (form), without its check digit",
  },
  {
    id: "finance/iban",
    type: "IBAN",
    level: "S3",
    confidence: 1,
    keywords: IBAN_STARTS,
    pattern: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?![A-Za-z0-9])/,
    validate: isIban,
    examples: {
      ok: ["My IBAN is GB82WEST12345698765432", "DE89 3704 0044 0532 0130 00"],
      ng: ["GB82WEST12345698765433", "IT60X0542811101"],
    },
    source: "ISO 13616-1; SWIFT IBAN Registry",
  },
];

/** Luhn, and an issuer range for the length; where the text says "card", Luhn alone. */
function isCard(digits: string, before: string): boolean {
  if (digits.length < 12 || digits.length > 19 || /^(\d)\1+$/.test(digits) || !luhn(digits)) return false;
  if (OTHER_NUMBER.test(before)) return false;
  // Thirteen digits were Visa's until the 1990s; today they are milliseconds and article numbers.
  return (digits.length !== 13 && ISSUERS.test(digits)) || (digits.length >= 13 && CARD_WORD.test(before));
}

const OTHER_NUMBER =
  /(?:订单号?|单号|编号|流水号?|时间戳|\b[ui]?id|_id|Id|timestamp|seed|size|bytes)["']?\s*[:：=#]?\s*$/i;

const CARD_WORD =
  /(?:\bcards?\b|\bcc\b|\bvisa\b|master\s?card|amex|\bdebit\b|\bcredit\b|卡号?|账户|账号|银联)[^\d\n]{0,16}$/i;

/** Issuer identification ranges with their lengths, from the schemes' public documents. */
const ISSUERS =
  /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|6(?:011|5\d\d|4[4-9]\d)\d{12,15}|35(?:2[89]|[3-8]\d)\d{12}|(?:2131|1800)\d{11}|62\d{14,17}|(?:5018|5020|5038|5893|6304|6759|676[1-3])\d{8,15})$/;
