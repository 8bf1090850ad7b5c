import { type Finding, KnownIndex, type Vault } from "@clawx/shared-security";
import { VaultFollower } from "./vault-follower.ts";
import type { CachedVerdict } from "./verdict-cache.ts";

/** New values looked for apart from the others; beyond, all are looked for again and a new count begins. */
const MAX_RECENT = 256;

/**
 * Finds the vault's values in texts that come back turn after turn: a text once found free of them is only searched
 * for values that have come since.
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

  /** The vault's values in `text`; `cached` remembers that there are none. */
  find(text: string, cached: CachedVerdict): readonly Finding[] {
    const { version } = this.#vault;
    if (cached.cleanAt === version) return NONE;
    this.#follow();
    const found = cached.cleanAt >= this.#base ? this.#recent.find(text) : this.#vault.findKnown(text);
    if (found.length === 0) cached.cleanAt = version;
    else if (cached.cleanAt >= this.#base) {
      // Old values and new ones may touch: the whole vault knows how far each goes.
      cached.cleanAt = -1;
      return this.#vault.findKnown(text);
    }
    return found;
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

const NONE: readonly Finding[] = [];
