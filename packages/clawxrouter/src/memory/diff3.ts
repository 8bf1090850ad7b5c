/** Three-way merge of line lists. Nothing is lost: where both sides changed the same place, both stay and it is said. */

/** A place that both sides changed differently. */
export interface MergeConflict {
  /** Line of the merged text, one-based, at which it starts. */
  line: number;
  left: readonly string[];
  right: readonly string[];
}

export interface MergeResult {
  lines: string[];
  conflicts: MergeConflict[];
}

/** One side's edit: which base lines went, and what came where. */
interface Edit {
  /** Base lines that are no longer there. */
  gone: boolean[];
  /** Lines put before base line `i` (or at the end). */
  added: string[][];
}

/**
 * Merges two edits of `base`, line by line: a line that either side deleted goes, what either side added stays.
 * The same edit on both sides counts once. Where both replaced the same lines, both replacements stay and the place
 * is reported.
 */
export function merge3(
  base: readonly string[],
  left: readonly string[],
  right: readonly string[],
): MergeResult {
  const fromLeft = editOf(base, left);
  const fromRight = editOf(base, right);
  const lines: string[] = [];
  const conflicts: MergeConflict[] = [];
  for (let i = 0; i <= base.length; i++) {
    const ours = fromLeft.added[i] ?? [];
    const theirs = fromRight.added[i] ?? [];
    if (contradicts(fromLeft, fromRight, i, ours, theirs)) {
      conflicts.push({ line: lines.length + 1, left: ours, right: theirs });
    }
    lines.push(...ours);
    if (!equal(ours, theirs)) lines.push(...theirs);
    const line = base[i];
    if (line !== undefined && !fromLeft.gone[i] && !fromRight.gone[i]) lines.push(line);
  }
  return { lines, conflicts };
}

/** Both sides took the line away here, and did not put the same in its place. */
function contradicts(
  left: Edit,
  right: Edit,
  i: number,
  ours: readonly string[],
  theirs: readonly string[],
): boolean {
  return left.gone[i] === true && right.gone[i] === true && !equal(ours, theirs);
}

function editOf(base: readonly string[], side: readonly string[]): Edit {
  const kept = matches(base, side);
  const gone = kept.map((at) => at === undefined);
  const added: string[][] = Array.from({ length: base.length + 1 }, () => []);
  let next = 0;
  let firstGone = -1;
  for (let i = 0; i <= base.length; i++) {
    const at = i === base.length ? side.length : kept[i];
    if (at === undefined) {
      if (firstGone < 0) firstGone = i;
      continue;
    }
    // What replaces deleted lines stands where the first of them stood.
    const place = added[firstGone >= 0 ? firstGone : i];
    if (at > next) place?.push(...side.slice(next, at));
    next = at + 1;
    firstGone = -1;
  }
  return { gone, added };
}

/** For each line of `a` the line of `b` it stayed (a longest common subsequence), or undefined. Myers' algorithm. */
export function matches(a: readonly string[], b: readonly string[]): (number | undefined)[] {
  const result = new Array<number | undefined>(a.length).fill(undefined);
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) {
    result[start] = start;
    start++;
  }
  let [endA, endB] = [a.length, b.length];
  while (endA > start && endB > start && a[endA - 1] === b[endB - 1]) result[--endA] = --endB;
  const [n, m] = [endA - start, endB - start];
  if (n === 0 || m === 0) return result;
  const trace: Int32Array[] = [];
  const size = 2 * (n + m) + 2;
  const offset = n + m;
  const v = new Int32Array(size);
  for (let d = 0; d <= n + m; d++) {
    // Of the furthest points only those of the last step are ever asked for.
    trace.push(v.slice(offset - d, offset + d + 1));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (v[offset + k - 1] as number) < (v[offset + k + 1] as number));
      let x = down ? (v[offset + k + 1] as number) : (v[offset + k - 1] as number) + 1;
      let y = x - k;
      while (x < n && y < m && a[start + x] === b[start + y]) {
        x++;
        y++;
      }
      v[offset + k] = x;
      if (x >= n && y >= m) {
        walkBack(trace, d, n, m, (i, j) => {
          result[start + i] = start + j;
        });
        return result;
      }
    }
    // Two texts with next to nothing in common: a full search is not worth its memory.
    if (d > 2_000) break;
  }
  return result;
}

function walkBack(
  trace: readonly Int32Array[],
  d: number,
  n: number,
  m: number,
  same: (i: number, j: number) => void,
): void {
  let [x, y] = [n, m];
  for (let depth = d; depth >= 0; depth--) {
    const v = trace[depth] as Int32Array;
    const offset = depth;
    const k = x - y;
    const down =
      k === -depth || (k !== depth && (v[offset + k - 1] as number) < (v[offset + k + 1] as number));
    const previousK = down ? k + 1 : k - 1;
    const previousX = v[offset + previousK] ?? 0;
    const previousY = previousX - previousK;
    while (x > previousX && y > previousY && x > 0 && y > 0) same(--x, --y);
    [x, y] = [previousX, previousY];
  }
}

function equal(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, i) => line === b[i]);
}
