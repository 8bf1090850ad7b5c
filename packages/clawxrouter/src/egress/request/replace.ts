import { type Finding, maxLevel, type ReplaceOptions, type Vault } from "@clawx/shared-security";
import { SPLIT, SPLIT_MARK } from "./places.ts";
import type { PartReport } from "./report.ts";
import { segmentsOf } from "./segments.ts";
import { Turns } from "./turns.ts";

/**
 * Replaces spans of one text by placeholders of the vault; own placeholders stay, look-alikes are escaped.
 * Where spans overlap, their union is one value, so that no end of any stays behind.
 */
export async function replaceSpans(
  text: string,
  spans: readonly Finding[],
  vault: Vault,
  session: string | undefined,
  report: PartReport,
  minted: Set<string>,
): Promise<string> {
  const findings = union(text, spans);
  for (const { type, level } of findings) {
    report.counts[type] = (report.counts[type] ?? 0) + 1;
    report.level = maxLevel(report.level, level);
  }
  const options: ReplaceOptions = {
    ownTokens: "keep",
    minted,
    ...(session === undefined ? {} : { session }),
  };
  const segments = segmentsOf(text, findings);
  const turns = new Turns();
  let out = "";
  for (const segment of segments) {
    let at = 0;
    let pending: Finding[] = [];
    const flush = (end: number): void => {
      const moved = pending.map((finding) => ({
        ...finding,
        start: finding.start - at,
        end: finding.end - at,
      }));
      out += vault.replaceFindings(segment.text.slice(at, end), moved, options);
      pending = [];
    };
    for (const finding of segment.findings) {
      if (finding.type !== SPLIT) {
        pending.push(finding);
        continue;
      }
      flush(finding.start);
      out += SPLIT_MARK;
      at = finding.end;
    }
    flush(segment.text.length);
    if (segments.length > 1) await turns.pause();
  }
  return out;
}

/** A text that is private as a whole becomes one token; one that is nothing but tokens already stays. */
export function replaceWhole(
  text: string,
  vault: Vault,
  session: string | undefined,
  report: PartReport,
  minted: Set<string>,
): string {
  report.level = "S3";
  const token = tokenOfWhole(text, vault, session);
  if (token === undefined) return text;
  report.counts.TEXT = (report.counts.TEXT ?? 0) + 1;
  minted.add(token);
  return token;
}

/**
 * The token of a whole text; undefined when it is nothing but tokens already.
 * @param type `UNJUDGED` for one that counts as private only because nobody could judge it, see `engine/unjudged.ts`
 */
export function tokenOfWhole(
  text: string,
  vault: Vault,
  session: string | undefined,
  type = "TEXT",
): string | undefined {
  let rest = text;
  for (const token of vault.tokensIn(text).toReversed())
    rest = rest.slice(0, token.start) + rest.slice(token.end);
  // The lock that hooks put before a token is decoration.
  return rest.replaceAll("🔒", "").trim() === "" ? undefined : vault.tokenise(text, type, "S3", session);
}

/** Sorted, disjoint; what overlaps becomes one finding of the stricter level and the longest part's type. */
function union(text: string, findings: readonly Finding[]): Finding[] {
  if (findings.length < 2) return [...findings];
  const sorted = findings.toSorted((a, b) => a.start - b.start || b.end - a.end);
  const out: Finding[] = [];
  for (const finding of sorted) {
    const last = out.at(-1);
    if (!last || finding.start >= last.end) {
      out.push(finding);
      continue;
    }
    const longest = rank(finding) > rank(last) ? finding : last;
    const end = Math.max(last.end, finding.end);
    const level = last.level === "S3" || finding.level === "S3" ? "S3" : "S2";
    out[out.length - 1] = { ...longest, start: last.start, end, level, value: text.slice(last.start, end) };
  }
  return out;
}

/** Which of two overlapping findings names their union: the longer one, but never a part of a split value. */
function rank(finding: Finding): number {
  return finding.type === SPLIT ? 0 : finding.end - finding.start;
}
