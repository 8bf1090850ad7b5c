import type { KnowledgeRecord, SaveInput } from "../record/schema.ts";
import { compare } from "../relations/compare.ts";
import type { Screener } from "../safety/screen.ts";
import { inheritedBelief, recordVote } from "../store/feedback.ts";
import { HIDDEN_STATUSES, type ItemFilter, type KnowledgeStore } from "../store/knowledge-store.ts";
import { type StoredItem, standing, type Trust } from "../store/rows.ts";
import {
  type Actor,
  type FeedbackOutcome,
  type FeedbackRequest,
  type FoundItem,
  type KnowledgeBackend,
  KnowledgeError,
  type Neighbour,
  type Notice,
  type SaveOutcome,
  type SearchOutcome,
  type SearchRequest,
} from "./backend.ts";
import { recordOf } from "./record-of.ts";

/** Fuses a semantic ranking into the lexical one; see embeddings/. */
export interface SemanticSearch {
  search(
    query: string,
    topK: number,
    filter: ItemFilter,
    lexical: readonly StoredItem[],
    signal?: AbortSignal,
  ): Promise<StoredItem[]>;
  /** Tells that items changed and need new vectors. */
  changed(): void;
}

export interface EmbeddedOptions {
  store: KnowledgeStore;
  screener: Screener;
  submittedBy: string;
  readOnly?: boolean;
  semantic?: SemanticSearch;
  log: (message: string) => void;
  now?: () => number;
}

/** How many near items a save reports. */
const MAX_NEIGHBOURS = 3;

/** The knowledge base in this process: SQLite, no network. */
export class EmbeddedBackend implements KnowledgeBackend {
  readonly #o: EmbeddedOptions;
  readonly #now: () => number;

  constructor(options: EmbeddedOptions) {
    this.#o = options;
    this.#now = options.now ?? Date.now;
  }

  get store(): KnowledgeStore {
    return this.#o.store;
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    const { store, semantic } = this.#o;
    const filter: ItemFilter = {
      origin: "",
      minScore: request.minScore,
      types: request.types,
      owners: request.owners,
    };
    // A few more than asked for, as suspicious ones are left out.
    const wanted = request.topK + 10;
    const lexical = store.search(request.query, wanted, filter, this.#now()).map((hit) => hit.item);
    const found = semantic ? await semantic.search(request.query, wanted, filter, lexical, signal) : lexical;
    return this.#show(found, request.topK);
  }

  /** The first `limit` items that may be shown, and what was left out. */
  #show(found: readonly StoredItem[], limit: number): SearchOutcome {
    const { screener, log } = this.#o;
    const items: FoundItem[] = [];
    const dropped: SearchOutcome["dropped"] = [];
    for (const item of found) {
      if (items.length === limit) break;
      const suspicion = screener.check(item.record);
      if (suspicion) {
        dropped.push({ id: item.record.id, reason: suspicion.reason });
        log(
          `left out ${item.record.id}: ${suspicion.reason}; see it with: openclaw knowhub show ${item.record.id}`,
        );
        continue;
      }
      items.push({ record: item.record, trust: item.trust });
    }
    return { items, dropped, notices: [] };
  }

  async save(input: SaveInput, actor: Actor): Promise<SaveOutcome> {
    return this.saveAs(input, actor, actor.kind === "human" ? "verified" : "own");
  }

  /** Saves with a trust other than the actor's own, e.g. for imports and items that came over the wire. */
  saveAs(input: SaveInput, actor: Actor, trust: Trust): SaveOutcome {
    this.#assertWritable();
    const { store, submittedBy, semantic } = this.#o;
    const now = this.#now();
    const outcome = store.transaction((): SaveOutcome => {
      const neighbours = this.neighbours(input);
      const same = neighbours.find((n) => n.certain);
      if (same) return this.#merge(same.item, input, actor, trust, now);
      const record = recordOf(input, store.newId(new Date(now)), actor, submittedBy, new Date(now));
      if (trust === "verified") record.status = "approved";
      store.insert(record, { origin: "", trust, now });
      const shown = neighbours.filter(({ item }) => !this.#o.screener.check(item.record));
      return { id: record.id, state: "saved", neighbours: shown.map(toNeighbour), notices: [] };
    });
    if (outcome.state === "saved") semantic?.changed();
    return outcome;
  }

  /**
   * An item that says the same stands for what is saved. It gets what whoever saves vouches for: an import must not stand in the
   * way of what this gateway's own agent found out, with its own source, a score that keeps it out of searches, or less trust.
   */
  #merge(item: StoredItem, input: SaveInput, actor: Actor, trust: Trust, now: number): SaveOutcome {
    const { store, submittedBy } = this.#o;
    const { record } = item;
    const outcome: SaveOutcome = { id: record.id, state: "merged", neighbours: [], notices: [] };
    if (HIDDEN_STATUSES.has(record.status) && !(trust === "verified" && record.status === "quarantined")) {
      outcome.notices.push(hiddenNotice(record));
      return outcome;
    }
    if (standing(trust) < standing(item.trust)) return outcome;
    const mine = recordOf(input, record.id, actor, submittedBy, new Date(now));
    const better = standing(trust) > standing(item.trust);
    const changed: KnowledgeRecord = {
      ...record,
      ...(better && { owner: mine.owner, source: mine.source, scopes: mine.scopes, tags: mine.tags }),
      ...(trust === "verified" && { status: "approved", verified_at: new Date(now).toISOString() }),
      types: better ? mine.types : [...new Set([...record.types, ...mine.types])].slice(0, 50),
      eval: {
        ...record.eval,
        score: better ? mine.eval.score : Math.max(record.eval.score, mine.eval.score),
      },
    };
    store.update({ ...item, record: changed }, { now, trust });
    return outcome;
  }

