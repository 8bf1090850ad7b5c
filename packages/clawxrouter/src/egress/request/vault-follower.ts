import type { Vault, VaultEntry } from "@clawx/shared-security";

/** What has become of a vault since it was last asked. */
export interface VaultChanges {
  added: VaultEntry[];
  /** True when values have gone, so that what was built from all of them must be built anew from `added`. */
  fresh: boolean;
}

/** Tells what is new in a vault, in time proportional to its size only when something is. */
export class VaultFollower {
  readonly #vault: Vault;
  #version = -1;
  #seen = new Set<string>();

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The changes since the last call; undefined when there are none. */
  changes(): VaultChanges | undefined {
    if (this.#version === this.#vault.version) return undefined;
    this.#version = this.#vault.version;
    const added: VaultEntry[] = [];
    let kept = 0;
    for (const entry of this.#vault.entries()) {
      if (this.#seen.has(entry.token)) kept += 1;
      else added.push(entry);
    }
    if (kept === this.#seen.size) {
      for (const { token } of added) this.#seen.add(token);
      return { added, fresh: false };
    }
    const all = [...this.#vault.entries()];
    this.#seen = new Set(all.map(({ token }) => token));
    return { added: all, fresh: true };
  }
}
