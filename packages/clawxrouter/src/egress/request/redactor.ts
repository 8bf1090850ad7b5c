import {
  detectPayloadAsync,
  type Excluded,
  type Finding,
  type Leaf,
  type Level,
  maxLevel,
  openPayload,
  type Path,
  type Payload,
  PayloadError,
  type Vault,
  type View,
  type WireProtocol,
} from "@clawx/shared-security";
import type { JsonObject } from "../json.ts";
import type { EgressPolicy, InspectContext, TextInspector, TextVerdict } from "../types.ts";
import { mayHoldInlineMedia, withoutInlineMedia } from "./inline-media.ts";
import { Judge } from "./judge.ts";
import { KnownValues } from "./known-values.ts";
import { withholdMedia } from "./media.ts";
import { NameJudge } from "./name-judge.ts";
import { atSeam, inData, SPLIT } from "./places.ts";
import { RefusedError } from "./refused-error.ts";
import { replaceSpans, replaceWhole, tokenOfWhole } from "./replace.ts";
import { emptyPart, type PartReport } from "./report.ts";
import { Turns } from "./turns.ts";
import type { CachedVerdict } from "./verdict-cache.ts";
import { type TextWindow, windowsOf } from "./windows.ts";

/** A body without what must not leave, and what was done to it. */
export interface Redacted {
  body: JsonObject;
  /** By index in the list of messages; -1 for what stands outside of it. Parts where nothing was found are left out. */
  parts: Map<number, PartReport>;
  /** Tokens put in for values of this request. */
  minted: Set<string>;
  degraded: string | undefined;
  /** Length of the prose of each message, in UTF-16 units; only with a list of messages. */
  units: Map<number, number>;
  /** True when a value was found that is cut in two by the border of two texts. */
  split: boolean;
  /** What was left as it is on purpose: ids, names, words of the protocol. */
  excluded: readonly Excluded[];
}

/** More texts than this are no conversation; walking them would hold up everybody else. */
const MAX_TEXTS = 25_000;
/**
 * Values in one text that are replaced one by one. A list of more is private as a list; taken apart it would fill the
 * vault and hold up everybody else.
 */
const MAX_VALUES = 5000;

const NO_MODELS: ReadonlySet<string> = new Set();

/** Judges and redacts request bodies. One for the whole proxy: it keeps the verdicts. */
export class Redactor {
  readonly #judge: Judge;
  readonly #vault: Vault;
  readonly #known: KnownValues;
  readonly #names: NameJudge;

  constructor(inspector: TextInspector, vault: Vault) {
    this.#judge = new Judge(inspector);
    this.#names = new NameJudge(this.#judge, inspector, vault);
    this.#vault = vault;
    this.#known = new KnownValues(vault);
  }

  /**
   * The body as it may leave; the one given is not to be used afterwards.
   * @param models as the configuration names them: nobody's names
   * @param listKey the list of messages, when what is done is to be told message by message
   * @throws RefusedError when a failed detector or an unreadable part forbids sending
   */
  async redact(
    body: JsonObject,
    protocol: WireProtocol,
    context: InspectContext,
    policy: EgressPolicy,
    listKey?: string,
    models: ReadonlySet<string> = NO_MODELS,
  ): Promise<Redacted> {
    const payload = open(body, protocol);
    const turns = new Turns();
    const notes = new Notes(listKey);
    for (const { place, level, reason } of await this.#names.learn(
      payload.excluded,
      context,
      policy.inspectTimeoutMs,
      turns,
      models,
    ))
      notes.raise(place.path, level, reason);
    const findings = await detectPayloadAsync(payload, (views) =>
      this.#find(views, context, policy, notes, turns),
    );
    await turns.pause();
    const texts = new Map<Leaf, string>();
    const minted = new Set<string>();
    for (const leaf of payload.leaves) {
      const spans = findings.get(leaf) ?? [];
      const whole = notes.whole.has(leaf) || spans.length > MAX_VALUES;
      const inline = await mayHoldInlineMedia(leaf.text);
      if (!whole && spans.length === 0 && !notes.marked.has(leaf) && !inline) continue;
      if (turns.due()) await turns.pause();
      const part = notes.part(leaf.path());
      const redacted = whole
        ? replaceWhole(leaf.text, this.#vault, context.session, part, minted)
        : await replaceSpans(leaf.text, spans, this.#vault, context.session, part, minted);
      const { text, count } = inline
        ? await withoutInlineMedia(redacted, policy.media)
        : { text: redacted, count: 0 };
      part.mediaWithheld += count;
      texts.set(leaf, text);
    }
    await turns.pause();
    const rewritten = payload.rewrite((leaf) => texts.get(leaf) ?? leaf.text);
    const redacted = rewritten.changed ? toObject(rewritten.body) : body;
    for (const path of withholdMedia(redacted, payload.unscanned, policy.media))
      notes.part(path).mediaWithheld += 1;
    const { parts, degraded, split } = notes;
    return {
      body: redacted,
      parts,
      minted,
      degraded,
      split,
      excluded: payload.excluded,
      units: notes.units(payload.leaves),
    };
  }

  /** Findings of each view: what the inspector says and what the vault knows. */
  async #find(
    views: readonly View[],
    context: InspectContext,
    policy: EgressPolicy,
    notes: Notes,
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
        return { ...window, cached };
      });
      const values = pieces.reduce((sum, { cached }) => sum + cached.verdict.findings.length, 0);
      if (values > MAX_VALUES) notes.addWhole(view);
      for (const piece of pieces) {
        if (turns.due()) await turns.pause();
        await this.#note(view, piece, context.session, notes, turns, values <= MAX_VALUES);
      }
      judged.push({ view, pieces: values > MAX_VALUES ? [] : pieces });
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
      if (view.kind === "leaf" && leaf) notes.found.set(leaf.leaf, spans);
      if (view.kind === "seam") {
        const split = [...atSeam(view, spans, notes.found), ...pieces.flatMap(wholeSeam)];
        notes.split ||= split.length > 0;
        found.push(split);
      } else found.push(view.kind === "data" ? spans.flatMap((finding) => inData(view, finding)) : spans);
    }
    return found;
  }

  /**
   * Takes a verdict into the report and its values into the vault.
   * @param apart false: the text is private as a whole, its values are none of their own
   */
  async #note(
    view: View,
    { start, text, cached: { verdict, marked } }: TextWindow & { cached: CachedVerdict },
    session: string | undefined,
    notes: Notes,
    turns: Turns,
    apart: boolean,
  ): Promise<void> {
    notes.degraded ??= verdict.degraded;
    const [first] = view.segments;
    if (verdict.level !== "S1" && first) {
      notes.raise(first.leaf.path(), verdict.level, verdict.reason);
    }
    // A seam holds ends of two texts: what is found there is no value of its own in either.
    if (view.kind === "seam") return;
    if (marked) for (const { leaf } of view.segments) notes.marked.add(leaf);
    if (isWhole(verdict)) {
      notes.addWhole(view);
      const type = verdict.degraded === undefined ? "TEXT" : "UNJUDGED";
      for (const { leaf } of view.segments)
        if (leaf.kind !== "key") tokenOfWhole(leaf.text, this.#vault, session, type);
    }
    if (!apart) return;
    const isData = view.kind === "data";
    for (const finding of verdict.findings) {
      if (turns.due()) await turns.pause();
      // In data a finding is placed by the view's units, in prose by those of its window.
      const spans = isData ? inData(view, shifted(finding, start)) : [finding];
      for (const span of spans) {
        const value = isData ? view.text.slice(span.start, span.end) : text.slice(span.start, span.end);
        if (span.type !== SPLIT && value !== "") this.#vault.tokenise(value, span.type, span.level, session);
      }
    }
  }
}

