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

/** The text itself when it is short, else overlapping windows that cover it. */
export function windowsOf(text: string): TextWindow[] {
  if (text.length <= WINDOW) return [{ start: 0, text }];
  const windows: TextWindow[] = [];
  for (let start = 0; ; start += WINDOW - OVERLAP) {
    windows.push({ start, text: text.slice(start, start + WINDOW) });
    if (start + WINDOW >= text.length) return windows;
  }
}
