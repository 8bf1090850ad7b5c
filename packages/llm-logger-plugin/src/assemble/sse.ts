/** Server-sent events of a whole text (WHATWG HTML, section 9.2.6), and JSON lines. */

export interface SseEvent {
  name: string | undefined;
  data: string;
}

/**
 * Splits a whole event stream. Accepts LF, CRLF and CR line ends, a BOM, comments, `data:` with and without a space.
 * @param partial also give the last event when its closing blank line never came (a cut stream keeps what came).
 */
export function* sseEvents(text: string, partial = true): Generator<SseEvent> {
  const events: SseEvent[] = [];
  readSse(text, (name, data) => events.push({ name, data }), undefined, partial);
  yield* events;
}

/** The same as calls, for the hot path. @param onOther told every line that is neither data nor blank. */
export function readSse(
  text: string,
  onEvent: (name: string | undefined, data: string) => void,
  onOther?: (line: string) => void,
  partial = true,
): void {
  const normal = text.includes("\r") ? text.replace(/\r\n?/g, "\n") : text;
  let name: string | undefined;
  let data: string[] = [];
  let at = normal.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < normal.length) {
    const end = normal.indexOf("\n", at);
    const line = end === -1 ? normal.slice(at) : normal.slice(at, end);
    at = end === -1 ? normal.length : end + 1;
    if (line === "") {
      if (data.length > 0) onEvent(name, data.length === 1 ? (data[0] ?? "") : data.join("\n"));
      name = undefined;
      if (data.length > 0) data = [];
    } else if (line.startsWith("data:")) data.push(line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5));
    else {
      if (line.startsWith("event:")) name = line.slice(6).trim();
      onOther?.(line);
    }
  }
  if (partial && data.length > 0) onEvent(name, data.join("\n"));
}