/** What comes to light on the way through a body. */
class Notes {
  /** Private as a whole. */
  readonly whole = new Set<Leaf>();
  /** Something in them looks like a placeholder. */
  readonly marked = new Set<Leaf>();
  /** What was found in each text by itself. */
  readonly found = new Map<Leaf, readonly Finding[]>();
  readonly parts = new Map<number, PartReport>();
  degraded: string | undefined;
  split = false;
  readonly #listKey: string | undefined;

  constructor(listKey: string | undefined) {
    this.#listKey = listKey;
  }

  /** All values of a view are private as a whole; names of properties stay. */
  addWhole(view: View): void {
    if (view.kind === "seam") return;
    for (const { leaf } of view.segments) if (leaf.kind !== "key") this.whole.add(leaf);
  }

  /** What was found at a path. */
  raise(path: Path, level: Level, reason: string | undefined): void {
    const part = this.part(path);
    part.level = maxLevel(part.level, level);
    if (reason) part.reasons.push(reason);
  }

  /** The report of the message that a path leads into. */
  part([key, index]: Path): PartReport {
    const number =
      this.#listKey !== undefined && key === this.#listKey && typeof index === "number" ? index : -1;
    const known = this.parts.get(number);
    if (known) return known;
    const part = emptyPart();
    this.parts.set(number, part);
    return part;
  }

  /** Length of the prose of each message. */
  units(leaves: readonly Leaf[]): Map<number, number> {
    const units = new Map<number, number>();
    if (this.#listKey === undefined) return units;
    for (const leaf of leaves) {
      if (leaf.kind !== "text") continue;
      const number = this.#message(leaf.path());
      units.set(number, (units.get(number) ?? 0) + leaf.text.length);
    }
    return units;
  }

  /** Index of the message that a path leads into, -1 when it leads elsewhere. */
  #message([key, index]: Path): number {
    return this.#listKey !== undefined && key === this.#listKey && typeof index === "number" ? index : -1;
  }
}

function open(body: JsonObject, protocol: WireProtocol): Payload {
  try {
    const payload = openPayload(body, protocol);
    if (payload.leaves.length <= MAX_TEXTS) return payload;
  } catch (error) {
    if (error instanceof PayloadError)
      throw new RefusedError(
        "bad-body",
        "the request is nested too deep, or holds too many texts, to be checked",
      );
    throw error;
  }
  throw new RefusedError("bad-body", `the request holds more than ${MAX_TEXTS} texts`);
}

/** A seam that is private as a whole, without a value at a place: all of it, in both texts. */
function wholeSeam({ start, text, cached: { verdict } }: TextWindow & { cached: CachedVerdict }): Finding[] {
  if (!isWhole(verdict)) return [];
  const end = start + text.length;
  return [{ start, end, type: SPLIT, level: "S3", rule: "seam", confidence: 1, value: text }];
}

/** True when a text is private as a whole: a keyword or a judgement on what it means, not a value at a place. */
function isWhole({ level, findings }: TextVerdict): boolean {
  return level === "S3" && !findings.some((finding) => finding.level === "S3");
}

function shifted(finding: Finding, by: number): Finding {
  return by === 0 ? finding : { ...finding, start: finding.start + by, end: finding.end + by };
}

/** What `rewrite` made of an object is an object of JSON again. */
function toObject(value: unknown): JsonObject {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as JsonObject;
  throw new RefusedError("bad-body", "the request body is not a JSON object");
}
