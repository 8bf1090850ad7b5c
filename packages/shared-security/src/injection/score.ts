import type { InjectionFamily, InjectionProfile, InjectionReason, InjectionScore } from "./types.ts";

interface ThinRule {
  rule: string;
  family: InjectionFamily;
  weight: number;
  pattern: RegExp;
  profile?: InjectionProfile;
}

const RULES: readonly ThinRule[] = [
  {
    rule: "override",
    family: "instruction-override",
    weight: 0.9,
    pattern:
      /(?<!["'\u201c]|about )\b(?:ignore|disregard|forget|override|overlook)\s{1,3}(?:all|any|the|your|of|my|everything|previous|prior|above|earlier|preceding|\s){1,12}(?:instructions?|directives?|rules|orders|prompts?|guidelines|above)\b/gi,
  },
  {
    rule: "override-zh",
    family: "instruction-override",
    weight: 0.9,
    pattern: /(?:忽略|无视|忘记|忘掉).{0,10}(?:指令|指示|规则|说明|内容|提示)/g,
  },
  {
    rule: "fake-role",
    family: "role-spoofing",
    weight: 0.9,
    pattern: /<\/?\s{0,3}(?:system|assistant|developer|tool_result)\s{0,3}>/gi,
  },
  {
    rule: "extract",
    family: "prompt-extraction",
    weight: 0.7,
    pattern:
      /\b(?:print|reveal|repeat|show|output)\s{1,3}(?:me\s)?(?:your|the)\s{1,3}(?:system|initial|hidden)?\s?(?:prompt|instructions)\b/gi,
  },
  {
    rule: "answer-format",
    family: "assistant-imperative",
    weight: 0.7,
    profile: "untrusted-data",
    pattern: /\b(?:your|the)\s{1,3}(?:response|answer|reply)\b/gi,
  },
];
const THRESHOLD = 0.5;

/** Judges one text; see {@link InjectionProfile}. Never throws. */
export function scoreInjection(text: string, profile: InjectionProfile = "user-prompt"): InjectionScore {
  const folded = text.normalize("NFKC").replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, "");
  const reasons: InjectionReason[] = [];
  for (const { rule, family, weight, pattern, profile: only } of RULES) {
    if (only && only !== profile) continue;
    for (const match of folded.matchAll(pattern)) {
      const start = match.index;
      reasons.push({
        family,
        rule,
        span: { start, end: start + match[0].length },
        weight,
        excerpt: match[0].slice(0, 120),
      });
    }
  }
  const score = reasons.length === 0 ? 0 : Math.min(1, Math.max(...reasons.map((reason) => reason.weight)));
  return { score, flagged: score >= THRESHOLD, threshold: THRESHOLD, reasons: reasons.slice(0, 20) };
}

/** Whether a text looks like a prompt injection; `profile` defaults to `user-prompt`. */
export function looksLikePromptInjection(text: string, profile: InjectionProfile = "user-prompt"): boolean {
  return scoreInjection(text, profile).flagged;
}
