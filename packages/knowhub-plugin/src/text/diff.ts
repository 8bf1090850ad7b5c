/** A piece of a text that was kept, taken out or put in. */
export interface Change {
  kind: "same" | "removed" | "added";
  text: string;
}

const words = new Intl.Segmenter("und", { granularity: "word" });
/** Longer texts are compared line by line: the table of the comparison grows with the square. */
const MAX_WORDS = 2_000;

/** The differences between two texts, in order: longest common subsequence of words, or of lines in long texts. */
export function diff(before: string, after: string): Change[] {
  let a = [...words.segment(before)].map((s) => s.segment);
  let b = [...words.segment(after)].map((s) => s.segment);
  if (Math.max(a.length, b.length) > MAX_WORDS) {
    a = before.split(/(?<=\n)/).slice(0, MAX_WORDS);
    b = after.split(/(?<=\n)/).slice(0, MAX_WORDS);
  }
  const width = b.length + 1;
  const lengths = new Uint16Array((a.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      lengths[i * width + j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  }
  const changes: Change[] = [];
  const push = (kind: Change["kind"], text: string) => {
    const last = changes.at(-1);
    if (last?.kind === kind) last.text += text;
    else changes.push({ kind, text });
  };
  let i = 0;
  let j = 0;
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      push("same", a[i] ?? "");
      i += 1;
      j += 1;
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      push("removed", a[i] ?? "");
      i += 1;
    } else {
      push("added", b[j] ?? "");
      j += 1;
    }
  }
  return changes;
}

/** A diff as one line of text: `[-removed-]` and `{+added+}`, as in `git diff --word-diff`. */
export function formatDiff(changes: readonly Change[]): string {
  return changes
    .map(({ kind, text }) => (kind === "same" ? text : kind === "removed" ? `[-${text}-]` : `{+${text}+}`))
    .join("");
}
