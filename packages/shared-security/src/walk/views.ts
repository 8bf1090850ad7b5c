import type { Finding } from "../types.ts";
import type { Payload } from "./payload.ts";
import type { Leaf, LeafRole } from "./types.ts";

/** A text put together for a detector, with the way back to the leaves. */
export interface View {
  /** `leaf`: one text. `data`: a piece of free-form data as `"name": "value"` lines. `seam`: where texts meet. */
  readonly kind: "leaf" | "data" | "seam";
  readonly text: string;
  readonly role: LeafRole;
  readonly segments: readonly Segment[];
}

/** `length` units of `leaf` from `from` on stand in the view at `at`. */
interface Segment {
  readonly leaf: Leaf;
  readonly from: number;
  readonly at: number;
  readonly length: number;
}

/** Findings by leaf, in units of the leaf's text; sorted and without overlaps. */
export type LeafFindings = ReadonlyMap<Leaf, readonly Finding[]>;

/** How much of each side of a seam is looked at, in UTF-16 units: longer than any one-line token's half. */
const SEAM = 160;
/** How much follows an unfinished value (a private key cut in two). */
const LONG_SEAM = 20_000;

/**
 * The texts to judge, so that nothing is judged without what gives it away: prose as it is, data with its property
 * names. Texts are the same from turn to turn, so verdicts can be cached by them.
 */
export function viewsOf(payload: Payload): View[] {
  const views: View[] = [];
  let zone: Leaf[] = [];
  const flush = (): void => {
    if (zone.length > 0) views.push(dataView(zone));
    zone = [];
  };
  for (const leaf of payload.leaves) {
    if (leaf.zone !== undefined) {
      if (zone[0] !== undefined && zone[0].zone !== leaf.zone) flush();
      zone.push(leaf);
      continue;
    }
    flush();
    views.push({
      kind: "leaf",
      text: leaf.text,
      role: leaf.role,
      segments: [{ leaf, from: 0, at: 0, length: leaf.text.length }],
    });
  }
  flush();
  return views;
}

/** Judge every text of a body. `detect` is called once a view and may answer from a cache. */
export function detectPayload(payload: Payload, detect: (view: View) => readonly Finding[]): LeafFindings {
  const placed = new Placed();
  for (const view of viewsOf(payload)) placed.add(view, detect(view));
  for (const view of seamsOf(payload, placed)) placed.addSeam(view, detect(view));
  return placed.result();
}

/** As `detectPayload`, with a detector that takes time and answers for many views at once. */
export async function detectPayloadAsync(
  payload: Payload,
  detect: (views: readonly View[]) => Promise<readonly (readonly Finding[])[]>,
): Promise<LeafFindings> {
  const placed = new Placed();
  const views = viewsOf(payload);
  const found = await answers(detect, views);
  views.forEach((view, index) => {
    placed.add(view, found[index] ?? []);
  });
  const seams = seamsOf(payload, placed);
  const atSeams = seams.length === 0 ? [] : await answers(detect, seams);
  seams.forEach((view, index) => {
    placed.addSeam(view, atSeams[index] ?? []);
  });
  return placed.result();
}

async function answers(
  detect: (views: readonly View[]) => Promise<readonly (readonly Finding[])[]>,
  views: readonly View[],
): Promise<readonly (readonly Finding[])[]> {
  const found = await detect(views);
  if (found.length !== views.length) {
    throw new Error(
      `the detector gave ${found.length} answers for ${views.length} texts: nothing may be sent on this`,
    );
  }
  return found;
}

