/** The vault as one conversation uses it: locking private texts, marking values, giving them back. */
import type { Finding, PrivateLevel, Vault } from "@clawx/shared-security";
import { ownWords } from "./own-words.ts";
import { PRIVATE_TEXT_TYPE, UNJUDGED_TYPE } from "./store.ts";

/** Stands before the placeholder of a whole message in transcripts, as the design draws it. */
const LOCK = "🔒";
/** Scope of values in an agent's memory files. */
export function memoryScope(agentId: string): string {
  return `memory:${agentId}`;
}

/** A vault that may tell a text that is private by itself from one that only stands in a private turn. */
export type ConversationVault = Vault & {
  lockText?: (text: string, session: string, type?: string) => string;
  keepQuietly?: (text: string, session: string) => string;
};

export class Conversation {
  private readonly vault: ConversationVault;
  readonly session: string;

  /** @param session the host's session key, or a scope of ours such as `memory:main` */
  constructor(vault: ConversationVault, session: string) {
    this.vault = vault;
    this.session = session;
  }

  /** Replaces each finding by its placeholder; what only looks like a placeholder is escaped. */
  redact(text: string, findings: readonly Finding[], ownTokens: "escape" | "keep" = "keep"): string {
    return this.vault.replaceFindings(text, findings, { session: this.session, ownTokens });
  }

  /** Values of the vault in the text, whichever conversation they come from. */
  findKnown(text: string): Finding[] {
    return this.vault.findKnown(text);
  }

  /**
   * Keeps a whole private text; it, and its telling lines, are found again wherever they stand. Of a text that the host
   * has wrapped in wording of its own, only what others said is looked for.
   * @param everyday the text was not found private by itself, only the turn is: when it is short, it is not looked for
   * @param quiet it is given back by its token, but never looked for: what is private of it is known by itself
   * @param unjudged it counts as private only because nobody could judge it: it is looked for until somebody has
   * @returns what stands in its place: `🔒[PRIVATE:TEXT_n]`
   */
  lock(text: string, options: { everyday?: boolean; quiet?: boolean; unjudged?: boolean } = {}): string {
    const { vault, session } = this;
    if (vault.keepQuietly === undefined) return LOCK + this.lookedFor(text, options);
    if (options.quiet === true) return LOCK + vault.keepQuietly(text, session);
    const parts = ownWords(text);
    if (parts.length === 1 && parts[0] === text.trim()) return LOCK + this.lookedFor(text, options);
    for (const part of parts) this.lookedFor(part, options);
    return LOCK + vault.keepQuietly(text, session);
  }

  /** The text with the values of this conversation's placeholders. */
  restore(text: string, levels: readonly PrivateLevel[] = ["S2", "S3"]): string {
    const unlocked = text.includes(LOCK) ? this.withoutLocks(text, levels) : text;
    return this.vault.restore(unlocked, { session: this.session, levels });
  }

  /** The strictest level of our placeholders in the text; undefined when it holds none. */
  levelOfTokens(text: string): PrivateLevel | undefined {
    let level: PrivateLevel | undefined;
    for (const use of this.vault.tokensIn(text)) {
      if (use.level === "S3") return "S3";
      level = "S2";
    }
    return level;
  }

  private lookedFor(
    text: string,
    { everyday, unjudged }: { everyday?: boolean; unjudged?: boolean },
  ): string {
    const { vault, session } = this;
    if (unjudged === true && vault.lockText !== undefined)
      return vault.lockText(text, session, UNJUDGED_TYPE);
    return everyday === true || vault.lockText === undefined
      ? vault.tokenise(text, PRIVATE_TEXT_TYPE, "S3", session)
      : vault.lockText(text, session);
  }

  private withoutLocks(text: string, levels: readonly PrivateLevel[]): string {
    let out = "";
    let from = 0;
    for (const use of this.vault.tokensIn(text)) {
      const before = text.slice(from, use.start);
      const restored = this.vault.restore(use.token, { session: this.session, levels }) !== use.token;
      out +=
        (restored && before.endsWith(LOCK) ? before.slice(0, -LOCK.length) : before) +
        text.slice(use.start, use.end);
      from = use.end;
    }
    return out + text.slice(from);
  }
}
