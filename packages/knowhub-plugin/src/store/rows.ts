import { createHash } from "node:crypto";
import { type KnowledgeRecord, qualityScore, recordSchema } from "../record/schema.ts";
import { identityForm } from "../text/identity.ts";

/**
 * Who vouches for an item. Only `own` and `verified` may ever be volunteered; the others are shown when searched for.
 */
export type Trust = "own" | "verified" | "extracted" | "imported" | "wire" | "remote";

/** Ways to vouch for an item, the weakest first. */
const STANDING: readonly Trust[] = ["remote", "wire", "imported", "extracted", "own", "verified"];

/** How much a way of vouching is worth against the others. */
export function standing(trust: Trust): number {
  return STANDING.indexOf(trust);
}

/** An item as the store holds it: the wire record and what is not on the wire. */
export interface StoredItem {
  row: number;
  record: KnowledgeRecord;
  origin: string;
  trust: Trust;
  /** Beta mean of the decayed votes, 0..1; 0.5 without votes. */
  belief: number;
  revision: number;
  createdAt: number;
  updatedAt: number;
  /** When a remote item was last seen, ms. */
  fetchedAt?: number;
}

export interface KnowledgeRow {
  row: number;
  id: string;
  origin: string;
  trust: string;
  status: string;
  owner: string;
  score: number;
  helpful: number;
  harmful: number;
  belief: number;
  task: string;
  content: string;
  types: string;
  hash: string;
  rest: string;
  revision: number;
  created_at: number;
  updated_at: number;
  fetched_at: number | null;
}

/** Identity of what an item says; see {@link identityForm}. */
export function contentHash(task: string, content: string): string {
  return createHash("sha256")
    .update(`${identityForm(task)}\u0000${identityForm(content)}`)
    .digest("hex");
}

/** Splits a record into columns; inverse of {@link fromRow}. */
export function toColumns(record: KnowledgeRecord) {
  const {
    id,
    status,
    owner,
    task,
    content,
    types,
    created_at,
    updated_at,
    quality_score,
    eval: evaluation,
    ...extra
  } = record;
  // Records are open for fields of other servers, but what this store itself decides is never taken from outside.
  const { trust: _trust, revision: _revision, origin: _origin, ...rest } = extra;
  const { score, helpful, harmful, confidence, ...history } = evaluation;
  return {
    id,
    status,
    owner,
    task,
    content,
    types: JSON.stringify(types),
    score,
    helpful,
    harmful,
    belief: confidence,
    hash: contentHash(task, content),
    rest: JSON.stringify({ ...rest, eval: history }),
  };
}

export function fromRow(row: KnowledgeRow): StoredItem {
  const rest = JSON.parse(row.rest) as { eval?: object };
  const record = recordSchema.parse({
    ...rest,
    id: row.id,
    status: row.status,
    owner: row.owner,
    task: row.task,
    content: row.content,
    types: JSON.parse(row.types),
    eval: {
      ...rest.eval,
      score: row.score,
      helpful: row.helpful,
      harmful: row.harmful,
      confidence: row.belief,
    },
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  });
  record.quality_score = qualityScore(record);
  return {
    row: row.row,
    record,
    origin: row.origin,
    trust: row.trust as Trust,
    belief: row.belief,
    revision: row.revision,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    fetchedAt: row.fetched_at ?? undefined,
  };
}
