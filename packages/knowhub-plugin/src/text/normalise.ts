/** Characters that are invisible but break matching: zero-width, bidi controls, soft hyphen, BOM, tags, variation selectors. */
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;

/**
 * The form in which texts are compared and searched: compatibility-folded (full-width digits and letters
 * become ASCII) and without invisible characters. Case is kept, because identifiers are split at case.
 *
 * @see https://unicode.org/reports/tr15/ (NFKC)
 */
export function normalise(text: string): string {
  return text.normalize("NFKC").replace(INVISIBLE, "");
}

const segmenter = new Intl.Segmenter("und", { granularity: "grapheme" });

/**
 * The first `max` user-perceived characters (extended grapheme clusters) of a text, so that an emoji family or a
 * combining accent is never cut in half.
 *
 * @returns the text itself when it is short enough, and whether something was cut off.
 * @see https://unicode.org/reports/tr29/
 */
export function firstGraphemes(text: string, max: number): { text: string; cut: boolean } {
  // A grapheme has at least one code unit: nothing to count in a short text.
  if (text.length <= max) return { text, cut: false };
  let count = 0;
  for (const { index } of segmenter.segment(text)) {
    if (count === max) return { text: text.slice(0, index), cut: true };
    count += 1;
  }
  return { text, cut: false };
}
