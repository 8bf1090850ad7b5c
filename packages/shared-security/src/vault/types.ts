import type { PrivateLevel } from "../types.ts";

/** One private value and the placeholder that stands for it. */
export interface VaultEntry {
  /** `[REDACTED:PHONE_1]`; never given to another value, not even after this entry is gone. */
  token: string;
  value: string;
  type: string;
  level: PrivateLevel;
  /** The conversation it belongs to; `""` when none is known. */
  session: string;
}

/** What a store that persists the vault row by row needs to write. */
export type VaultChange =
  | { kind: "add"; entry: VaultEntry; counterName: string; counter: number }
  | { kind: "remove"; token: string };

export interface VaultOptions {
  /** Entries kept in memory; the least recently used go first, S2 before S3. Default 50,000. */
  maxEntries?: number;
  /** UTF-16 code units of all values together. Default 64 Mi. */
  maxChars?: number;
  /** Called after every change, synchronously: write it down and return. */
  onChange?: (change: VaultChange) => void;
  /** Asked for a token that is not (or no longer) in memory, e.g. a row on disk. */
  lookup?: (token: string) => VaultEntry | undefined;
}

export interface ReplaceOptions {
  /** The session the text belongs to, when known. */
  session?: string;
  /**
   * What a placeholder in `text` is.
   * `escape` (default): text as a person or a tool wrote it; whatever looks like a placeholder is a literal.
   * `keep`: text that already went through the vault (a stored transcript, a request's history); tokens that
   * the session may resolve stay tokens, look-alikes are escaped, escaped ones stay as they are.
   */
  ownTokens?: "escape" | "keep";
  /** Collects the tokens put in for values of this text: whoever sent the value may get it back. */
  minted?: Set<string>;
}

/** A token of this vault found in a text. */
export interface TokenUse {
  start: number;
  end: number;
  token: string;
  level: PrivateLevel;
  /** False for a token of the private kind that the vault does not know: still to be treated as private. */
  known: boolean;
}
