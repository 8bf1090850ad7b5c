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

/** A view whose character `i` came from `[starts[i], ends[i])`. */
export function mappedView(text: string, starts: ArrayLike<number>, ends: ArrayLike<number>): View {
  return {
    text,
    originalStart: (index) =>
      index < text.length ? (starts[index] as number) : index === 0 ? 0 : (ends[text.length - 1] as number),
    originalEnd: (index) => (index === 0 ? 0 : (ends[index - 1] as number)),
  };
}
