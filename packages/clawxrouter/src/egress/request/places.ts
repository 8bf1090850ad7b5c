import type { Finding, Leaf, View } from "@clawx/shared-security";

/**
 * Type of a value that is cut in two by the border of two texts. Its parts are replaced for good: a part such as
 * "hello" may not become a value of its own that is then looked for everywhere.
 */
export const SPLIT = "SPLIT";

/** What stands in the place of a part of a split value. */
export const SPLIT_MARK = "[REDACTED:PART]";

/** A rest that goes on beyond a value already found counts when it can only be more of the same. */
const KEY_MATERIAL = /^[\w+/=.\-\s]{24,}$/;

/** A part of a value by which the value can be told again: a line of a key, most of a number. */
const TELLING = /^(?=.*\d)[\w+/=.-]{24,}$|^[\w+/=.-]{40,}$|^\d{9,}$/;

/**
 * A finding in free data, which names its properties: only what stands in values counts, never a property name or
 * what the view puts between. Parts too small to tell the value by become no values of their own.
 */
export function inData(view: View, finding: Finding): Finding[] {
  const within = view.segments.find(({ at, length }) => finding.start >= at && finding.end <= at + length);
  if (within) return [finding];
  return view.segments.flatMap(({ leaf, at, length }) => {
    const start = Math.max(at, finding.start);
    const end = Math.min(at + length, finding.end);
    if (leaf.kind === "key" || end - start < 2) return [];
    const value = view.text.slice(start, end);
    return [{ ...finding, start, end, value, type: isTelling(value) ? finding.type : SPLIT }];
  });
}

function isTelling(value: string): boolean {
  return value.split("\n").some((line) => TELLING.test(line.trim()));
}

/**
 * The findings of a seam that say something new. One that only lengthens a value found in one of the two texts by
 * the first word of the other does not.
 *
 * @param found findings of each text by itself, in units of its text
 */
export function atSeam(
  view: View,
  findings: readonly Finding[],
  found: ReadonlyMap<Leaf, readonly Finding[]>,
): Finding[] {
  return findings.flatMap((finding) => {
    let explained = false;
    let rest = "";
    for (let index = firstEndingAfter(view, finding.start); index < view.segments.length; index += 1) {
      const segment = view.segments[index];
      if (!segment || segment.at >= finding.end) break;
      const { leaf, from, at, length } = segment;
      const start = Math.max(at, finding.start);
      const end = Math.min(at + length, finding.end);
      const [leafStart, leafEnd] = [start - at + from, end - at + from];
      if (found.get(leaf)?.some((other) => other.start < leafEnd && leafStart < other.end)) explained = true;
      else rest += view.text.slice(start, end);
    }
    if (explained && (rest === "" || !KEY_MATERIAL.test(rest))) return [];
    return [{ ...finding, type: SPLIT }];
  });
}

/** Index of the first segment that ends behind `place`; segments are in order. */
function firstEndingAfter(view: View, place: number): number {
  let low = 0;
  let high = view.segments.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const segment = view.segments[middle];
    if (segment && segment.at + segment.length <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}
