import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghijklmnopqrstuvwxyz";

/**
 * A new id `knowledge-YYYYMMDD-xxxx` in local time. Four characters hold 1.7 million ids a day; the caller retries
 * with `length` + 2 when one is taken.
 */
export function newKnowledgeId(now: Date, length = 4): string {
  const day = `${now.getFullYear()}${String(now.getMonth() + 1).padStart(2, "0")}${String(now.getDate()).padStart(2, "0")}`;
  // 252 = 7 * 36: bytes above are thrown away so that every character is equally likely.
  let suffix = "";
  while (suffix.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < 252 && suffix.length < length) suffix += ALPHABET[byte % 36];
    }
  }
  return `knowledge-${day}-${suffix}`;
}
