const VOWEL = /[aeiouy]/;

/**
 * Folds the inflections of an English word onto one form: plurals, -ed, -ing and a final y, i.e. step 1 of Porter's
 * algorithm. Derivations (-ation, -ness) are left alone: in technical text they name different things.
 *
 * @param word lower-case ASCII letters; anything else comes back as it is.
 * @see M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980
 */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  let w = word;
  if (w.endsWith("sses")) w = w.slice(0, -2);
  else if (w.endsWith("ies")) w = w.length > 4 ? `${w.slice(0, -3)}y` : w.slice(0, -1);
  else if (/(ch|sh|x|z)es$/.test(w)) w = w.slice(0, -2);
  else if (w.endsWith("s") && !/(ss|us|is)$/.test(w)) w = w.slice(0, -1);

  if (w.endsWith("eed")) return w;
  for (const suffix of ["ing", "ed"]) {
    if (!w.endsWith(suffix)) continue;
    const base = w.slice(0, -suffix.length);
    if (base.length < 3 || !VOWEL.test(base)) break;
    w = undouble(base);
    break;
  }
  // "-e" is dropped everywhere so that cache, cached and caching meet.
  return w.length > 3 && w.endsWith("e") ? w.slice(0, -1) : w;
}

function undouble(base: string): string {
  const last = base.at(-1);
  if (last !== undefined && last === base.at(-2) && !"lsz".includes(last)) return base.slice(0, -1);
  return base;
}
