import type { Rule } from "./rule.ts";

/** Values that Chinese office texts keep private, each only beside the word that says what it is. */
export const BUSINESS_RULES: readonly Rule[] = [
  {
    id: "business/contract-number",
    type: "CONTRACT_NUMBER",
    level: "S2",
    confidence: 0.8,
    keywords: ["合同", "协议", "contract n", "agreement n", "contract #"],
    pattern:
      /(?:(?:合同|协议)(?:书)?(?:编号|号码?)|(?:contract|agreement) (?:number|no\.?|#))\s?[:：#是为]?\s?(?<v>[A-Z]{0,8}[-_/（(]?\d[\w()（）/-]{4,30})(?![\w-])/i,
    examples: {
      ok: ["合同编号：HT-2024-0012", "协议号 XY20240315", "contract no. AB-20391"],
      ng: ["合同签了吗", "合同编号不能为空", "contract number is required"],
    },
    source: "GB/T 36298 (electronic contract: contract number)",
  },
  {
    id: "business/salary",
    type: "SALARY",
    level: "S3",
    confidence: 0.7,
    keywords: ["工资", "薪资", "月薪", "年薪", "薪水", "底薪", "奖金", "年终奖", "salary"],
    pattern:
      /(?:(?:基本|实发|应发|税前|税后|到手)?(?:工资|薪资|月薪|年薪|薪水|底薪|奖金|年终奖)|(?<![A-Za-z])(?:base |annual |monthly |gross |net )?salary)(?:是|为|约| is| of)?\s?[:：=]?\s?(?<v>(?:[¥￥$€£]|RMB |CNY |USD )?\s?\d[\d,]{3,12}(?:\.\d{1,2})?(?:\s?(?:元|块|万|[kK](?![A-Za-z])))?)(?![\d%])/i,
    validate: (value) => !/^(?:19|20)\d\d$/.test(value.trim()),
    examples: {
      ok: ["月薪：25000元", "实发工资 18,320.50", "salary: $125,000", "年薪是 480000"],
      ng: ["工资条模板", "工资打到", "年终奖2026", "salary range"],
    },
    source: "PIPL article 28 (financial data); GB/T 35273-2020 appendix B",
  },
  {
    id: "business/amount",
    type: "AMOUNT",
    level: "S2",
    confidence: 0.65,
    keywords: [
      "合同金额",
      "合同总价",
      "合同额",
      "成交价",
      "成交金额",
      "交易金额",
      "报价",
      "标底",
      "中标价",
      "欠款",
      "借款金额",
    ],
    pattern:
      /(?:合同(?:金额|总价|额)|成交(?:价|金额)|交易金额|报价|标底|中标价|欠款|借款金额)(?:是|为|约)?\s?[:：=]?\s?(?<v>(?:[¥￥$]|人民币)?\s?\d[\d,]{2,14}(?:\.\d{1,2})?(?:\s?(?:元|万元?|亿元?))?)/,
    examples: {
      ok: ["合同金额：¥1,280,000.00", "成交价 356万元"],
      ng: ["报价单模板", "合同金额不得为空", "预算 2,834,470 元"],
    },
    source: "Anti-Unfair Competition Law of China, article 9 (business secrets)",
  },
];
