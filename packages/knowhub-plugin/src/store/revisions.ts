import type { KnowledgeStore } from "./knowledge-store.ts";
import type { StoredItem, Trust } from "./rows.ts";

/** An earlier wording of an item. */
export interface Revision {
  revision: number;
  task: string;
  content: string;
  types: string[];
  /** Who replaced it. */
  author: string;
  /** Why it was replaced. */
  reason: string;
  /** When it was replaced, ms. */
  at: number;
}

interface RevisionRow extends Omit<Revision, "types"> {
  types: string;
}

/** New wording for an item; the present one is kept as a revision. */
export function revise(
  store: KnowledgeStore,
  item: StoredItem,
  text: { task?: string; content?: string; types?: string[] },
  by: { author: string; reason: string; now: number; trust?: Trust },
): StoredItem {
  return store.transaction(() => {
    store.db
      .prepare(
        "INSERT INTO revisions (knowledge_id, revision, task, content, types, author, reason, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      )
      .run(
        item.record.id,
        item.revision,
        item.record.task,
        item.record.content,
        JSON.stringify(item.record.types),
        by.author,
        by.reason,
        by.now,
      );
    const record = {
      ...item.record,
      task: text.task ?? item.record.task,
      content: text.content ?? item.record.content,
      types: text.types ?? item.record.types,
    };
    return store.update({ ...item, record }, { now: by.now, revision: item.revision + 1, trust: by.trust });
  });
}

/** Earlier wordings, newest first. */
export function revisions(store: KnowledgeStore, id: string): Revision[] {
  const rows = store.db
    .prepare(
      "SELECT revision, task, content, types, author, reason, at FROM revisions WHERE knowledge_id = ? ORDER BY revision DESC",
    )
    .all(id) as unknown as RevisionRow[];
  return rows.map((row) => ({ ...row, types: JSON.parse(row.types) as string[] }));
}

/**
 * Puts back the wording before the newest revision. It is itself a revision, so an undo can be undone.
 *
 * @returns the item, or undefined when it has only one wording.
 */
export function undoRevision(
  store: KnowledgeStore,
  item: StoredItem,
  by: { author: string; now: number },
): StoredItem | undefined {
  const previous = revisions(store, item.record.id)[0];
  if (!previous) return undefined;
  const text = { task: previous.task, content: previous.content, types: previous.types };
  return revise(store, item, text, { ...by, reason: `undo: back to revision ${previous.revision}` });
}
