import { hash } from "node:crypto";
import type { TextVerdict } from "../types.ts";

/**
 * Verdicts by SHA-256 of the text, so that a long conversation costs only its new part. Holds digests and
 * spans, not texts. Least recently used verdicts go first.
 */
export class VerdictCache {
  readonly #verdicts = new Map<string, TextVerdict>();
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
    this.#verdicts.clear();
  }

  /** The key of a text in a role: the same words may be judged otherwise in a system prompt. */
  key(text: string, role: string): string {
    return `${role}:${hash("sha256", text, "base64")}`;
  }

  get(key: string): TextVerdict | undefined {
    const verdict = this.#verdicts.get(key);
    if (verdict) {
      this.#verdicts.delete(key);
      this.#verdicts.set(key, verdict);
    }
    return verdict;
  }

  /** Keeps a verdict made under `version`; one made under an older version is dropped. */
  set(key: string, verdict: TextVerdict, version: string): void {
    if (version !== this.#version || verdict.degraded !== undefined) return;
    // Values are not kept: spans and the text at hand give them back.
    const findings = verdict.findings.map((finding) => ({ ...finding, value: "" }));
    this.#verdicts.set(key, { ...verdict, findings });
    if (this.#verdicts.size <= this.#capacity) return;
    const oldest = this.#verdicts.keys().next();
    if (!oldest.done) this.#verdicts.delete(oldest.value);
  }
}
