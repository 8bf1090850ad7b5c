/**
 * A text under transformation that still knows where each of its characters came from, so that a hit found in
 * a folded text can be shown in the original one. Offsets are UTF-16 code units, ends exclusive.
 */
export interface Mapped {
  text: string;
  /** For each character of `text`: start and end of its origin in the original text. */
  starts: number[];
  ends: number[];
}

/** Replaces regex matches; all characters of a replacement map to the whole range they replaced. */
export function replaceMapped(
  source: Mapped,
  pattern: RegExp,
  replacement: (match: RegExpExecArray) => string | undefined,
): Mapped {
  const parts: string[] = [];
  const starts: number[] = [];
  const ends: number[] = [];
  let copied = 0;
  const copy = (from: number, to: number) => {
    parts.push(source.text.slice(from, to));
    for (let i = from; i < to; i++) {
      starts.push(source.starts[i] ?? 0);
      ends.push(source.ends[i] ?? 0);
    }
  };
  for (const match of source.text.matchAll(pattern)) {
    const text = replacement(match);
    if (text === undefined || match[0] === "" || match[0] === text) continue;
    const at = match.index;
    const after = at + match[0].length;
    copy(copied, at);
    parts.push(text);
    const start = source.starts[at] ?? 0;
    const end = source.ends[after - 1] ?? start;
    for (let i = 0; i < text.length; i++) {
      starts.push(start);
      ends.push(end);
    }
    copied = after;
  }
  if (copied === 0) return source;
  copy(copied, source.text.length);
  return { text: parts.join(""), starts, ends };
}

/** Keeps the characters for which `keep` holds, and says which index of the source each came from. */
export function filterMapped(
  text: string,
  keep: (index: number) => boolean,
): { text: string; from: number[] } {
  const parts: string[] = [];
  const from: number[] = [];
  for (let i = 0; i < text.length; i++) {
    if (!keep(i)) continue;
    parts.push(text[i] ?? "");
    from.push(i);
  }
  return { text: parts.join(""), from };
}

/** One rewriting step: what to find, and what to put there (undefined leaves it). */
export type Rewrite = readonly [RegExp, (match: RegExpExecArray) => string | undefined];

export function rewriteAll(source: Mapped, steps: readonly Rewrite[]): Mapped {
  return steps.reduce(
    (mapped, [pattern, replacement]) => replaceMapped(mapped, pattern, replacement),
    source,
  );
}
