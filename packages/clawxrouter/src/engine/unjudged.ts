/**
 * Texts that count as private because the detector was down (`failClosed: "S3"`). They are looked for like all private
 * ones; when the detector is back it judges them, and what it finds harmless is let go: "thanks", said during an
 * outage, must not be kept back for ever.
 */
import type { Level } from "@clawx/shared-security";
import { UNJUDGED_TYPE, type VaultStore } from "../vault-store/store.ts";

export interface UnjudgedDeps {
  vault: () => VaultStore;
  /** The level of a text, as the level of a message; undefined when it could not be judged now either. */
  judge: (text: string) => Promise<Level | undefined>;
}

export class Unjudged {
  private readonly deps: UnjudgedDeps;
  /** Found private; not asked for again by this process. */
  private readonly settled = new Set<string>();
  private running: Promise<void> | undefined;

  constructor(deps: UnjudgedDeps) {
    this.deps = deps;
  }

  /** Judges what waits; to be called when the detectors have answered. One look at a time. Never rejects. */
  settle(): Promise<void> {
    this.running ??= this.judgeAll().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  private async judgeAll(): Promise<void> {
    try {
      for (const value of this.waiting()) {
        const level = await this.deps.judge(value);
        if (level === undefined) return;
        if (level === "S3") this.settled.add(value);
        else this.deps.vault().stopLooking(value);
      }
    } catch {
      // A vault that is closed or cannot be written: they stay private.
    }
  }

  private waiting(): Set<string> {
    const waiting = new Set<string>();
    const known = new Set<string>();
    for (const { value, type } of this.deps.vault().vault.entries())
      (type === UNJUDGED_TYPE ? waiting : known).add(value);
    for (const value of waiting) if (known.has(value) || this.settled.has(value)) waiting.delete(value);
    return waiting;
  }
}
