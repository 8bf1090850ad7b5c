/** Server-sent events of a whole text (WHATWG HTML, section 9.2.6), and JSON lines. */

export interface SseEvent {
  name: string | undefined;
  data: string;
}

/**
 * Splits a whole event stream. Accepts LF, CRLF and CR line ends, a BOM, comments, `data:` with and without a space.
 * The last event is given even when its closing blank line never came: a cut stream keeps what came.
 */
export function sseEvents(text: string): SseEvent[] {
  const events: SseEvent[] = [];
  readSse(text, (name, data) => {
    events.push({ name, data });
    return undefined;
  });
  return events;
}

/**
 * The same as calls, for the hot path.
 * @param onEvent gets the event's name, its data, and where it starts and ends (blank line included) in the text; it may
 * return a position from which to go on, having read further itself.
 * @param onOther told every line that is neither data nor blank.
 */
export function readSse(
  text: string,
  onEvent: (name: string | undefined, data: string, start: number, end: number) => number | undefined,
  onOther?: (line: string) => void,
): void {
  const lineEnd = lineEnds(text);
  let name: string | undefined;
  let data: string[] = [];
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  let start = at;
  while (at < text.length) {
    const end = lineEnd(at);
    const line = text.slice(at, end);
    at = end + (text.charCodeAt(end) === 0x0d && text.charCodeAt(end + 1) === 0x0a ? 2 : 1);
    if (line === "") {
      if (data.length > 0)
        at = onEvent(name, data.length === 1 ? (data[0] ?? "") : data.join("\n"), start, at) ?? at;
      start = at;
      name = undefined;
      if (data.length > 0) data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
    else if (line === "data") data.push("");
    else {
      if (line.startsWith("event:")) name = line.slice(6).trim();
      onOther?.(line);
    }
  }
  if (data.length > 0) onEvent(name, data.join("\n"), start, text.length);
}

/** Finds line ends from left to right; looks for each of the two characters only once over the whole text. */
function lineEnds(text: string): (from: number) => number {
  const next = (char: string, from: number): number => {
    const at = text.indexOf(char, from);
    return at === -1 ? text.length : at;
  };
  let newline = -1;
  let carriage = text.includes("\r") ? -1 : text.length;
  return (from) => {
    if (newline < from) newline = next("\n", from);
    if (carriage < from) carriage = next("\r", from);
    return Math.min(newline, carriage);
  };
}
