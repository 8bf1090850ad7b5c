import { createHash, randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * A new id `knowledge-YYYYMMDD-xxxx` in local time. Four characters hold 1.7 million ids a day; the caller retries
 * with `length` + 2 when one is taken.
 */
export function newKnowledgeId(now: Date, length = 4): string {
  // 252 = 7 * 36: bytes above are thrown away so that every character is equally likely.
  let suffix = "";
  while (suffix.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 252 && suffix.length < length) suffix += ALPHABET[byte % 36];
    }
  }
  return `knowledge-${dayOf(now)}-${suffix}`;
}

/** An id that follows from `seed` and the day: the same save made twice has the same one. */
export function derivedKnowledgeId(now: Date, seed: string): string {
  let number = BigInt(`0x${createHash("sha256").update(seed).digest("hex").slice(0, 16)}`);
  let suffix = "";
  while (suffix.length < 10) {
    suffix += ALPHABET[Number(number % 36n)];
    number /= 36n;
  }
  return `knowledge-${dayOf(now)}-${suffix}`;
}

function dayOf(now: Date): string {
  return `${now.getFullYear()}${String(now.getMonth() + 1).padStart(2, "0")}${String(now.getDate()).padStart(2, "0")}`;
}
