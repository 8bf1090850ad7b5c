import type { Finding } from "@clawx/shared-security";

/** A part of a text with the findings in it, at offsets of the part. */
export interface Segment {
  text: string;
  findings: Finding[];
}

/** Length of a part, in UTF-16 units. */
const SEGMENT = 256 * 1024;
/** Longest look back for a place to cut. */
const SLACK = 4096;
/** No placeholder is longer, escapes included. */
const REACH = 128;

/**
 * Cuts a long text into parts that can be worked on one by one: never inside a finding, and at line ends, which
 * no placeholder holds. A text without line ends is cut where no bracket is near.
 * @param findings sorted and disjoint
 */
export function segmentsOf(text: string, findings: readonly Finding[]): Segment[] {
  if (text.length <= SEGMENT) return [{ text, findings: [...findings] }];
  const segments: Segment[] = [];
  let start = 0;
  let next = 0;
  while (start < text.length) {
    let end = start + SEGMENT >= text.length ? text.length : cutBefore(text, start + SEGMENT);
    const inside: Finding[] = [];
    for (; next < findings.length; next += 1) {
      const finding = findings[next];
      if (!finding || finding.start >= end) break;
      inside.push({ ...finding, start: finding.start - start, end: finding.end - start });
      end = Math.max(end, finding.end);
    }
    segments.push({ text: text.slice(start, end), findings: inside });
    start = end;
  }
  return segments;
}

function cutBefore(text: string, at: number): number {
  const near = text.slice(at - SLACK, at);
  const line = near.lastIndexOf("\n");
  if (line !== -1) return at - SLACK + line + 1;
  // Without a line end: a place with no bracket in the length of a placeholder before it.
  for (let end = SLACK; end >= REACH; end -= REACH) {
    if (!/[[［【%\\]/.test(near.slice(end - REACH, end))) {
      const place = at - SLACK + end;
      return isLowSurrogate(text.charCodeAt(place)) ? place - 1 : place;
    }
  }
  return at;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
