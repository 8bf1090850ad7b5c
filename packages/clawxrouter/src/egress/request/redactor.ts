import {
  detectPayloadAsync,
  type Finding,
  type Leaf,
  maxLevel,
  openPayload,
  type Payload,
  PayloadError,
  type Vault,
  type View,
  type WireProtocol,
} from "@clawx/shared-security";
import type { JsonObject } from "../json.ts";
import type { EgressPolicy, InspectContext, TextInspector } from "../types.ts";
import { Judge } from "./judge.ts";
import { KnownValues } from "./known-values.ts";
import { withholdMedia } from "./media.ts";
import { atSeam, inData } from "./places.ts";
import { RefusedError } from "./refused-error.ts";
import { type ReplaceReport, replaceSpans, replaceWhole, tokenOfWhole } from "./replace.ts";
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
const MAX_TEXTS = 25_000;
/** Values in one text that are replaced one by one. */
const MAX_VALUES = 20_000;

/** Judges and redacts request bodies. One for the whole proxy: it keeps the verdicts. */
export class Redactor {
  readonly #judge: Judge;
  readonly #vault: Vault;
  readonly #known: KnownValues;

  constructor(inspector: TextInspector, vault: Vault) {
    this.#judge = new Judge(inspector);
    this.#vault = vault;
    this.#known = new KnownValues(vault);
  }

