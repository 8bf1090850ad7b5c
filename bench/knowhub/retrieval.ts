import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { recordSchema } from "../../packages/knowhub-plugin/src/record/schema.ts";
import { openDatabase } from "../../packages/knowhub-plugin/src/store/database.ts";
import { KnowledgeStore } from "../../packages/knowhub-plugin/src/store/knowledge-store.ts";

export interface Labelled {
  query: string;
  want: string;
}

export interface Quality {
  queries: number;
  recallAt1: number;
  recallAt5: number;
  mrr: number;
  missed: Labelled[];
}

/** Finds each query's document in a fresh store: Recall@k and mean reciprocal rank (cut at 10). */
export function measure(
  documents: { id: string; task: string; content: string }[],
  queries: readonly Labelled[],
): Quality {
  const folder = mkdtempSync(path.join(os.tmpdir(), "kh-bench-"));
  const { db } = openDatabase(path.join(folder, "knowhub.sqlite"));
  try {
    const store = new KnowledgeStore(db);
    const now = Date.now();
    store.transaction(() => {
      for (const document of documents)
        store.insert(recordSchema.parse({ ...document, types: [] }), { origin: "", trust: "own", now });
    });
    let [first, five, reciprocal] = [0, 0, 0];
    const missed: Labelled[] = [];
    for (const labelled of queries) {
      const found = store.search(labelled.query, 10, { origin: "" }, now).map((hit) => hit.item.record.id);
      const rank = found.indexOf(labelled.want);
      if (rank === 0) first += 1;
      if (rank >= 0) reciprocal += 1 / (rank + 1);
      if (rank >= 0 && rank < 5) five += 1;
      else missed.push(labelled);
    }
    const n = queries.length;
    return { queries: n, recallAt1: first / n, recallAt5: five / n, mrr: reciprocal / n, missed };
  } finally {
    db.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
