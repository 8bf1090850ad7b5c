/** The whole of a text in pieces that fit a small model: overlapping, cut between lines or words where possible. */
export interface Window {
  text: string;
  /** Where it starts in the whole text, in UTF-16 units. */
  offset: number;
}

/** Characters that two neighbours share, so that a value at a cut is whole in one of them. */
const OVERLAP = 200;

/** @param size longest window, at least 500 */
export function windowsOf(text: string, size: number): Window[] {
  if (text.length <= size) return [{ text, offset: 0 }];
  const windows: Window[] = [];
  let start = 0;
  while (start < text.length) {
    let end = Math.min(text.length, start + size);
    if (end < text.length) end = cutBefore(text, start + Math.floor(size / 2), end);
    windows.push({ text: text.slice(start, end), offset: start });
    if (end === text.length) break;
    start = wholeCharacter(text, end - OVERLAP);
  }
  return windows;
}

function cutBefore(text: string, from: number, end: number): number {
  for (const separator of ["\n", " ", "。"]) {
    const at = text.lastIndexOf(separator, end - 1);
    if (at > from) return at + 1;
  }
  return wholeCharacter(text, end);
}

/** Not in the middle of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
