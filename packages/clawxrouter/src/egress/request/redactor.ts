import { type Finding, maxLevel, type Vault } from "@clawx/shared-security";
import type { JsonObject } from "../json.ts";
import type { EgressPolicy, InspectContext, TextInspector } from "../types.ts";
import { Judge } from "./judge.ts";
import { collectLeaves, type Leaf } from "./leaves.ts";
import { ollamaImages, withholdMedia } from "./media.ts";
import { RefusedError } from "./refused-error.ts";
import { type ReplaceReport, replaceSpans, replaceWhole } from "./replace.ts";
import { Turns } from "./turns.ts";
import type { CachedVerdict } from "./verdict-cache.ts";
import { type TextWindow, windowsOf } from "./windows.ts";

/** What was done to a body. */
export interface RedactionReport extends ReplaceReport {
  /** Rules and judgements that raised the level, without private text. */
  reasons: string[];
  degraded: string | undefined;
  mediaWithheld: number;
}

/** More texts than this are no conversation; walking them would hold up everybody else. */
const MAX_TEXTS = 100_000;

/** Judges and redacts request bodies. One for the whole proxy: it keeps the verdicts. */
export class Redactor {
  readonly #judge: Judge;
  readonly #vault: Vault;

  constructor(inspector: TextInspector, vault: Vault) {
    this.#judge = new Judge(inspector);
    this.#vault = vault;
  }

  /**
   * Redacts a body in place.
   * @throws RefusedError when the policy, a failed detector or an unreadable part forbids sending
   */
  async redact(body: JsonObject, context: InspectContext, policy: EgressPolicy): Promise<RedactionReport> {
    const found = collectLeaves(body);
    if (found.leaves.length > MAX_TEXTS)
      throw new RefusedError("bad-body", `more than ${MAX_TEXTS} texts in one request`);
    const windows = found.leaves.map((leaf) => windowsOf(leaf.text));
    const items = found.leaves.flatMap((leaf, index) =>
      (windows[index] ?? []).map(({ text }) => ({ text, role: leaf.role })),
    );
    const verdicts = await this.#judge.judge(items, context, policy.inspectTimeoutMs);
    const report: RedactionReport = {
      level: "S1",
      counts: {},
      minted: new Set(),
      reasons: [],
      degraded: undefined,
      mediaWithheld: 0,
    };
    let next = 0;
    const turns = new Turns();
    for (const [index, leaf] of found.leaves.entries()) {
      const pieces = windows[index] ?? [];
      await this.#redactLeaf(
        leaf,
        pieces,
        verdicts.slice(next, next + pieces.length),
        context.session,
        report,
        turns,
      );
      next += pieces.length;
    }
    report.reasons = [...new Set(report.reasons)].slice(0, 20);
    refuseByPolicy(report, policy);
    found.commit();
    report.mediaWithheld = withholdMedia([...found.media, ...ollamaImages(body)], policy.media);
    return report;
  }

  async #redactLeaf(
    leaf: Leaf,
    windows: readonly TextWindow[],
    verdicts: readonly CachedVerdict[],
    session: string | undefined,
    report: RedactionReport,
    turns: Turns,
  ): Promise<void> {
    const spans: Finding[] = [];
    let whole = false;
    let dirty = false;
    for (const [index, { start, text }] of windows.entries()) {
      const cached = verdicts[index];
      if (!cached) throw new RefusedError("inspect-failed", "a text was not judged");
      const { verdict } = cached;
      report.level = maxLevel(report.level, verdict.level);
      report.degraded ??= verdict.degraded;
      if (verdict.level !== "S1" && verdict.reason !== undefined) report.reasons.push(verdict.reason);
      whole ||= verdict.level === "S3" && !verdict.findings.some((finding) => finding.level === "S3");
      if (cached.cleanAt === this.#vault.version) continue;
      if (turns.due()) await turns.pause();
      const known = this.#vault.findKnown(text);
      for (const finding of [...verdict.findings, ...known]) {
        spans.push({ ...finding, start: finding.start + start, end: finding.end + start });
      }
      if (spans.length > 0 || whole || PLACEHOLDER_LIKE.test(text)) dirty = true;
      else cached.cleanAt = this.#vault.version;
    }
    if (!dirty && !whole) return;
    const text = whole
      ? replaceWhole(leaf.text, this.#vault, session, report)
      : await replaceSpans(leaf.text, spans, this.#vault, session, report);
    if (text !== leaf.text) leaf.replace(text);
  }
}

const PLACEHOLDER_LIKE = /REDACTED|PRIVATE/i;

function refuseByPolicy(report: RedactionReport, policy: EgressPolicy): void {
  const why = report.reasons.join(", ");
  if (report.level === "S3" && policy.s3 === "block") {
    throw new RefusedError("policy-s3", why || "private content of an earlier turn");
  }
  if (report.level === "S2" && policy.s2 === "block") {
    throw new RefusedError("policy-s2", why || "sensitive content of an earlier turn");
  }
}
