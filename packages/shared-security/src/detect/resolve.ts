import { type Finding, maxLevel, type PrivateLevel } from "../types.ts";

/**
 * Makes findings disjoint and sorted. Of two that overlap the longer wins, then the higher level, then the surer. No
 * privacy is lost on the way: the winner takes the higher level of the two, and what sticks out of the loser stays
 * found.
 */
export function resolveOverlaps(findings: readonly Finding[], text: string): Finding[] {
  if (findings.length < 2) return [...findings];
  const sorted = [...findings].sort((a, b) => a.start - b.start || b.end - a.end);
  const resolved: Finding[] = [];
  let cluster: Finding[] = [];
  let clusterEnd = -1;
  for (const finding of sorted) {
    if (finding.start >= clusterEnd && cluster.length > 0) {
      resolved.push(...resolveCluster(cluster, text));
      cluster = [];
    }
    cluster.push(finding);
    clusterEnd = Math.max(clusterEnd, finding.end);
  }
  resolved.push(...resolveCluster(cluster, text));
  return resolved;
}

/** Resolves findings that hang together by overlaps. */
function resolveCluster(cluster: Finding[], text: string): Finding[] {
  if (cluster.length === 1) return cluster;
  const accepted: Finding[] = [];
  for (const finding of cluster.sort(byRank)) {
    let at = firstEndingAfter(accepted, finding.start);
    let from = finding.start;
    while (at < accepted.length && (accepted[at] as Finding).start < finding.end) {
      const winner = accepted[at] as Finding;
      const level = maxLevel(winner.level, finding.level) as PrivateLevel;
      if (level !== winner.level) accepted[at] = { ...winner, level };
      if (from < winner.start && hasContent(text, from, winner.start)) {
        accepted.splice(at, 0, cut(finding, from, winner.start, text));
        at++;
      }
      from = winner.end;
      at++;
    }
    if (from === finding.start) accepted.splice(at, 0, finding);
    else if (from < finding.end && hasContent(text, from, finding.end))
      accepted.splice(at, 0, cut(finding, from, finding.end, text));
  }
  return accepted;
}

function byRank(a: Finding, b: Finding): number {
  const byLength = b.end - b.start - (a.end - a.start);
  if (byLength !== 0) return byLength;
  if (a.level !== b.level) return a.level < b.level ? 1 : -1;
  return b.confidence - a.confidence || a.start - b.start;
}

/** Index of the first of the disjoint, sorted `findings` that ends after `position`. */
function firstEndingAfter(findings: readonly Finding[], position: number): number {
  let low = 0;
  let high = findings.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((findings[middle] as Finding).end > position) high = middle;
    else low = middle + 1;
  }
  return low;
}

function hasContent(text: string, start: number, end: number): boolean {
  return /[\p{L}\p{N}]/u.test(text.slice(start, end));
}

function cut(finding: Finding, start: number, end: number, text: string): Finding {
  return { ...finding, start, end, value: text.slice(start, end) };
}
