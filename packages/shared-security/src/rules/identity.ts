import { isCnCompanyCode } from "../validators/cn-company.ts";
import { isCnId, isOldCnId, isRoundedCnId } from "../validators/cn-id.ts";
import { isUsSsn } from "../validators/us-ssn.ts";
import { digitsOf } from "./context.ts";
import type { Rule } from "./rule.ts";

export const IDENTITY_RULES: readonly Rule[] = [
  {
    id: "identity/cn-id",
    type: "CN_ID",
    level: "S3",
    confidence: 1,
    keywords: "number",
    pattern:
      /(?<![\dA-Za-z])[1-8]\d{5}(?:[ \t._/-]{1,3}|\r?\n)?(?:19|20)\d{2}[ -]?\d{4}(?:[ \t._/-]{1,3}|\r?\n)?\d{3}[\dXx](?![\dA-Za-z])/,
    validate: (value) => isCnId(value.replace(/[^\dX]/gi, "")),
    examples: {
      ok: [
        "身份证 11010519491231002X",
        "id=110105194912310021x 不是，11010519491231002x 是",
        "110105 19491231 002X",
      ],
      ng: ["订单号 202611301234567890", "110105194912310021", "身份证 110105194913310022"],
    },
    source: "GB 11643-1999",
  },
  {
    id: "identity/cn-id-rounded",
    type: "CN_ID",
    level: "S3",
    confidence: 0.7,
    keywords: "number",
    firstDigits: "12345678",
    pattern: /(?<![\w.-])[1-8]\d{5}(?:19|20)\d{10}(?![\w.-])/,
    validate: isRoundedCnId,
    examples: {
      ok: [`"id": ${Number("110105194912310021")}`],
      ng: ["110105194912310021", "订单号 202611301234567890", "110105194913310000"],
    },
    source: "GB 11643-1999; ECMA-262, Number::toString (shortest form of a rounded number)",
  },
  {
    id: "identity/cn-company",
    type: "CN_COMPANY_CODE",
    level: "S2",
    confidence: 0.95,
    keywords: "number",
    firstDigits: "159",
    pattern: /(?<![\dA-Za-z])(?:1[1239]|5[1239]|9[123])\d{6}[0-9A-HJ-NPQRTUWXY]{10}(?![\dA-Za-z])/,
    validate: (value) => /[A-Z]/.test(value) && isCnCompanyCode(value),
    examples: {
      ok: ["统一社会信用代码91350100M000100Y43"],
      ng: ["统一社会信用代码91350100M000100Y44", "911101051234567890"],
    },
    source: "GB 32100-2015",
  },
  {
    id: "identity/us-ssn",
    type: "US_SSN",
    level: "S3",
    confidence: 0.85,
    keywords: "number",
    pattern: /(?<![\w.-])\d{3}-\d{2}-\d{4}(?![\w-]|\.\d)/,
    validate: (value) => isUsSsn(digitsOf(value)),
    examples: {
      ok: ["Here's my SSN: 054-28-6917"],
      ng: ["666-12-3456", "000-12-3456", "219-09-9999", "2024-05-1234"],
    },
    source: "SSA, Social Security Number Randomization (2011)",
  },
  {
    id: "identity/us-ssn-in-context",
    type: "US_SSN",
    level: "S3",
    confidence: 0.85,
    keywords: ["ssn", "social security"],
    pattern:
      /(?<![A-Za-z])(?:ssn|social security(?: (?:number|no\.?|#))?)["']?(?: (?:is|was))?\s?[:=#]?\s?["']?(?<v>\d{3}[ .]?\d{2}[ .]?\d{4})(?![\w-]|\.\d)/i,
    validate: (value) => isUsSsn(digitsOf(value)),
    examples: {
      ok: ["SSN: 054286917", "my social security number is 054 28 6917"],
      ng: ["ssn: 000286917", "SSN field has 9 digits", "ssn 12345"],
    },
    source: "SSA, Social Security Number Randomization (2011)",
  },
  {
    id: "identity/cn-id-labelled",
    type: "CN_ID",
    level: "S3",
    confidence: 0.8,
    keywords: ["身份证", "证件号", "idcard", "id_card", "idno"],
    // Called an identity number it is hidden even when mistyped: the check character is for those without a label.
    pattern:
      /(?:身份证(?:件)?(?:号码?)?|证件号码?|id_?card(?:_?(?:no|number))?|idno)["']?\s?(?:是|为)?[:=]?\s?["']?(?<v>[1-9]\d{5} ?(?:18|19|20)\d{2} ?\d{4} ?\d{3}[\dXx])(?![\dA-Za-z])/i,
    examples: {
      ok: ["身份证号：110101199003071234", `"idCard": "11010119900307123X"`, "证件号码 110101 19900307 1234"],
      ng: ["请填写身份证号", "身份证 123", "idno = 5"],
    },
    source: "GB 11643-1999 (form), without its check character",
  },
  {
    id: "identity/cn-id-old",
    type: "CN_ID",
    level: "S3",
    confidence: 0.7,
    keywords: ["身份证"],
    pattern: /身份证(?:号码?|件号)?\s?[:：是为]?\s?(?<v>\d{15})(?![\dXxA-Za-z])/,
    validate: isOldCnId,
    examples: {
      ok: ["身份证号：110105491231002"],
      ng: ["身份证号：110105499931002", "请填写身份证号和密码两个字段"],
    },
    source: "GB 11643-1989 (15 digits, no check digit)",
  },
  {
    id: "identity/driver-license",
    type: "DRIVER_LICENSE",
    level: "S3",
    confidence: 0.75,
    keywords: ["licen", "driving permit", "驾驶证", "驾照"],
    pattern:
      /(?:(?<=\b(?:driver'?s?'?|driver’s|driving|dl)[ _-]?)licen[cs]e|driving permit|驾驶证|驾照)(?: ?(?:number|no\.?|num|id|#)|号码?|编号|档案编号)?(?: is| was)?["']?\s?[:：=#是为]?\s?["']?(?<v>[A-Z]{0,3}[0-9][A-Z0-9]{0,4}(?:[ -]?[A-Z0-9]{2,6}){1,4})(?![\w-])/i,
    validate: (value) => digitsOf(value).length >= 5,
    examples: {
      ok: [
        "my driver's license number is 2270-66-1551",
        "My driver's license number is 6940579",
        "Driving licence: D1234567",
      ],
      ng: ["driver's license expired in 2020", "MIT license 2.0", "license number is required"],
    },
    source: "AAMVA DL/ID Card Design Standard (customer identifier, up to 25 characters)",
  },
  {
    id: "identity/passport",
    type: "PASSPORT",
    level: "S3",
    confidence: 0.75,
    keywords: ["passport", "护照", "通行证", "台胞证"],
    pattern:
      /(?:passport|护照|(?:港澳|台湾|往来)[一-龥]{0,6}通行证|通行证|台胞证)(?: ?(?:number|no\.?|#)|号码?)?(?: is| was)?["']?\s?[:：=是为]?\s?["']?(?<v>[A-Z]{1,2}\d{6,8}|\d{9})(?![\w-])/i,
    examples: {
      ok: ["护照号：E12345678", "passport number is X1234567", "港澳居民来往内地通行证 H12345678"],
      ng: ["passport.js v12", "护照办理需要7个工作日", "passport 2024"],
    },
    source: "ICAO Doc 9303 part 4 (document number); NIA of China, document number formats",
  },
  {
    id: "identity/cn-license-plate",
    type: "LICENSE_PLATE",
    level: "S2",
    confidence: 0.8,
    keywords: Array.from("京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼"),
    pattern:
      /[京津沪渝冀豫云辽黑湘皖鲁新苏浙赣鄂桂甘晋蒙陕吉闽贵粤青藏川宁琼][A-HJ-NP-Z][ ·.-]?(?=[A-HJ-NP-Z]*\d)[A-HJ-NP-Z0-9]{5,6}(?![A-Za-z0-9])/,
    examples: {
      ok: ["车牌京A12345", "沪B·D12345", "粤B 8K2J7"],
      ng: ["京A计划", "新API12345678", "黑A1"],
    },
    source: "GA 36-2018 (motor vehicle number plates)",
  },
  {
    id: "identity/cn-social-insurance",
    type: "CN_SOCIAL_INSURANCE",
    level: "S3",
    confidence: 0.75,
    keywords: ["社保", "医保", "公积金", "病历号", "住院号", "门诊号", "就诊卡"],
    pattern:
      /(?:社保|医保|公积金|病历|住院|门诊|就诊卡)(?:卡|账户|账号|个人)?(?:号码?|编号)\s?[:：是为]?\s?(?<v>[A-Z]{0,3}\d{6,18}[A-Z]?)(?![\w-])/i,
    examples: {
      ok: ["社保号：1234567890", "住院号 ZY20231234"],
      ng: ["社保缴费比例 16%", "医保卡怎么办理", "病历号不能为空"],
    },
    source: "GB/T 31596 (social insurance personal number); hospital record numbers",
  },
];
