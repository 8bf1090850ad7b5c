/** Occurrences by code unit; all zero between calls, so that a call costs its text and not the alphabet. */
const counts = new Uint32Array(65_536);

/** Shannon entropy of the code units of `text`, bits a code unit. */
export function entropy(text: string): number {
  const length = text.length;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    counts[code] = (counts[code] as number) + 1;
  }
  let bits = 0;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const count = counts[code] as number;
    if (count === 0) continue;
    counts[code] = 0;
    bits -= (count / length) * Math.log2(count / length);
  }
  return bits;
}
