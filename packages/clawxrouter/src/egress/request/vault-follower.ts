import { formatPlaceholder, type Vault, type VaultEntry } from "@clawx/shared-security";

/** What has become of a vault since it was last asked. */
export interface VaultChanges {
  added: VaultEntry[];
  /** True when values have gone, so that what was built from all of them must be built anew from `added`. */
  fresh: boolean;
}

/** Tells what is new in a vault, in time proportional to what is new: numbers of placeholders only ever count up. */
export class VaultFollower {
  readonly #vault: Vault;
  #version = -1;
  #size = 0;
  #counters: Readonly<Record<string, number>> = {};

  constructor(vault: Vault) {
    this.#vault = vault;
  }

  /** The changes since the last call; undefined when there are none. */
  changes(): VaultChanges | undefined {
    if (this.#version === this.#vault.version) return undefined;
    this.#version = this.#vault.version;
    const counters = this.#vault.counters();
    const added = [...this.#since(counters)];
    this.#counters = counters;
    const complete = this.#size + added.length === this.#vault.size;
    this.#size = this.#vault.size;
    // Values have gone, or came back under an old number: begin anew.
    return complete ? { added, fresh: false } : { added: [...this.#vault.entries()], fresh: true };
  }

  *#since(counters: Readonly<Record<string, number>>): Generator<VaultEntry> {
    for (const [name, last] of Object.entries(counters)) {
      const [level, type] = name.split(":");
      if (type === undefined || (level !== "S2" && level !== "S3")) continue;
      for (let number = (this.#counters[name] ?? 0) + 1; number <= last; number += 1) {
        const entry = this.#vault.get(formatPlaceholder(level, type, number));
        if (entry) yield entry;
      }
    }
  }
}
