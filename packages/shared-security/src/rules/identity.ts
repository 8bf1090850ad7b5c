import { isCnCompanyCode } from "../validators/cn-company.ts";
import { isCnId } from "../validators/cn-id.ts";
import { isUsSsn } from "../validators/us-ssn.ts";
import { digitsOf, textBefore } from "./context.ts";
import type { Rule } from "./rule.ts";

export const IDENTITY_RULES: readonly Rule[] = [
  {
    id: "identity/cn-id",
    type: "CN_ID",
    level: "S3",
    confidence: 1,
    keywords: "number",
    pattern: /(?<![\dA-Za-z])[1-8]\d{5}[ -]?(?:19|20)\d{2}[ -]?\d{4}[ -]?\d{3}[\dXx](?![\dA-Za-z])/,
    validate: (value) => isCnId(value.replace(/[ -]/g, "")),
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
];
void textBefore;
