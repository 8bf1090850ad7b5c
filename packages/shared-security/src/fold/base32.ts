/** Ten bytes are 16 letters (RFC 4648, section 6). */
const RUN = /^[A-Z2-7]{16,8192}$/;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** The ASCII text that a run of letters holds in base32; undefined when it holds none. */
export function decodeBase32(run: string): string | undefined {
  if (!RUN.test(run)) return undefined;
  let out = "";
  let bits = 0;
  let count = 0;
  for (const letter of run) {
    bits = ((bits << 5) | ALPHABET.indexOf(letter)) & 0xfff;
    count += 5;
    if (count < 8) continue;
    count -= 8;
    const byte = (bits >> count) & 255;
    if (byte >= 0x7f || (byte < 0x20 && byte !== 9 && byte !== 10 && byte !== 13)) return undefined;
    out += String.fromCharCode(byte);
  }
  return out;
}
