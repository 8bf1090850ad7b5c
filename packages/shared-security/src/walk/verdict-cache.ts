import { hash } from "node:crypto";

/**
 * Remembers what was found in a text by the SHA-256 of the text, so that a long conversation costs only its new
 * part and no private text is kept. Bounded; the least recently used go first.
 */
export class VerdictCache<Verdict> {
  readonly #entries = new Map<string, Verdict>();
  readonly #max: number;
  #version = "";

  /** @param maxEntries texts remembered. Default 20,000 */
  constructor(maxEntries = 20_000) {
    this.#max = maxEntries;
  }

  get size(): number {
    return this.#entries.size;
  }

  /**
   * The verdict on `text`: remembered, or made by `judge` now.
   * @param version of everything the verdict depends on (rules, policy); a new one empties the cache
   */
  get(text: string, version: string, judge: (text: string) => Verdict): Verdict {
    if (version !== this.#version) {
      this.#entries.clear();
      this.#version = version;
    }
    const key = hash("sha256", text, "base64");
    const known = this.#entries.get(key);
    if (known !== undefined) {
      this.#entries.delete(key);
      this.#entries.set(key, known);
      return known;
    }
    const verdict = judge(text);
    this.#entries.set(key, verdict);
    if (this.#entries.size > this.#max) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
    return verdict;
  }
}
