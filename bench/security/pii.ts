import { explain, type LabelledText, percent } from "./data.ts";
import { type Detector, OURS, type Span } from "./peers.ts";
import type { Row } from "./types.ts";

/** Counts over labelled texts. */
export interface PiiScore {
  /** Labelled values of the types asked for. */
  readonly wanted: number;
  /** Those whose every letter and digit is covered by findings. */
  readonly found: number;
  readonly findings: number;
  /** Findings that overlap a label of these types. */
  readonly right: number;
  /** Words without any label that a finding touches. */
  readonly words: number;
}

/**
 * @param types the labels that count
 * @param counts which findings count; default all
 */
export async function scorePii(
  detector: Detector,
  samples: readonly LabelledText[],
  types: ReadonlySet<string>,
  counts: (span: Span) => boolean = () => true,
): Promise<PiiScore> {
  let wanted = 0;
  let found = 0;
  let right = 0;
  let findings = 0;
  let words = 0;
  for (const { text, spans } of samples) {
    const hits = await detector.find(text);
    const gold = spans.filter((span) => types.has(span.entity_type));
    for (const span of gold) {
      wanted++;
      if (isCovered(text, span.start_position, span.end_position, hits)) found++;
      else if (detector === OURS)
        explain(`missed ${span.entity_type} ${span.entity_value} | ${JSON.stringify(text)}`);
    }
    for (const hit of hits.filter(counts)) {
      findings++;
      if (gold.some((span) => overlaps(hit, span))) right++;
      else {
        if (!spans.some((span) => overlaps(hit, span)))
          words += text.slice(hit.start, hit.end).trim().split(/\s+/).length;
        if (detector === OURS)
          explain(`false ${hit.label} ${text.slice(hit.start, hit.end)} | ${JSON.stringify(text)}`);
      }
    }
  }
  return { wanted, found, findings, right, words };
}

export function piiRow(detector: Detector, score: PiiScore): Row {
  return {
    detector: detector.name,
    labels: score.wanted,
    recall: percent(score.found, score.wanted),
    precision: percent(score.right, score.findings),
    "non-PII words": score.words,
  };
}

function overlaps(hit: Span, span: LabelledText["spans"][number]): boolean {
  return hit.start < span.end_position && span.start_position < hit.end;
}

function isCovered(text: string, start: number, end: number, hits: readonly Span[]): boolean {
  for (let i = start; i < end; i++) {
    if (!/[\p{L}\p{N}]/u.test(text[i] as string)) continue;
    if (!hits.some((hit) => hit.start <= i && i < hit.end)) return false;
  }
  return true;
}
