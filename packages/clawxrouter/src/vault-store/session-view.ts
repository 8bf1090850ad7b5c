/** What the vault holds of one conversation, in memory. */

export type VaultLevel = "S2" | "S3";

export interface VaultEntry {
  id: number;
  session: string;
  token: string;
  value: string;
  type: string;
  level: VaultLevel;
  /** `value`: an entity or secret; `text`: a whole private text; `line`: a line of one. */
  kind: "value" | "text" | "line";
}

export class SessionView {
  private readonly values = new Map<string, VaultEntry>();
  private readonly tokens = new Map<string, VaultEntry>();

  get size(): number {
    return this.values.size;
  }

  add(entry: VaultEntry): void {
    this.values.set(entry.value, entry);
    this.tokens.set(entry.token, entry);
  }

  byValue(value: string): VaultEntry | undefined {
    return this.values.get(value);
  }

  byToken(token: string): VaultEntry | undefined {
    return this.tokens.get(token);
  }

  entries(): IterableIterator<VaultEntry> {
    return this.values.values();
  }
}