  /**
   * The body as it may leave; the one given is not to be used afterwards.
   * @throws RefusedError when the policy, a failed detector or an unreadable part forbids sending
   */
  async redact(
    body: JsonObject,
    protocol: WireProtocol,
    context: InspectContext,
    policy: EgressPolicy,
  ): Promise<{ body: JsonObject; report: RedactionReport }> {
    const payload = open(body, protocol);
    const report: RedactionReport = {
      level: "S1",
      counts: {},
      minted: new Set(),
      reasons: [],
      degraded: undefined,
      mediaWithheld: 0,
    };
    const turns = new Turns();
    const marks: Marks = { whole: new Set(), marked: new Set(), found: new Map() };
    const findings = await detectPayloadAsync(payload, (views) =>
      this.#find(views, context, policy, report, marks, turns),
    );
    await turns.pause();
    const texts = new Map<Leaf, string>();
    for (const leaf of payload.leaves) {
      if (turns.due()) await turns.pause();
      const spans = findings.get(leaf) ?? [];
      // A list of this many private values is private as a list; taken apart it would hold up everybody else.
      if (spans.length > MAX_VALUES) marks.whole.add(leaf);
      if (marks.whole.has(leaf))
        texts.set(leaf, replaceWhole(leaf.text, this.#vault, context.session, report));
      else if (spans.length > 0 || marks.marked.has(leaf)) {
        texts.set(leaf, await replaceSpans(leaf.text, spans, this.#vault, context.session, report));
      }
    }
    report.reasons = [...new Set(report.reasons)].slice(0, 20);
    refuseByPolicy(report, policy);
    await turns.pause();
    const rewritten = payload.rewrite((leaf) => texts.get(leaf) ?? leaf.text);
    const redacted = rewritten.changed ? toObject(rewritten.body) : body;
    report.mediaWithheld = withholdMedia(redacted, payload.unscanned, policy.media);
    return { body: redacted, report };
  }

  /** Findings of each view: what the inspector says and what the vault knows. */
  async #find(
    views: readonly View[],
    context: InspectContext,
    policy: EgressPolicy,
    report: RedactionReport,
    marks: Marks,
    turns: Turns,
  ): Promise<Finding[][]> {
    await turns.pause();
    const windows = views.map((view) => windowsOf(view));
    const items = views.flatMap(({ role, kind }, index) =>
      (windows[index] ?? []).map(({ text }) => ({
        text,
        role,
        kind: kind === "leaf" ? ("text" as const) : kind,
      })),
    );
    const verdicts = await this.#judge.judge(items, context, policy.inspectTimeoutMs);
    const judged: Array<{ view: View; pieces: Array<TextWindow & { cached: CachedVerdict }> }> = [];
    let next = 0;
    for (const [index, view] of views.entries()) {
      const pieces = (windows[index] ?? []).map((window) => {
        const cached = verdicts[next];
        next += 1;
        if (!cached) throw new RefusedError("inspect-failed", "a text was not judged");
        this.#note(view, window, cached, context.session, report, marks);
        return { ...window, cached };
      });
      judged.push({ view, pieces });
      if (turns.due()) await turns.pause();
    }
    // Only now, so that a value found in one text is seen in all of them.
    const found: Finding[][] = [];
    for (const { view, pieces } of judged) {
      const spans: Finding[] = [];
      for (const { start, text, cached } of pieces) {
        if (turns.due()) await turns.pause();
        for (const finding of cached.verdict.findings) spans.push(shifted(finding, start));
        for (const finding of this.#known.find(text, cached)) spans.push(shifted(finding, start));
      }
      const [leaf] = view.segments;
      if (view.kind === "leaf" && leaf) marks.found.set(leaf.leaf, spans);
      if (view.kind === "seam") found.push(atSeam(view, spans, marks.found));
      else found.push(view.kind === "data" ? spans.flatMap((finding) => inData(view, finding)) : spans);
    }
    return found;
  }

  /** Takes a verdict into the report and its values into the vault. */
  #note(
    view: View,
    { start, text }: TextWindow,
    { verdict, marked }: CachedVerdict,
    session: string | undefined,
    report: RedactionReport,
    marks: Marks,
  ): void {
    report.level = maxLevel(report.level, verdict.level);
    report.degraded ??= verdict.degraded;
    if (verdict.level !== "S1" && verdict.reason) report.reasons.push(verdict.reason);
    // A seam holds ends of two texts: what is found there is no value of its own in either.
    if (view.kind === "seam") return;
    const isWhole = verdict.level === "S3" && !verdict.findings.some((finding) => finding.level === "S3");
    if (isWhole || marked) {
      for (const { leaf } of view.segments) {
        if (marked) marks.marked.add(leaf);
        if (!isWhole || leaf.kind === "key") continue;
        marks.whole.add(leaf);
        tokenOfWhole(leaf.text, this.#vault, session);
      }
    }
    for (const finding of verdict.findings) {
      const shift = view.kind === "data" ? start : 0;
      for (const { start: from, end: to, type, level } of view.kind === "data"
        ? inData(view, shifted(finding, shift))
        : [finding]) {
        if (to > from) this.#vault.tokenise(text.slice(from - shift, to - shift), type, level, session);
      }
    }
  }
}

/** Leaves that need a look beyond their findings. */
interface Marks {
  /** Private as a whole. */
  whole: Set<Leaf>;
  /** Something in them looks like a placeholder. */
  marked: Set<Leaf>;
  /** What was found in each text by itself. */
  found: Map<Leaf, readonly Finding[]>;
}

function open(body: JsonObject, protocol: WireProtocol): Payload {
  try {
    const payload = openPayload(body, protocol);
    if (payload.leaves.length <= MAX_TEXTS) return payload;
  } catch (error) {
    if (error instanceof PayloadError)
      throw new RefusedError("bad-body", "the request is nested too deep to be checked");
    throw error;
  }
  throw new RefusedError("bad-body", `the request holds more than ${MAX_TEXTS} texts`);
}

function shifted(finding: Finding, by: number): Finding {
  return by === 0 ? finding : { ...finding, start: finding.start + by, end: finding.end + by };
}

/** What `rewrite` made of an object is an object of JSON again. */
function toObject(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new RefusedError("bad-body", "the request body is not a JSON object");
}

function refuseByPolicy(report: RedactionReport, policy: EgressPolicy): void {
  const why = report.reasons.join(", ");
  if (report.level === "S3" && policy.s3 === "block") {
    throw new RefusedError("policy-s3", why || "private content of an earlier turn");
  }
  if (report.level === "S2" && policy.s2 === "block") {
    throw new RefusedError("policy-s2", why || "sensitive content of an earlier turn");
  }
}
