import { codePoint, MAX_DECODED } from "./decode.ts";

/** Escapes within words, and zero-width characters in the place of spaces, in a text that is otherwise plain. */
const ESCAPED_WITHIN = /%[2-7][0-9a-f]|&#x?[0-9a-f]{2,5};|\\u00[2-7][0-9a-f]|\\x[2-7][0-9a-f]/gi;
const HIDDEN_SPACES = /(?<=[a-z])[\u200b\u2060\ufeff]+(?=[a-z])/gi;
/** More letters parted by nothing than that: each letter has one, and folding drops them. */
const MAX_HIDDEN = 0.25;

/** The text with these read as a model reads them; undefined when there are none, or the text is long. */
export function readThrough(text: string): string | undefined {
  if (text.length > MAX_DECODED) return undefined;
  const read = text.replace(ESCAPED_WITHIN, (written) => {
    const [, decimal] = /^&#(\d+);$/.exec(written) ?? [];
    if (decimal !== undefined) return codePoint(Number(decimal));
    return codePoint(Number.parseInt(written.replace(/[^0-9a-f]/gi, ""), 16));
  });
  const hidden = read.match(HIDDEN_SPACES)?.length ?? 0;
  const spaced = hidden > 0 && hidden < MAX_HIDDEN * read.length ? read.replace(HIDDEN_SPACES, " ") : read;
  return spaced === text ? undefined : spaced;
}