function dataView(leaves: readonly Leaf[]): View {
  const segments: Segment[] = [];
  let text = "";
  const put = (leaf: Leaf, before: string, after: string): void => {
    text += before;
    segments.push({ leaf, from: 0, at: text.length, length: leaf.text.length });
    text += leaf.text + after;
  };
  for (const leaf of leaves) {
    if (leaf.kind === "key") put(leaf, '"', '": ');
    else if (leaf.kind === "number" || /["\\\n]/.test(leaf.text)) put(leaf, "", "\n");
    else put(leaf, '"', '"\n');
  }
  return { kind: "data", text, role: leaves[0]?.role ?? "other", segments };
}

/** Collects findings of views as findings of leaves. */
class Placed {
  readonly #byLeaf = new Map<Leaf, Finding[]>();

  of(leaf: Leaf): readonly Finding[] {
    return this.#byLeaf.get(leaf) ?? [];
  }

  add(view: View, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    let first = 0;
    for (const finding of findings.toSorted((a, b) => a.start - b.start)) {
      while (first < view.segments.length && endOf(view.segments[first]) <= finding.start) first++;
      for (let i = first; i < view.segments.length; i++) {
        const segment = view.segments[i];
        if (segment === undefined || segment.at >= finding.end) break;
        this.#put(segment, finding);
      }
    }
  }

  /** Of a seam only what crosses it is news; what touches an end of the view may be cut off and is not judged here. */
  addSeam(view: View, findings: readonly Finding[]): void {
    this.add(
      view,
      findings.filter((finding) => view.segments.some(({ at }) => at > finding.start && at < finding.end)),
    );
  }

  result(): LeafFindings {
    for (const [leaf, findings] of this.#byLeaf) this.#byLeaf.set(leaf, union(leaf, findings));
    return this.#byLeaf;
  }

  #put({ leaf, from, at, length }: Segment, finding: Finding): void {
    const start = from + Math.max(0, finding.start - at);
    const end = from + Math.min(length, finding.end - at);
    if (start >= end) return;
    const list = this.#byLeaf.get(leaf);
    const placed = { ...finding, start, end, value: leaf.text.slice(start, end) };
    if (list === undefined) this.#byLeaf.set(leaf, [placed]);
    else list.push(placed);
  }
}

function endOf(segment: Segment | undefined): number {
  return segment === undefined ? Number.POSITIVE_INFINITY : segment.at + segment.length;
}

/** One finding where several overlap: all of it private, by the strictest. */
function union(leaf: Leaf, findings: readonly Finding[]): Finding[] {
  if (findings.length < 2) return [...findings];
  const merged: Finding[] = [];
  for (const finding of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = merged.at(-1);
    if (last === undefined || finding.start >= last.end) {
      merged.push({ ...finding });
      continue;
    }
    if (finding.level === "S3" && last.level === "S2")
      Object.assign(last, { type: finding.type, level: "S3", rule: finding.rule });
    last.end = Math.max(last.end, finding.end);
    last.value = leaf.text.slice(last.start, last.end);
  }
  return merged;
}

/**
 * Views over the places where one text ends and the next begins, joined as a model reads them: a key may have been cut
 * across two parts or two messages. Only where both sides look like the inside of a token, or where a value is unfinished.
 */
function seamsOf(payload: Payload, placed: Placed): View[] {
  const seams: View[] = [];
  const texts = payload.leaves.filter((leaf) => leaf.kind === "text" && leaf.role !== "tool-definition");
  let run: Leaf[] = [];
  const flush = (): void => {
    if (run.length > 1) seams.push(...seamsOfRun(run, placed));
    run = [];
  };
  for (const leaf of texts) {
    const before = run.at(-1);
    if (before !== undefined && !meets(before, leaf, placed)) flush();
    run.push(leaf);
  }
  flush();
  return seams;
}

/** Both sides of a cut token: letters, digits and the signs of keys, addresses and encodings. */
const TOKEN_END = /[\p{L}\p{N}+/=_\-.@:%\\]\s?$/u;
const TOKEN_START = /^\s?[\p{L}\p{N}+/=_\-.@:%\\]/u;
/** Prose that goes on in prose: words end where texts end far more often than keys are cut. */
const CJK_END = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]$/;

function meets(before: Leaf, after: Leaf, placed: Placed): boolean {
  if (unfinished(before, placed) !== undefined) return true;
  const end = before.text.slice(-2);
  const start = after.text.slice(0, 2);
  return TOKEN_END.test(end) && TOKEN_START.test(start) && !(CJK_END.test(end) && /^[A-Za-z]/.test(start));
}

/** Where a long value starts that reaches the end of the leaf's text. */
function unfinished(leaf: Leaf, placed: Placed): number | undefined {
  const last = placed.of(leaf).findLast((finding) => finding.end >= leaf.text.trimEnd().length - 3);
  return last !== undefined && last.end - last.start >= 40 ? last.start : undefined;
}

function seamsOfRun(run: readonly Leaf[], placed: Placed): View[] {
  const starts: number[] = [];
  let length = 0;
  for (const leaf of run) {
    starts.push(length);
    length += leaf.text.length;
  }
  const windows: [number, number][] = [];
  for (let i = 1; i < run.length; i++) {
    const seam = starts[i] ?? 0;
    const before = run[i - 1];
    const open = before === undefined ? undefined : unfinished(before, placed);
    const from = open === undefined ? seam - SEAM : (starts[i - 1] ?? 0) + open;
    const to = seam + (open === undefined ? SEAM : LONG_SEAM);
    const last = windows.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], Math.min(length, to));
    else windows.push([Math.max(0, from), Math.min(length, to)]);
  }
  let first = 0;
  return windows.map(([from, to]) => {
    while ((starts[first + 1] ?? length) <= from) first++;
    return windowView(run, starts, first, from, to);
  });
}

/** The text of a run from `from` to `to`; `first` is the leaf that `from` is in. */
function windowView(
  run: readonly Leaf[],
  starts: readonly number[],
  first: number,
  from: number,
  to: number,
): View {
  const segments: Segment[] = [];
  let text = "";
  for (let index = first; index < run.length; index++) {
    const leaf = run[index];
    const start = starts[index] ?? 0;
    if (leaf === undefined || start >= to) break;
    const begin = Math.max(from, start);
    const end = Math.min(to, start + leaf.text.length);
    segments.push({ leaf, from: begin - start, at: begin - from, length: end - begin });
    text += leaf.text.slice(begin - start, end - start);
  }
  return { kind: "seam", text, role: segments[0]?.leaf.role ?? "other", segments };
}
