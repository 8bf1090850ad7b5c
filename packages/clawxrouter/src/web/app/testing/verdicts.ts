/** A small detector for the test panel and the live checks: the browser's own regexes stand in for RE2. */
import type { Answer, Body } from "../../contract.ts";

const RULES = [
  { type: "PHONE", level: "S2", rule: "contact/phone-cn", pattern: /1[3-9]\d{9}/g },
  { type: "EMAIL", level: "S2", rule: "contact/email", pattern: /[\w.]+@[\w.]+\.\w+/g },
  { type: "KEYWORD", level: "S3", rule: "user/keyword", pattern: /工资单|病历/g },
] as const;

export function classify({ message, router }: Body<"testClassify">): Answer<"testClassify"> {
  const findings = RULES.flatMap(({ type, level, rule, pattern }) =>
    [...message.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      type,
      level,
      rule,
      confidence: 1,
    })),
  ).sort((a, b) => a.start - b.start);
  const level = findings.some((entry) => entry.level === "S3") ? "S3" : findings.length > 0 ? "S2" : "S1";
  const privacy = {
    router: "privacy",
    weight: 90,
    level,
    action: level === "S3" ? "redirect" : level === "S2" ? "transform" : "passthrough",
    target: level === "S3" ? { provider: "ollama", model: "qwen3:8b" } : null,
    tier: null,
    reason:
      findings.length > 0 ? findings.map((entry) => `rule ${entry.rule}`).join("; ") : "no rule matched",
    degraded: null,
    findings,
    confidence: null,
    ms: 0.6,
    error: null,
  } as const;
  const cost = {
    router: "token-saver",
    weight: 40,
    level: "S1",
    action: "redirect",
    target: { provider: "openrouter", model: "glm-4.5-air" },
    tier: "SIMPLE",
    reason: "graded SIMPLE",
    degraded: null,
    findings: [],
    confidence: 0.83,
    ms: 0.3,
    error: null,
  } as const;
  const asked = [privacy, ...(level === "S1" ? [cost] : [])].filter(
    (entry) => router === undefined || entry.router === router,
  );
  const winner = asked.at(-1) ?? privacy;
  return {
    merged: {
      level: winner.level,
      action: winner.action,
      target: winner.target === null ? null : { ...winner.target },
      tier: winner.tier,
      reason: winner.reason,
      degraded: null,
      findings: [...winner.findings],
      router: winner.router,
    },
    routers: asked.map((entry) => ({
      ...entry,
      target: entry.target === null ? null : { ...entry.target },
      findings: [...entry.findings],
    })),
    skipped: level === "S1" || router !== undefined ? [] : ["token-saver"],
    plan: { first: ["privacy"], second: ["token-saver"] },
    ms: 1.1,
  };
}

export function validateRules({
  patterns,
  keywords,
  sample = "",
}: Body<"rulesValidate">): Answer<"rulesValidate"> {
  return {
    patterns: patterns.map((source) => {
      try {
        const flags = /^\(\?([ims]+)\)/.exec(source);
        const pattern = new RegExp(source.slice(flags?.[0].length ?? 0), `g${flags?.[1] ?? ""}`);
        return {
          ok: true,
          error: null,
          position: null,
          cost: {
            msPer100kB: source.length / 8,
            verdict: source.includes(".*.*") ? ("slow" as const) : ("fine" as const),
          },
          hits: [...sample.matchAll(pattern)].map((match) => ({
            start: match.index,
            end: match.index + match[0].length,
          })),
        };
      } catch (error) {
        return {
          ok: false,
          error: error instanceof Error ? error.message : "",
          position: source.length - 1,
          cost: null,
          hits: [],
        };
      }
    }),
    keywords: keywords.map((word) => ({
      ok: true,
      error: null,
      hits: sample.includes(word)
        ? [{ start: sample.indexOf(word), end: sample.indexOf(word) + word.length }]
        : [],
    })),
  };
}
