import { type Finding, KnownIndex, type Vault } from "@clawx/shared-security";
import { VaultFollower } from "./vault-follower.ts";
import type { CachedVerdict } from "./verdict-cache.ts";

/** New values looked for apart from the others; beyond, all are looked for again and a new count begins. */
const MAX_RECENT = 256;

/**
 * Finds the vault's values in texts that come back turn after turn: what was found in a text is remembered, and it is
 * only searched for values that have come since.
 */
export class KnownValues {
  readonly #vault: Vault;
  readonly #follower: VaultFollower;
  /** Values that came after version `#base`. */
  #recent = new KnownIndex();
  #base = 0;

  constructor(vault: Vault) {
    this.#vault = vault;
    this.#follower = new VaultFollower(vault);
  }

  /** The vault's values in `text`, without their `value`; `cached` remembers them. */
  find(text: string, cached: CachedVerdict): readonly Finding[] {
    const { version } = this.#vault;
    if (cached.knownAt === version) return cached.known;
    const isRecent = cached.knownAt >= 0 && this.#holdsNothingSince(text, cached.knownAt);
    // Old values and new ones may touch: only a search for all of them knows how far each goes.
    if (!isRecent) cached.known = this.#vault.findKnown(text).map((finding) => ({ ...finding, value: "" }));
    cached.knownAt = version;
    return cached.known;
  }

  /** Whether none of the values stands in `text` that came after a version; false when that cannot be told. */
  #holdsNothingSince(text: string, version: number): boolean {
    this.#follow();
    return version >= this.#base && this.#recent.find(text).length === 0;
  }

  #follow(): void {
    const changes = this.#follower.changes();
    if (!changes) return;
    if (changes.fresh || this.#recent.size + changes.added.length > MAX_RECENT) {
      this.#recent = new KnownIndex();
      this.#base = this.#vault.version;
    } else {
      for (const { value, type, level } of changes.added) this.#recent.add({ value, type, level });
    }
  }
}
