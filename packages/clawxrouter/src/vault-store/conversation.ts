/** The vault as one conversation sees it: what the proxy and the hooks work with. */
import type { Finding } from "@clawx/shared-security";
import type { ConversationVault } from "../egress/types.ts";
import type { VaultEntry, VaultLevel } from "./session-view.ts";
import type { Session, VaultStore } from "./store.ts";
import { lockMark, PRIVATE_TEXT_TYPE, replaceTokens, tokenSpans } from "./tokens.ts";

/** Values of other conversations are matched when they are long enough not to be an everyday word. */
const FOREIGN_MIN_LENGTH = 6;
const FOREIGN_LIMIT = 5_000;
/** A line of a private text is remembered by itself when it says enough to be recognised. */
const LINE_MIN_LENGTH = 20;
const LINE_LIMIT = 2_000;

/** Scope of values in an agent's memory files, restored in all sessions of that agent. */
export function memoryScope(agentId: string): Session {
  return `memory:${agentId}`;
}

export class Conversation implements ConversationVault {
  private readonly store: VaultStore;
  private readonly session: Session | undefined;
  private readonly memory: Session | undefined;

  /** @param session undefined: calls whose conversation is not known; they match all values and restore none */
  constructor(store: VaultStore, session: Session | undefined) {
    this.store = store;
    this.session = session;
    const agent = session === undefined ? undefined : /^agent:([^:]+):/.exec(session)?.[1];
    this.memory = agent === undefined ? undefined : memoryScope(agent);
  }

  tokenFor(value: string, type: string, level: VaultLevel): string {
    return this.store.put(this.session ?? "", value, type, level, "value").token;
  }

  valueOf(token: string): string | undefined {
    return this.entryOf(token)?.value;
  }

  /** The entry behind a token of this conversation, or of the memory of its agent. */
  entryOf(token: string): VaultEntry | undefined {
    if (this.session === undefined) return undefined;
    const own = this.store.view(this.session).byToken(token);
    if (own !== undefined || this.memory === undefined) return own;
    return this.store.view(this.memory).byToken(token);
  }

  *values(): Generator<{ value: string; type: string; level: VaultLevel; token: string }> {
    const own = this.session ?? "";
    yield* this.store.view(own).entries();
    for (const entry of this.store.latest(FOREIGN_LIMIT)) {
      if (entry.session === own || entry.kind === "text") continue;
      if (this.session !== undefined && entry.value.length < FOREIGN_MIN_LENGTH) continue;
      yield this.foreign(entry);
    }
  }

  revision(): number {
    return this.store.revision();
  }

  /** Replaces each finding by its token. Findings must not overlap. */
  redact(text: string, findings: readonly Finding[]): string {
    let out = "";
    let from = 0;
    for (const finding of [...findings].sort((a, b) => a.start - b.start)) {
      if (finding.start < from) continue;
      out += text.slice(from, finding.start) + this.tokenFor(finding.value, finding.type, finding.level);
      from = finding.end;
    }
    return out + text.slice(from);
  }

  /**
   * Keeps a whole private text and its telling lines.
   * @param lines remember lines too: for what the user or a tool said, not for a model's own phrases
   * @returns what stands in its place: `🔒[PRIVATE:TEXT_n]`
   */
  lock(text: string, options: { lines: boolean }): string {
    const session = this.session ?? "";
    const entry = this.store.put(session, text, PRIVATE_TEXT_TYPE, "S3", "text");
    if (options.lines) {
      let kept = 0;
      for (const raw of text.split("\n")) {
        const line = raw.trim();
        if (line.length < LINE_MIN_LENGTH || line === text) continue;
        if (++kept > LINE_LIMIT) break;
        this.store.put(session, line, PRIVATE_TEXT_TYPE, "S3", "line");
      }
    }
    return lockMark(entry.token);
  }

  /** The text with the values of this conversation's tokens; `levels` limits which are put back. */
  restore(text: string, levels: readonly VaultLevel[] = ["S2", "S3"]): string {
    return replaceTokens(text, (token) => {
      const entry = this.entryOf(token);
      return entry !== undefined && levels.includes(entry.level) ? entry.value : undefined;
    });
  }

  /** The strictest level of this conversation's tokens in the text; undefined when it holds none. */
  levelOfTokens(text: string): VaultLevel | undefined {
    let level: VaultLevel | undefined;
    for (const span of tokenSpans(text)) {
      const entry = this.entryOf(span.token);
      if (entry === undefined) continue;
      if (entry.level === "S3") return "S3";
      level = "S2";
    }
    return level;
  }

  private foreign(entry: VaultEntry): { value: string; type: string; level: VaultLevel; token: string } {
    const store = this.store;
    const session = this.session ?? "";
    return {
      value: entry.value,
      type: entry.type,
      level: entry.level,
      // Made only when the value is truly met: a conversation has its own token for it.
      get token() {
        return store.put(session, entry.value, entry.type, entry.level, "value").token;
      },
    };
  }
}
