import { z } from "zod";
import type { SemanticSearch } from "../service/embedded.ts";
import type { ItemFilter, KnowledgeStore } from "../store/knowledge-store.ts";
import { reciprocalRankFusion } from "../store/rank.ts";
import type { StoredItem } from "../store/rows.ts";

export interface EmbeddingSettings {
  baseUrl: string;
  model: string;
  apiKey?: string;
}

const replySchema = z.object({
  data: z.array(z.object({ index: z.number().int(), embedding: z.array(z.number()).min(1).max(8_192) })),
});

/** A search waits so long for the query's vector; after that it is lexical. */
const QUERY_DEADLINE = 1_500;
const BATCH_DEADLINE = 60_000;
const BATCH = 32;
/** Characters of an item that are embedded: what models of the common sizes read. */
const MAX_TEXT = 6_000;
/** After a failure the endpoint is left alone for so long. */
const PAUSE_MS = 60_000;

/**
 * Semantic search through an OpenAI-compatible endpoint the user configured, fused with the lexical ranking. Whatever goes
 * wrong, the answer is the lexical one.
 */
export class Embeddings implements SemanticSearch {
  readonly #store: KnowledgeStore;
  readonly #settings: EmbeddingSettings;
  readonly #log: (message: string) => void;
  readonly #stop = new AbortController();
  #running: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(options: {
    store: KnowledgeStore;
    settings: EmbeddingSettings;
    log: (message: string) => void;
  }) {
    this.#store = options.store;
    this.#settings = options.settings;
    this.#log = options.log;
  }

  async search(
    query: string,
    topK: number,
    filter: ItemFilter,
    lexical: readonly StoredItem[],
    signal?: AbortSignal,
  ): Promise<StoredItem[]> {
    if (Date.now() < this.#pausedUntil) return [...lexical];
    let vector: Float32Array | undefined;
    try {
      const deadline = AbortSignal.timeout(QUERY_DEADLINE);
      [vector] = await this.#embed([query], signal ? AbortSignal.any([signal, deadline]) : deadline);
    } catch (error) {
      this.#failed(error);
    }
    if (!vector) return [...lexical];
    const semantic = this.#nearest(vector, topK);
    const fused = reciprocalRankFusion([lexical.map((item) => item.row), semantic]);
    const known = new Map(lexical.map((item) => [item.row, item]));
    for (const item of this.#store.byRows(
      semantic.filter((row) => !known.has(row)),
      filter,
    ))
      known.set(item.row, item);
    return [...known.values()]
      .sort((a, b) => (fused.get(b.row) ?? 0) - (fused.get(a.row) ?? 0))
      .slice(0, topK);
  }

  /** Makes the vectors that are missing, in the background. */
  changed(): void {
    if (this.#stop.signal.aborted) return;
    this.#running ??= this.#fill()
      .catch((error: unknown) => this.#failed(error))
      .finally(() => {
        this.#running = undefined;
      });
  }

  stop(): void {
    this.#stop.abort();
  }

  /** Rows by cosine, best first. Vectors are unit length, so the dot product is the cosine; read row by row to stay small. */
  #nearest(vector: Float32Array, topK: number): number[] {
    const best: { row: number; score: number }[] = [];
    const rows = this.#store.db
      .prepare("SELECT row, vector FROM vectors WHERE model = ?")
      .iterate(this.#settings.model);
    for (const { row, vector: bytes } of rows as unknown as Iterable<{ row: number; vector: Uint8Array }>) {
      const other = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
      if (other.length !== vector.length) continue;
      let score = 0;
      for (let i = 0; i < other.length; i += 1) score += (other[i] ?? 0) * (vector[i] ?? 0);
      const last = best.at(-1);
      if (best.length >= topK && last && score <= last.score) continue;
      best.push({ row, score });
      best.sort((a, b) => b.score - a.score);
      if (best.length > topK) best.pop();
    }
    return best.map(({ row }) => row);
  }

  async #fill(): Promise<void> {
    const { db } = this.#store;
    const missing = db.prepare(
      `SELECT k.row, k.hash, k.task, k.content FROM knowledge k LEFT JOIN vectors v ON v.row = k.row AND v.model = ? AND v.hash = k.hash
       WHERE k.origin = '' AND v.row IS NULL LIMIT ?`,
    );
    const put = db.prepare("INSERT OR REPLACE INTO vectors (row, model, hash, vector) VALUES (?, ?, ?, ?)");
    while (!this.#stop.signal.aborted) {
      const rows = missing.all(this.#settings.model, BATCH) as unknown as {
        row: number;
        hash: string;
        task: string;
        content: string;
      }[];
      if (rows.length === 0) return;
      const vectors = await this.#embed(
        rows.map(({ task, content }) => `${task}\n${content}`.slice(0, MAX_TEXT)),
        AbortSignal.any([this.#stop.signal, AbortSignal.timeout(BATCH_DEADLINE)]),
      );
      if (this.#stop.signal.aborted) return;
      this.#store.transaction(() => {
        rows.forEach(({ row, hash }, i) => {
          const vector = vectors[i];
          if (vector) put.run(row, this.#settings.model, hash, new Uint8Array(vector.buffer));
        });
      });
    }
  }

  async #embed(input: string[], signal: AbortSignal): Promise<Float32Array[]> {
    const { baseUrl, model, apiKey } = this.#settings;
    const response = await fetch(`${baseUrl.replace(/\/+$/, "")}/embeddings`, {
      method: "POST",
      redirect: "error",
      signal,
      headers: { "content-type": "application/json", ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      body: JSON.stringify({ model, input, encoding_format: "float" }),
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(`the embedding endpoint answered ${response.status}`);
    }
    const { data } = replySchema.parse(await response.json());
    const vectors = new Array<Float32Array>(input.length);
    for (const { index, embedding } of data)
      if (index >= 0 && index < input.length) vectors[index] = unit(embedding);
    if (vectors.filter(Boolean).length !== input.length)
      throw new Error("the embedding endpoint left out vectors");
    return vectors;
  }

  #failed(error: unknown): void {
    if (this.#stop.signal.aborted) return;
    this.#pausedUntil = Date.now() + PAUSE_MS;
    this.#log(
      `semantic search pauses for a minute: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function unit(values: readonly number[]): Float32Array {
  const length = Math.hypot(...values) || 1;
  return Float32Array.from(values, (value) => value / length);
}
