export interface DiffLine {
  op: " " | "-" | "+";
  text: string;
}

/** More lines than this on a side are shown as taken out and put in whole. */
const MOST_LINES = 2_000;

/** The lines of two texts, common ones once: a longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  if (a.length > MOST_LINES || b.length > MOST_LINES) return [...mark("-", a), ...mark("+", b)];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  return [
    ...mark(" ", a.slice(0, start)),
    ...middle(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...mark(" ", end === 0 ? [] : a.slice(-end)),
  ];
}

function middle(a: readonly string[], b: readonly string[]): DiffLine[] {
  const width = b.length + 1;
  // Length of the longest common subsequence of the rests from (i, j) on.
  const longest = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1)
    for (let j = b.length - 1; j >= 0; j -= 1)
      longest[i * width + j] =
        a[i] === b[j]
          ? (longest[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(longest[(i + 1) * width + j] ?? 0, longest[i * width + j + 1] ?? 0);
  const lines: DiffLine[] = [];
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    if (a[i] === b[j]) {
      lines.push({ op: " ", text: a[i] ?? "" });
      i += 1;
      j += 1;
    } else if ((longest[(i + 1) * width + j] ?? 0) >= (longest[i * width + j + 1] ?? 0)) {
      lines.push({ op: "-", text: a[i] ?? "" });
      i += 1;
    } else {
      lines.push({ op: "+", text: b[j] ?? "" });
      j += 1;
    }
  }
  return [...lines, ...mark("-", a.slice(i)), ...mark("+", b.slice(j))];
}

function mark(op: DiffLine["op"], lines: readonly string[]): DiffLine[] {
  return lines.map((text) => ({ op, text }));
}
