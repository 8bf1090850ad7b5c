import type { Finding } from "../types.ts";

interface Range {
  start: number;
  end: number;
}

/** A span of a text that is replaced. */
export interface ReplacedSpan extends Finding {
  /** It is a part of what was found: the rest stands in other spans or behind placeholders of ours. */
  part: boolean;
}

/**
 * Findings as sorted spans of `text` without overlaps that together cover all that was found: where two overlap, the
 * earlier (then longer) one keeps its span and the rest of the other becomes a span of its own.
 *
 * @param spared sorted ranges that stay as they are: a detector may see something in one of our own placeholders
 */
export function disjointSpans(
  text: string,
  findings: readonly Finding[],
  spared: readonly Range[] = [],
): ReplacedSpan[] {
  const sorted = findings
    .filter(({ start, end }) => start < end && start >= 0 && end <= text.length)
    .toSorted((a, b) => a.start - b.start || b.end - a.end);
  const spans: ReplacedSpan[] = [];
  let done = 0;
  let next = 0;
  for (const finding of sorted) {
    let start = Math.max(finding.start, done);
    while (start < finding.end) {
      while ((spared[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next++;
      const range = spared[next];
      if (range !== undefined && range.start <= start) {
        start = range.end;
        continue;
      }
      const end = Math.min(finding.end, range?.start ?? text.length);
      const part = start !== finding.start || end !== finding.end;
      spans.push({ ...finding, start, end, value: text.slice(start, end), part });
      start = end;
    }
    done = Math.max(done, finding.end);
  }
  return spans;
}
