import type { KnowledgeRecord } from "../record/schema.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import type { FoundItem } from "./backend.ts";

export interface CopiesOptions {
  store: KnowledgeStore;
  /** The server's base URL. */
  origin: string;
  log: (message: string) => void;
  now: () => number;
}

/** Copies that are kept, newest first. */
const MAX_COPIES = 20_000;

/** Copies of a server's items on this machine. */
export class Copies {
  readonly #o: CopiesOptions;
  #inserts = 0;

  constructor(options: CopiesOptions) {
    this.#o = options;
  }

  /** Read-through: what the server showed can be shown again while it is down. A full disk must not cost the search. */
  keep(records: readonly KnowledgeRecord[]): void {
    const { store, origin, log } = this.#o;
    const now = this.#o.now();
    try {
      store.transaction(() => {
        for (const record of records) {
          const known = store.get(record.id);
          if (known && known.origin !== origin) continue;
          if (known)
            store.update({ ...known, record }, { now: Date.parse(record.updated_at) || now, fetchedAt: now });
          else {
            store.insert(record, { origin, trust: "remote", now, fetchedAt: now });
            this.#inserts += 1;
          }
        }
        if (this.#inserts >= 200) {
          this.#inserts = 0;
          store.evict(origin, MAX_COPIES);
        }
      });
    } catch (error) {
      log(
        `copies of search results could not be kept: ${error instanceof Error ? error.message : String(error)}`,
      );
    }
  }

  /** A copy as a search shows it, with its age. */
  stale(item: { record: KnowledgeRecord; fetchedAt?: number; updatedAt: number }): FoundItem {
    return {
      record: item.record,
      trust: "remote",
      staleMs: Math.max(0, this.#o.now() - (item.fetchedAt ?? item.updatedAt)),
    };
  }
}
