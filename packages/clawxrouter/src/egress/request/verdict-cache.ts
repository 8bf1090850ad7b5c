import { hash } from "node:crypto";
import type { TextVerdict } from "../types.ts";

/** What is remembered of a text: digests and spans, never the text. */
export interface CachedVerdict {
  verdict: TextVerdict;
  /** Version of the vault of which no value stands in the text; -1 when not known. */
  cleanAt: number;
}

/**
 * Verdicts by SHA-256 of the text, so that a long conversation costs only its new part. Least recently used
 * verdicts go first.
 */
export class VerdictCache {
  readonly #entries = new Map<string, CachedVerdict>();
  readonly #capacity: number;
  #version = "";

  /** @param capacity most verdicts kept */
  constructor(capacity = 50_000) {
    this.#capacity = capacity;
  }

  /** Forgets everything when the rules have changed. */
  useVersion(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#entries.clear();
  }

  /** The key of a text in its place: the same words may be judged otherwise in a system prompt. */
  key(text: string, place: string): string {
    return place + hash("sha256", text, "base64");
  }

  get(key: string): CachedVerdict | undefined {
    const entry = this.#entries.get(key);
    if (entry) {
      this.#entries.delete(key);
      this.#entries.set(key, entry);
    }
    return entry;
  }

  /** The entry for a new verdict; kept unless it is degraded or was made under older rules. */
  add(key: string, verdict: TextVerdict, version: string): CachedVerdict {
    // Values are not kept: spans and the text at hand give them back.
    const findings = verdict.findings.map((finding) => ({ ...finding, value: "" }));
    const entry: CachedVerdict = { verdict: { ...verdict, findings }, cleanAt: -1 };
    if (version !== this.#version || verdict.degraded !== undefined) return entry;
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#capacity) {
      const oldest = this.#entries.keys().next();
      if (!oldest.done) this.#entries.delete(oldest.value);
    }
    return entry;
  }
}