  /** Takes an exported record over with its ID, votes and times; trusted as an import, whatever the file says. */
  importRecord(record: KnowledgeRecord): "saved" | "known" {
    this.#assertWritable();
    const { store } = this.#o;
    if (store.get(record.id) || store.findSame(record.task, record.content, "")) return "known";
    const belief = inheritedBelief(record.eval);
    // Who verified it elsewhere, and when, says nothing here.
    const { verified_at: _at, verified_by: _by, ...given } = record;
    const status = HIDDEN_STATUSES.has(record.status) ? record.status : "pending";
    store.insert(
      { ...given, status, eval: { ...record.eval, confidence: belief } },
      { origin: "", trust: "imported", now: this.#now() },
    );
    this.#o.semantic?.changed();
    return "saved";
  }

  /** Items near to a text, nearest first, with their relation to it. */
  neighbours(input: {
    task: string;
    content: string;
  }): (Omit<Neighbour, "record"> & { item: StoredItem; certain: boolean })[] {
    const { store } = this.#o;
    const same = store.findSame(input.task, input.content, "");
    if (same) return [{ item: same, relation: "duplicate", similarity: 1, certain: true }];
    const query = `${input.task} ${input.content.slice(0, 400)}`;
    const near = store.search(query, 10, { origin: "" }, this.#now());
    return near
      .map(({ item }) => ({ item, ...compare(input, item.record) }))
      .flatMap(({ relation, ...rest }) => (relation === "unrelated" ? [] : [{ relation, ...rest }]))
      .sort((a, b) => Number(b.certain) - Number(a.certain) || b.similarity - a.similarity)
      .slice(0, MAX_NEIGHBOURS);
  }

  async feedback(request: FeedbackRequest, actor: Actor): Promise<FeedbackOutcome> {
    this.#assertWritable();
    const { store } = this.#o;
    const item = store.get(request.id);
    if (item?.origin !== "") {
      throw new KnowledgeError({
        zh: `没有 ID 为 ${request.id} 的知识。请用 kb_search 结果中的 ID。`,
        en: `there is no knowledge with ID ${request.id}. Use an ID from a kb_search result.`,
      });
    }
    const vote = {
      helpful: request.helpful,
      session: actor.session,
      voter: actor.agentId,
      kind: actor.kind,
      note: (request.feedback ?? "").slice(0, 2_000),
    };
    const { item: updated, replaced, quarantined } = recordVote(store, item, vote, this.#now());
    if (quarantined)
      this.#o.log(
        `${request.id} was quarantined: repeatedly harmful; undo with: openclaw knowhub verify ${request.id}`,
      );
    return { state: replaced ? "replaced" : "recorded", record: updated.record, quarantined, notices: [] };
  }

  async read(id: string): Promise<SearchOutcome | undefined> {
    const item = this.#o.store.get(id);
    return item?.origin === "" ? this.#show([item], 1) : undefined;
  }

  #assertWritable(): void {
    if (!this.#o.readOnly) return;
    throw new KnowledgeError({
      zh: "知识库所在目录不可写：可以搜索，不能保存。请检查状态目录的权限后重启网关。",
      en: "the folder of the knowledge base cannot be written: searching works, saving does not. Check the state folder's permissions, then restart the gateway.",
    });
  }
}

function hiddenNotice({ id, status }: KnowledgeRecord): Notice {
  return {
    zh: `⚠️ 这条知识已停用 (${status})，不会出现在搜索中；需由用户确认后恢复: openclaw knowhub verify ${id}`,
    en: `⚠️ this knowledge is taken out of searches (${status}); the user can bring it back: openclaw knowhub verify ${id}`,
  };
}

function toNeighbour({
  item,
  relation,
  similarity,
}: Omit<Neighbour, "record"> & { item: StoredItem }): Neighbour {
  return { record: item.record, relation, similarity };
}
