import type { View } from "@clawx/shared-security";

/** A piece of a long text. */
export interface TextWindow {
  /** Where it starts in the text, in UTF-16 units. */
  start: number;
  text: string;
}

/** Longest piece judged at once, in UTF-16 units: keeps every step well under the event loop's budget. */
const WINDOW = 96 * 1024;
/** Windows share this much, so that a value at a border stands whole in one of them. */
const OVERLAP = 8 * 1024;
/**
 * Where many short texts meet, one view runs through all of them and grows with the conversation. In small windows
 * only its end is new each turn.
 */
const SEAM_WINDOW = 2048;
/** Both sides of a seam, as the walker cuts them. */
const SEAM_OVERLAP = 320;
/** A value that goes on for lines: not to be cut small. */
const LONG_VALUE = /-----BEGIN|PRIVATE KEY/;

/** The text of a view itself when it is short, else overlapping windows that cover it. */
export function windowsOf({ text, kind }: Pick<View, "text" | "kind">): TextWindow[] {
  const small = kind === "seam" && !LONG_VALUE.test(text);
  const size = small ? SEAM_WINDOW : WINDOW;
  const step = size - (small ? SEAM_OVERLAP : OVERLAP);
  if (text.length <= size) return [{ start: 0, text }];
  const windows: TextWindow[] = [];
  for (let start = 0; ; start += step) {
    windows.push({ start, text: text.slice(start, start + size) });
    if (start + size >= text.length) return windows;
  }
}
