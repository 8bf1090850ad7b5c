/** The vault of shared-security whose every change is kept, and which knows what other processes keep. */
import { type Finding, KNOWN_RULE, type PrivateLevel, Vault, type VaultEntry } from "@clawx/shared-security";
import { isSelfTestSession } from "../selftest/names.ts";
import { ownWords } from "./own-words.ts";
import type { VaultStore } from "./store.ts";
import { saysNothing } from "./telling.ts";

/** Type of a placeholder that stands for a whole private text or a part of one. */
export const PRIVATE_TEXT_TYPE = "TEXT";
/** Type of a text that counts as private only because nobody could judge it. */
export const UNJUDGED_TYPE = "UNJUDGED";
/** A text of fewer characters is an everyday one (fewer say as much in Chinese, Japanese and Korean). */
const TELLING_LENGTH = 24;
const TELLING_LENGTH_CJK = 12;

/**
 * Self-tests count under names of their own: their values go again, and numbers are never given twice, so that the user's
 * would begin anywhere.
 */
export function selfTestName(type: string): string {
  return `${type.slice(0, 23)}_SELFTEST`;
}

function isEveryday(text: string): boolean {
  return (
    text.length <
    (/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/.test(text) ? TELLING_LENGTH_CJK : TELLING_LENGTH)
  );
}

/**
 * A {@link Vault} whose every change is on disk before the call returns. Reads cost one indexed query for what
 * other processes added since. Nothing waits for a lock: see `held.ts`.
 */
export class PersistentVault extends Vault {
  private readonly store: VaultStore;
  /** While a value of a self-test is kept. */
  private isSelfTest = false;

  constructor(store: VaultStore, maxValues: number) {
    super({
      maxEntries: maxValues,
      onChange: (change) => store.write(change),
      lookup: (token) => store.read(token),
    });
    this.store = store;
  }

  override get version(): number {
    this.store.pull(this);
    return super.version;
  }

  /**
   * A text without much in it (`"}`, `Done.`) becomes a placeholder but is not looked for: it would be hidden
   * wherever anybody says it. See {@link PersistentVault.lockText} for one that is private by itself.
   */
  override tokenise(value: string, type: string, level: PrivateLevel, session = ""): string {
    if (value !== "" && saysNothing(value)) return this.keepQuietly(value, session);
    if (type !== PRIVATE_TEXT_TYPE && type !== UNJUDGED_TYPE) return this.keep(value, type, level, session);
    if (isEveryday(value)) return this.keepQuietly(value, session);
    const parts = ownWords(value);
    if (parts.length !== 1 || parts[0] !== value.trim()) {
      // Around it stand the host's own words, which every message has.
      for (const part of parts) this.tokenise(part, type, level, session);
      return this.keepQuietly(value, session);
    }
    return this.keep(value, type, level, session);
  }

  /**
   * Keeps a text that is private by itself, however short: it is looked for everywhere from now on.
   * @param type {@link UNJUDGED_TYPE}: until somebody has judged it
   */
  lockText(text: string, session: string, type = PRIVATE_TEXT_TYPE): string {
    if (!/[\p{L}\p{N}]{2}/u.test(text)) return this.keepQuietly(text, session);
    return this.keep(text, type, "S3", session);
  }

  /**
   * The words around placeholders in a private text (`"\n\nAuthorization: Bearer "`) are no secret by themselves: looked for,
   * they would make every text private that uses them. What they were part of is known, or stands behind the placeholders.
   */
  protected override tokenisePart(part: Finding, session = ""): string {
    const { value, type, level, rule } = part;
    if (level === "S2" || !(type === PRIVATE_TEXT_TYPE || rule === KNOWN_RULE))
      return this.tokenise(value, type, level, session);
    return this.tokenOf(value, level, session) ?? this.keepQuietly(value, session);
  }

  override get(token: string): VaultEntry | undefined {
    this.store.pull(this);
    return super.get(token);
  }

  /**
   * Keeps a text that can be given back by its token but is not looked for elsewhere: a short everyday answer
   * ("Done.") said in a private turn, which would otherwise be hidden wherever anybody says it.
   */
  keepQuietly(text: string, session: string): string {
    return this.store.locked(this, () => this.store.keepQuietly(text, session));
  }

  override findKnown(text: string): Finding[] {
    this.store.pull(this);
    return super.findKnown(text);
  }

  override tokensOf(session: string): Generator<string> {
    this.store.pull(this);
    return super.tokensOf(session);
  }

  protected override countedAs(type: string): string {
    return this.store.countedAs(this.isSelfTest ? selfTestName(type) : type);
  }

  private keep(value: string, type: string, level: PrivateLevel, session: string): string {
    this.store.pull(this);
    // What is known needs no lock.
    const known = value === "" ? undefined : this.tokenOf(value, level, session);
    if (known !== undefined) return known;
    this.isSelfTest = isSelfTestSession(session);
    try {
      return this.store.locked(this, () => super.tokenise(value, type, level, session));
    } catch (error) {
      // A placeholder that could not be kept must not be given to the next who asks.
      const made = this.tokenOf(value, level, session);
      if (made !== undefined) this.remove(made);
      throw error;
    } finally {
      this.isSelfTest = false;
    }
  }
}
