import { hash } from "node:crypto";
import type { Finding } from "@clawx/shared-security";
import type { TextVerdict } from "../types.ts";

/** What is remembered of a text: digests and spans, never the text. */
export interface CachedVerdict {
  verdict: TextVerdict;
  /** Values of the vault that stand in the text (spans only), as of version `knownAt` of the vault; -1: not looked yet. */
  known: readonly Finding[];
  knownAt: number;
  /** True when something in the text looks like a placeholder. */
  marked: boolean;
}

const PLACEHOLDER_LIKE = /REDACTED|PRIVATE/i;

/**
 * Verdicts by SHA-256 of the text, so that a long conversation costs only its new part. In two generations: when the
 * younger is full the older one goes, with all that has not been asked for since.
 */
export class VerdictCache {
  readonly #capacity: number;
  #young = new Map<string, CachedVerdict>();
  #old = new Map<string, CachedVerdict>();
  #version = "";

  /** @param capacity most verdicts kept */
  constructor(capacity = 100_000) {
    this.#capacity = capacity / 2;
  }

  /** Forgets everything when the rules have changed. */
  useVersion(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#young.clear();
    this.#old.clear();
  }

  /** The key of a text in its place: the same words may be judged otherwise in a system prompt. */
  key(text: string, place: string): string {
    // Not hashed together: joining would copy the text.
    return place + hash("sha256", text, "binary");
  }

  get(key: string): CachedVerdict | undefined {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    if (old) this.#keep(key, old);
    return old;
  }

  /** The entry for a new verdict; kept unless it is degraded or was made under older rules. */
  add(key: string, text: string, verdict: TextVerdict, version: string): CachedVerdict {
    // Values are not kept: spans and the text at hand give them back.
    const findings = verdict.findings.map((finding) => ({ ...finding, value: "" }));
    const entry: CachedVerdict = {
      verdict: { ...verdict, findings },
      known: [],
      knownAt: -1,
      marked: PLACEHOLDER_LIKE.test(text),
    };
    if (version === this.#version && verdict.degraded === undefined) this.#keep(key, entry);
    return entry;
  }

  #keep(key: string, entry: CachedVerdict): void {
    if (this.#young.size >= this.#capacity) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, entry);
  }
}
