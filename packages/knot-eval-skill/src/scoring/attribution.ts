/**
 * Ten causes for an answer that did not pass (references/attribution_taxonomy.md).
 * A: the evaluation itself; B: retrieval; C: generation.
 */
export const ATTRIBUTIONS = ["A1", "A2", "A3", "B1", "B2", "B3", "C1", "C2", "C3", "C4"] as const;

export type Attribution = (typeof ATTRIBUTIONS)[number];

/** What the automatic first judgement looks at. */
export interface AttributionSignals {
  grade: "PASS" | "PARTIAL" | "FAIL";
  keywordRate: number;
  /** null: the question expects no document. */
  docHit: boolean | null;
  substantive: boolean;
  refusal: boolean;
  /** Number of retrieved chunks; 0 when the stream showed none. */
  chunks: number;
  /** Share of the missing keywords that the retrieved chunks hold; null without chunks or without missing keywords. */
  missingInChunks: number | null;
  /** Missing keywords that the question's own source text does not hold either. */
  missingNotInSource: number;
  /** Missing keywords the answer has in a near form (same numbers, most fragments). */
  nearMisses: number;
  missing: number;
  /** Missing keywords that the answer denies. */
  denied: number;
  /** More synonym hits than exact ones: the scoring method, not the agent, is the limit. */
  scoringMethodLimited: boolean;
}

export interface AttributionResult {
  attribution: Attribution;
  /** Further plausible causes, most plausible first. A3 stands alone: never beside C2 or C4. */
  alternatives: Attribution[];
  reason: string;
}

interface Rule {
  attribution: Attribution;
  reason: string;
  applies: (s: AttributionSignals) => boolean;
}

/** First match decides; later matches are alternatives. The order is the decision tree of the taxonomy. */
function rules(a3KeywordRate: number): Rule[] {
  return [
    {
      attribution: "A1",
      reason:
        "缺失的关键词在题目来源文档中也不存在 / every missing keyword is absent from the question's own source document",
      applies: (s) => s.missing > 0 && s.missingNotInSource === s.missing,
    },
    {
      attribution: "A3",
      reason:
        "同义命中多于精确命中，属评分方法局限 / more synonym hits than exact hits: the scoring method is the limit",
      applies: (s) => s.scoringMethodLimited,
    },
    {
      attribution: "A3",
      reason: `命中期望文档、有实质回答、关键词率低于 ${a3KeywordRate} / expected document used, substantive answer, keyword rate below ${a3KeywordRate}`,
      applies: (s) => s.docHit === true && s.keywordRate < a3KeywordRate && s.substantive,
    },
    {
      attribution: "A2",
      reason: "缺失的关键词以其他形式出现在回答中 / the missing keywords stand in the answer in another form",
      applies: (s) => s.missing > 0 && s.nearMisses === s.missing,
    },
    {
      attribution: "C4",
      reason: "回答否定了期望文档中的事实 / the answer denies a fact that the expected document states",
      applies: (s) => s.denied > 0 && s.docHit === true,
    },
    {
      attribution: "C3",
      reason:
        "用到了期望文档，但拒答或没有给出内容 / the expected document was retrieved, but the agent declined or gave no answer",
      applies: (s) => s.docHit === true && !s.substantive && (s.refusal || s.keywordRate === 0),
    },
    {
      attribution: "B1",
      reason: "没有在知识库中找到内容 / the agent found nothing in the knowledge base",
      applies: (s) => s.docHit !== true && (s.refusal || !s.substantive) && s.keywordRate === 0,
    },
    {
      attribution: "B2",
      reason: "检索到的是其他文档 / other documents were retrieved instead of the expected one",
      applies: (s) => s.docHit === false && s.chunks > 0,
    },
    {
      attribution: "C1",
      reason: "没有检索依据的回答，疑似幻觉 / an answer without any retrieved evidence: possibly made up",
      applies: (s) => s.docHit !== true && s.chunks === 0 && s.substantive,
    },
    {
      attribution: "B3",
      reason:
        "找到了期望文档，但切片中没有缺失的要点 / the expected document was found, but not the passage with the missing facts",
      applies: (s) => s.docHit === true && s.missingInChunks !== null && s.missingInChunks < 0.5,
    },
    {
      attribution: "C2",
      reason: "依据已检索到，回答遗漏了部分要点 / the evidence was there, some facts were left out",
      applies: (s) => s.keywordRate > 0 && (s.docHit !== false || s.chunks > 0) && s.grade === "PARTIAL",
    },
    {
      attribution: "C4",
      reason:
        "用到了期望文档，但回答与之不符 / the expected document was used, but the answer states something else",
      applies: (s) => s.docHit === true,
    },
    {
      attribution: "C2",
      reason: "回答遗漏了部分要点 / facts were left out",
      applies: (s) => s.keywordRate > 0,
    },
  ];
}

/** A3 blames the scoring, C2 and C4 blame the answer: they exclude each other. */
function clashes(attribution: Attribution, accepted: readonly Attribution[]): boolean {
  if (attribution === "A3") return accepted.includes("C2") || accepted.includes("C4");
  return (attribution === "C2" || attribution === "C4") && accepted.includes("A3");
}

/** Judges why an answer did not pass; undefined for PASS. */
export function attribute(signals: AttributionSignals, a3KeywordRate = 0.15): AttributionResult | undefined {
  if (signals.grade === "PASS") return undefined;
  const matching = rules(a3KeywordRate).filter((rule) => rule.applies(signals));
  const first = matching[0] ?? {
    attribution: "C4" as const,
    reason: "其他规则均不适用 / no other rule applies",
  };
  const accepted: Attribution[] = [first.attribution];
  for (const { attribution } of matching.slice(1)) {
    if (!accepted.includes(attribution) && !clashes(attribution, accepted)) accepted.push(attribution);
  }
  const alternatives = accepted.slice(1);
  return { attribution: first.attribution, alternatives, reason: first.reason };
}
