/**
 * One rule in a judge's place: a short plain question or greeting is SIMPLE; of anything else it has no opinion.
 * Used when no other judge is there.
 */
import type { Judge, JudgeVerdict } from "../routing/types.ts";

const MAX_CHARS = 240;
/** Words that ask for more than a short answer. */
const DEMANDING =
  /\b(?:prove|proof|derive|design|implement|refactor|debug|analy[sz]e|architect|research|compare|optimi[sz]e|write (?:a|an|the)|build|create|plan|step by step|why does)\b|证明|推导|设计|实现|重构|调试|分析|研究|比较|优化|写一|编写|开发|方案|报告|实验|为什么/i;

export class SimpleRuleJudge implements Judge {
  readonly id = "simple-rule";
  async classify(prompt: string): Promise<JudgeVerdict> {
    const text = prompt.trim();
    const simple =
      text.length <= MAX_CHARS &&
      !text.includes("```") &&
      text.split("\n").length <= 3 &&
      !DEMANDING.test(text);
    return simple
      ? { tier: "SIMPLE", confidence: 0.6, reason: "short and plain" }
      : { tier: "MEDIUM", confidence: 0, reason: "no opinion" };
  }
}
