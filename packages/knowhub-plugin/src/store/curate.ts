import { createHash, randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { FeedbackCase, KnowledgeRecord } from "../record/schema.ts";
import { compare } from "../relations/compare.ts";
import type { Screener } from "../safety/screen.ts";
import { diff, formatDiff } from "../text/diff.ts";
import { coreOf, identityForm } from "../text/identity.ts";
import { type Complete, EvolutionRefused, rewrite } from "./evolve.ts";
import { recordVote } from "./feedback.ts";
import { HIDDEN_STATUSES, type KnowledgeStore } from "./knowledge-store.ts";
import { revise } from "./revisions.ts";
import { type StoredItem, standing } from "./rows.ts";

/** The author of what came over the wire. */
export const WIRE = "wire";

export type Evolution =
  | { state: "revised"; revision: number; diff: string }
  /** Kept until a model is there. */
  | { state: "kept"; reason: string };

/** What people and servers do with items beyond saving and finding them. */
export class Curator {
  readonly #store: KnowledgeStore;
  readonly #screener: Screener;
  /** Set while the host offers a model. */
  complete: Complete | undefined;

  constructor(options: { store: KnowledgeStore; screener: Screener; complete?: Complete }) {
    this.#store = options.store;
    this.#screener = options.screener;
    this.complete = options.complete;
  }

  /**
   * A verdict. Approving clears a quarantine: only harm reported after it counts again. It makes an item trusted (it may be
   * volunteered) only when a person at this machine gives it; over the wire anybody can say that a person did.
   */
  verify(
    item: StoredItem,
    action: "approve" | "reject",
    by: { name: string; here: boolean },
    now: number,
  ): StoredItem {
    const record = {
      ...item.record,
      status: action === "approve" ? "approved" : "rejected",
      verified_by: by.name,
      verified_at: new Date(now).toISOString(),
    };
    const trust = action === "approve" && by.here ? ("verified" as const) : item.trust;
    return this.#store.update({ ...item, record }, { now: item.updatedAt, trust });
  }

  score(item: StoredItem, score: number, now: number): StoredItem {
    const record = { ...item.record, eval: { ...item.record.eval, score } };
    return this.#store.update({ ...item, record }, { now });
  }

  /** A case that came over the wire; without a session each counts on its own. */
  vote(item: StoredItem, given: FeedbackCase, helpful: boolean, now: number): StoredItem {
    const vote = {
      helpful,
      session: given.session_key ?? `wire:${randomUUID()}`,
      voter: given.agent_id ?? "wire",
      kind: given.by ?? ("agent" as const),
      note: given.task || given.reason || "",
    };
    return recordVote(this.#store, item, vote, now).item;
  }

  /** Changes fields; a change of text is a new revision, for which whoever wrote it vouches: text of the wire is no longer own or verified. */
  patch(item: StoredItem, fields: Partial<KnowledgeRecord>, author: string, now: number): StoredItem {
    return this.#store.transaction(() => {
      const { task, content, types, ...rest } = fields;
      let current = item;
      const changed =
        (task !== undefined && task !== item.record.task) ||
        (content !== undefined && content !== item.record.content);
      if (changed || types !== undefined)
        current = revise(
          this.#store,
          current,
          { task, content, types },
          { author, reason: "edited", now, ...(author === WIRE && changed && { trust: "wire" as const }) },
        );
      if (Object.keys(rest).length > 0) {
        current = this.#store.update({ ...current, record: { ...current.record, ...rest } }, { now });
      }
      return current;
    });
  }

  /** Keeps feedback for a rewrite that comes later. */
  keepFeedback(item: StoredItem, feedback: string, author: string, now: number): void {
    this.#store.db
      .prepare("INSERT INTO evolutions (knowledge_id, feedback, author, at) VALUES (?, ?, ?, ?)")
      .run(item.record.id, feedback, author, now);
  }

  /** Rewrites an item from all feedback kept for it and this; without a model, or when its text is no good, the feedback is kept. */
  async evolve(
    id: string,
    feedback: string,
    author: string,
    now: number,
    signal?: AbortSignal,
  ): Promise<Evolution> {
    const item = this.#store.get(id);
    if (!item) return { state: "kept", reason: "the item is gone" };
    this.keepFeedback(item, feedback, author, now);
    return (
      (await this.evolveFromKept(id, author, now, signal)) ?? {
        state: "kept",
        reason: "no model is available",
      }
    );
  }

  /** Rewrites one item from the feedback kept for it. Undefined when there is none or no model. */
  async evolveFromKept(
    id: string,
    author: string,
    now: number,
    signal?: AbortSignal,
  ): Promise<Evolution | undefined> {
    const { complete } = this;
    const item = this.#store.get(id);
    const kept = this.#store.db
      .prepare("SELECT id, feedback, author FROM evolutions WHERE knowledge_id = ? ORDER BY id")
      .all(id) as unknown as {
      id: number;
      feedback: string;
      author: string;
    }[];
    if (!complete || !item || kept.length === 0) return undefined;
    try {
      const text = await rewrite(
        item.record,
        kept.map((k) => k.feedback),
        { complete, screener: this.#screener, signal },
      );
      return this.#store.transaction((): Evolution => {
        // The item may have changed while the model was writing; then its work is for another text.
        const present = this.#store.get(id);
        if (!present || present.revision !== item.revision)
          return { state: "kept", reason: "the item changed meanwhile" };
        const reason = kept
          .map((k) => k.feedback)
          .join("; ")
          .slice(0, 2_000);
        const foreign = kept.some((k) => k.author === WIRE);
        const revised = revise(this.#store, present, text, {
          author,
          reason,
          now,
          ...(foreign && { trust: "wire" as const }),
        });
        const last = kept.at(-1);
        this.#store.db
          .prepare("DELETE FROM evolutions WHERE knowledge_id = ? AND id <= ?")
          .run(id, last?.id ?? 0);
        return {
          state: "revised",
          revision: revised.revision,
          diff: formatDiff(diff(item.record.content, text.content)),
        };
      });
    } catch (error) {
      const reason =
        error instanceof EvolutionRefused
          ? error.message
          : `the model did not answer: ${error instanceof Error ? error.message : String(error)}`;
      return { state: "kept", reason };
    }
  }

  /** IDs of items with feedback that waits for a model. */
  waitingForEvolution(limit = 20): string[] {
    const rows = this.#store.db
      .prepare("SELECT DISTINCT knowledge_id AS id FROM evolutions LIMIT ?")
      .all(limit) as unknown as { id: string }[];
    return rows.map((row) => row.id);
  }

  /**
   * Merges items that certainly say the same into the older one; its counters take the others' up. Each merge is a transaction of
   * its own and other work of the process goes on in between: a large store takes a while.
   */
  async slim(
    now: number,
  ): Promise<{ before: number; after: number; merged: { kept: string; removed: string }[] }> {
    const merged: { kept: string; removed: string }[] = [];
    // Only equal cores can be certain duplicates (see compare), so one pass over a map finds them all.
    const byCore = new Map<string, string>();
    let before = 0;
    for (const item of this.#store.all("")) {
      before += 1;
      if (before % 50 === 0) await setImmediate();
      const core = createHash("sha256")
        .update(coreOf(identityForm(`${item.record.task}\n${item.record.content}`)).toLowerCase())
        .digest("base64");
      const firstId = byCore.get(core);
      const result = firstId === undefined ? undefined : this.#mergeIfSame(firstId, item.record.id, now);
      if (result) merged.push(result);
      if (firstId === undefined || result) byCore.set(core, result?.kept ?? item.record.id);
    }
    return { before, after: before - merged.length, merged };
  }

  /** The older one stays, or the one for which more is vouched. */
  #mergeIfSame(
    firstId: string,
    secondId: string,
    now: number,
  ): { kept: string; removed: string } | undefined {
    return this.#store.transaction(() => {
      const first = this.#store.get(firstId);
      const second = this.#store.get(secondId);
      // What was hidden stays apart: merging would bring its text back, or take the other's away.
      if (
        !first ||
        !second ||
        HIDDEN_STATUSES.has(first.record.status) ||
        HIDDEN_STATUSES.has(second.record.status)
      )
        return undefined;
      if (!compare(first.record, second.record).certain) return undefined;
      const [kept, removed] =
        standing(second.trust) > standing(first.trust) ? [second, first] : [first, second];
      this.#absorb(kept, removed, now);
      return { kept: kept.record.id, removed: removed.record.id };
    });
  }

  #absorb(item: StoredItem, other: StoredItem, now: number): void {
    // An import or the wire may claim any score and any number of votes: they add nothing to what the agent knows itself.
    if (standing(other.trust) < standing(item.trust)) {
      this.#store.delete(other.record.id);
      return;
    }
    const { eval: mine } = item.record;
    const { eval: theirs } = other.record;
    const record = {
      ...item.record,
      types: [...new Set([...item.record.types, ...other.record.types])],
      eval: {
        ...mine,
        score: Math.max(mine.score, theirs.score),
        helpful: mine.helpful + theirs.helpful,
        harmful: mine.harmful + theirs.harmful,
        helpful_history: [...mine.helpful_history, ...theirs.helpful_history].slice(-100),
        harmful_history: [...mine.harmful_history, ...theirs.harmful_history].slice(-100),
      },
    };
    this.#store.db
      .prepare("UPDATE OR IGNORE votes SET knowledge_id = ? WHERE knowledge_id = ?")
      .run(item.record.id, other.record.id);
    this.#store.update({ ...item, record }, { now });
    this.#store.delete(other.record.id);
  }
}
