import { explain, type LabelledText, percent } from "./data.ts";
import { type Detector, OURS, type Span } from "./peers.ts";
import type { Row } from "./types.ts";

/**
 * Recall: labelled values of `types` whose every letter and digit is covered. Precision: findings that overlap a label
 * of these types. Words: words without any label that a finding touches.
 */
export async function scorePii(
  detector: Detector,
  samples: readonly LabelledText[],
  types: ReadonlySet<string>,
): Promise<Row> {
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
    for (const hit of hits) {
      findings++;
      if (gold.some((span) => hit.start < span.end_position && span.start_position < hit.end)) right++;
      else {
        if (!spans.some((span) => hit.start < span.end_position && span.start_position < hit.end)) {
          words += text.slice(hit.start, hit.end).trim().split(/\s+/).length;
        }
        if (detector === OURS)
          explain(`false ${hit.label} ${text.slice(hit.start, hit.end)} | ${JSON.stringify(text)}`);
      }
    }
  }
  return {
    detector: detector.name,
    labels: wanted,
    recall: percent(found, wanted),
    precision: percent(right, findings),
    "non-PII words": words,
  };
}

function isCovered(text: string, start: number, end: number, hits: readonly Span[]): boolean {
  for (let i = start; i < end; i++) {
    if (!/[\p{L}\p{N}]/u.test(text[i] as string)) continue;
    if (!hits.some((hit) => hit.start <= i && i < hit.end)) return false;
  }
  return true;
}
