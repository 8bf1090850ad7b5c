import { PLACEHOLDER_WORD } from "../placeholder/placeholder.ts";
import { KnownIndex } from "./known.ts";
import type { VaultEntry } from "./types.ts";

export interface EntryBounds {
  /** Entries kept; the least recently used go first, S2 before S3. */
  readonly maxEntries: number;
  /** UTF-16 code units of all values together. */
  readonly maxChars: number;
}

/**
 * The entries of a vault in memory: by token, by session and value, and as an index of known values. Bounded; entries
 * stand in the order of their last use.
 */
export class EntryStore {
  readonly known = new KnownIndex();
  readonly #entries = new Map<string, VaultEntry>();
  /** Session -> value -> entry. */
  readonly #bySession = new Map<string, Map<string, VaultEntry>>();
  readonly #bounds: EntryBounds;
  readonly #onRemove: (entry: VaultEntry) => void;
  #chars = 0;
  #version = 0;

  /** @param onRemove called after an entry was removed or fell out of the bounds */
  constructor(bounds: EntryBounds, onRemove: (entry: VaultEntry) => void) {
    this.#bounds = bounds;
    this.#onRemove = onRemove;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Grows whenever an entry is added or removed. */
  get version(): number {
    return this.#version;
  }

  get(token: string): VaultEntry | undefined {
    return this.#entries.get(token);
  }

  /** The entry of a value in a session; a private one where there are two. */
  find(session: string, value: string): VaultEntry | undefined {
    return this.#bySession.get(session)?.get(value);
  }

  /** Of each value one: the private one where there are two. */
  ofSession(session: string): Iterable<VaultEntry> {
    return this.#bySession.get(session)?.values() ?? [];
  }

  /** Least recently used first. */
  values(): IterableIterator<VaultEntry> {
    return this.#entries.values();
  }

  /** Adds an entry, in the place of one with the same token. Bounds hold again after {@link evict}. */
  put(entry: VaultEntry): void {
    const old = this.#entries.get(entry.token);
    if (old !== undefined) this.#unlink(old);
    this.#entries.set(entry.token, entry);
    const values = this.#bySession.get(entry.session) ?? new Map<string, VaultEntry>();
    const current = values.get(entry.value);
    if (current === undefined || isPrivateToken(entry.token) || !isPrivateToken(current.token)) {
      values.set(entry.value, entry);
    }
    this.#bySession.set(entry.session, values);
    this.#chars += entry.value.length;
    this.#version++;
    this.known.add(entry);
  }

  remove(entry: VaultEntry): void {
    this.#unlink(entry);
    this.#onRemove(entry);
  }

  /** Counts as use. */
  touch(entry: VaultEntry): void {
    this.#entries.delete(entry.token);
    this.#entries.set(entry.token, entry);
  }

  /** Keep the bounds: the oldest S2 entries go first, S3 only when no S2 is left; the newest entry always stays. */
  evict(): void {
    for (const level of ["S2", "S3"] as const) {
      if (!this.#overBounds()) return;
      for (const entry of this.#entries.values()) {
        if (!this.#overBounds() || this.#entries.size <= 1) return;
        if (entry.level === level) this.remove(entry);
      }
    }
  }

  #unlink(entry: VaultEntry): void {
    this.#entries.delete(entry.token);
    const values = this.#bySession.get(entry.session);
    if (values?.get(entry.value) === entry) values.delete(entry.value);
    if (values?.size === 0) this.#bySession.delete(entry.session);
    this.#chars -= entry.value.length;
    this.#version++;
    this.known.remove(entry.value);
  }

  #overBounds(): boolean {
    return this.#entries.size > this.#bounds.maxEntries || this.#chars > this.#bounds.maxChars;
  }
}

/** Whether a token stands for an S3 value. */
export function isPrivateToken(token: string): boolean {
  return token.startsWith(`[${PLACEHOLDER_WORD.S3}:`);
}
