import type { Finding, Level, Vault } from "@clawx/shared-security";
import { maxLevel } from "@clawx/shared-security";
import type { ReplacedCounts, TextVerdict } from "../types.ts";

/** What the replacements of one request add up to. */
export interface ReplaceReport {
  level: Level;
  counts: ReplacedCounts;
  /** Tokens put in for values of this request: its answer may restore them. */
  minted: Set<string>;
}

/**
 * Replaces what must not leave in one text by placeholders of the vault.
 *
 * Spans come from the verdict and from values that the vault already knows; where they overlap, their union is
 * one value. Own placeholders stay. An S3 verdict that names no S3 span makes the whole text one value.
 */
export function replacePrivate(
  text: string,
  verdict: TextVerdict,
  vault: Vault,
  session: string | undefined,
  report: ReplaceReport,
): string {
  report.level = maxLevel(report.level, verdict.level);
  if (verdict.level === "S3" && !verdict.findings.some((finding) => finding.level === "S3")) {
    return replaceWhole(text, vault, session, report);
  }
  const known = vault.findKnown(text);
  const findings = union(text, [...verdict.findings, ...known]);
  for (const { type, level } of findings) {
    report.counts[type] = (report.counts[type] ?? 0) + 1;
    report.level = maxLevel(report.level, level);
  }
  return vault.replaceFindings(text, findings, { session, ownTokens: "keep", minted: report.minted });
}

/** A text that is private as a whole becomes one token; one that is nothing but tokens already stays. */
function replaceWhole(
  text: string,
  vault: Vault,
  session: string | undefined,
  report: ReplaceReport,
): string {
  let rest = text;
  for (const token of vault.tokensIn(text).toReversed())
    rest = rest.slice(0, token.start) + rest.slice(token.end);
  if (rest.trim() === "") return text;
  report.counts.TEXT = (report.counts.TEXT ?? 0) + 1;
  const token = vault.tokenise(text, "TEXT", "S3", session);
  report.minted.add(token);
  return token;
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
    const longest = finding.end - finding.start > last.end - last.start ? finding : last;
    const end = Math.max(last.end, finding.end);
    const level = last.level === "S3" || finding.level === "S3" ? "S3" : "S2";
    out[out.length - 1] = { ...longest, start: last.start, end, level, value: text.slice(last.start, end) };
  }
  return out;
}
