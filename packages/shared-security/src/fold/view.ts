/** A text made easier to read for rules, that remembers where each of its characters came from. */
export interface View {
  readonly text: string;
  /** Index in the original of the character at `index` of `text`; `index` may equal `text.length`. */
  originalStart(index: number): number;
  /** One past the original index of the character *before* `index`. */
  originalEnd(index: number): number;
}

/** The view that changes nothing. */
export function identityView(text: string): View {
  return { text, originalStart: (index) => index, originalEnd: (index) => index };
}

/** A view of `text` all of which came from `[start, end)`: a finding anywhere in it covers the whole. */
export function opaqueView(text: string, start: number, end: number): View {
  return { text, originalStart: () => start, originalEnd: () => end };
}

/** A view whose character `i` came from `[starts[i], ends[i])`. */
export function mappedView(text: string, starts: ArrayLike<number>, ends: ArrayLike<number>): View {
  const last = text.length - 1;
  return {
    text,
    originalStart: (index) => (index <= last ? (starts[index] as number) : ((ends[last] ?? 0) as number)),
    originalEnd: (index) => (index === 0 ? ((starts[0] ?? 0) as number) : (ends[index - 1] as number)),
  };
}

/** What `inner`, a view of `outer.text`, shows, mapped to what `outer` is a view of. */
export function compose(outer: View, inner: View): View {
  return {
    text: inner.text,
    originalStart: (index) => outer.originalStart(inner.originalStart(index)),
    originalEnd: (index) => outer.originalEnd(inner.originalEnd(index)),
  };
}
