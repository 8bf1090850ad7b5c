/** Folding one UTF-16 unit to one unit, so that offsets stay: lower case, full width to ASCII. */

const FOLD = (() => {
  const table = new Uint16Array(0x10000);
  for (let unit = 0; unit < table.length; unit++) {
    const char = String.fromCharCode(unit);
    const wide = unit >= 0xff01 && unit <= 0xff5e ? String.fromCharCode(unit - 0xfee0) : char;
    const lower = wide.toLowerCase();
    table[unit] = (lower.length === 1 ? lower : wide).charCodeAt(0);
  }
  table[0x3000] = 0x20;
  return table;
})();

/** The folded form of a UTF-16 code unit. */
export function foldUnit(unit: number): number {
  return FOLD[unit] ?? unit;
}

/** Soft hyphen, zero-width characters and joiners, direction marks, word joiner, BOM. */
const IGNORABLE = /[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/;
const IGNORABLE_ALL = new RegExp(IGNORABLE, "g");

/** Whether `text` holds characters that do not show and may split a value. */
export function hasIgnorable(text: string): boolean {
  return IGNORABLE.test(text);
}

/** `text` without invisible characters; `offsets[i]` is where unit `i` of it stood. */
export function withoutIgnorable(text: string): { text: string; offsets: Uint32Array } {
  const plain = text.replace(IGNORABLE_ALL, "");
  const offsets = new Uint32Array(plain.length);
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    if (!IGNORABLE.test(text.charAt(i))) offsets[at++] = i;
  }
  return { text: plain, offsets };
}
