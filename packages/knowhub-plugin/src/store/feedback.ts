import type { FeedbackCase } from "../record/schema.ts";
import type { KnowledgeStore } from "./knowledge-store.ts";
import type { StoredItem } from "./rows.ts";

/** Who judged an item after using it. */
export interface Vote {
  helpful: boolean;
  /** The session the item was used in: one vote an item and session, a second one replaces the first. */
  session: string;
  voter: string;
  kind: "human" | "agent" | "outcome";
  note: string;
}

const DAY = 86_400_000;
/** A vote counts half after so many days. */
const VOTE_HALF_LIFE_DAYS = 180;
/** So many harmful votes since the last human verification, from as many sessions, take an item out of search … */
const QUARANTINE_VOTES = 3;
/** … when the Beta mean is below this. */
const QUARANTINE_BELIEF = 0.35;
const MAX_HISTORY = 100;
/** What came with an item counts as so many votes at most: a file or a server may claim any number. */
const MAX_INHERITED = 2;

/** Mean of the Beta posterior of "helps" with a uniform prior, `(h + 1) / (h + m + 2)`. */
export function betaMean(helpful: number, harmful: number): number {
  return (helpful + 1) / (helpful + harmful + 2);
}

/** The Beta mean of counts that came with an item and cannot be checked. */
export function inheritedBelief(counts: { helpful: number; harmful: number }): number {
  const { helpful, harmful } = inherited(counts.helpful, counts.harmful);
  return betaMean(helpful, harmful);
}

function inherited(helpful: number, harmful: number): { helpful: number; harmful: number } {
  const share = Math.min(1, MAX_INHERITED / Math.max(1, helpful + harmful));
  return { helpful: helpful * share, harmful: harmful * share };
}

interface VoteRow {
  helpful: number;
  at: number;
}

/**
 * Counts a vote, updates the item's counters, history and belief, and quarantines an item that keeps doing harm.
 *
 * @returns the item as it is now, whether this vote replaced an earlier one of the session, and whether it was
 * quarantined by it.
 */
export function recordVote(
  store: KnowledgeStore,
  item: StoredItem,
  vote: Vote,
  now: number,
): { item: StoredItem; replaced: boolean; quarantined: boolean } {
  return store.transaction(() => {
    const { id } = item.record;
    const before = store.db
      .prepare("SELECT helpful FROM votes WHERE knowledge_id = ? AND session = ?")
      .get(id, vote.session) as { helpful: number } | undefined;
    store.db
      .prepare(
        `INSERT INTO votes (knowledge_id, session, voter, kind, helpful, note, at) VALUES (?, ?, ?, ?, ?, ?, ?)
         ON CONFLICT (knowledge_id, session) DO UPDATE SET voter = excluded.voter, kind = excluded.kind,
           helpful = excluded.helpful, note = excluded.note, at = excluded.at`,
      )
      .run(id, vote.session, vote.voter, vote.kind, vote.helpful ? 1 : 0, vote.note, now);

    const evaluation = item.record.eval;
    if (before) {
      if (before.helpful) evaluation.helpful = Math.max(0, evaluation.helpful - 1);
      else evaluation.harmful = Math.max(0, evaluation.harmful - 1);
    }
    const history = vote.helpful ? evaluation.helpful_history : evaluation.harmful_history;
    if (vote.helpful) evaluation.helpful += 1;
    else evaluation.harmful += 1;
    history.push(caseOf(vote, now));
    if (history.length > MAX_HISTORY) history.splice(0, history.length - MAX_HISTORY);

    const belief = currentBelief(store, item, now);
    const harmfulSince = countHarmfulSince(store, id, verifiedAt(item));
    const quarantined =
      item.record.status !== "quarantined" && harmfulSince >= QUARANTINE_VOTES && belief < QUARANTINE_BELIEF;
    if (quarantined) item.record.status = "quarantined";
    const updated = store.update(withBelief(item, belief), { now });
    return { item: updated, replaced: before !== undefined, quarantined };
  });
}

/** The Beta mean of an item: its attributed votes decayed by age, what came with the item (imports) undecayed. */
export function currentBelief(store: KnowledgeStore, item: StoredItem, now: number): number {
  const votes = store.db
    .prepare("SELECT helpful, at FROM votes WHERE knowledge_id = ?")
    .all(item.record.id) as unknown as VoteRow[];
  let helpful = 0;
  let harmful = 0;
  let ownHelpful = 0;
  for (const vote of votes) {
    const weight = 2 ** (-Math.max(0, now - vote.at) / DAY / VOTE_HALF_LIFE_DAYS);
    if (vote.helpful) {
      helpful += weight;
      ownHelpful += 1;
    } else harmful += weight;
  }
  const before = inherited(
    Math.max(0, item.record.eval.helpful - ownHelpful),
    Math.max(0, item.record.eval.harmful - (votes.length - ownHelpful)),
  );
  return betaMean(helpful + before.helpful, harmful + before.harmful);
}

/** Lets old votes fade: recomputes the belief of every item that was voted on. Run once a day. */
export function refreshBeliefs(store: KnowledgeStore, now: number): number {
  const ids = store.db.prepare("SELECT DISTINCT knowledge_id AS id FROM votes").all() as unknown as {
    id: string;
  }[];
  const set = store.db.prepare("UPDATE knowledge SET belief = ? WHERE row = ?");
  let changed = 0;
  store.transaction(() => {
    for (const { id } of ids) {
      const item = store.get(id);
      if (!item) continue;
      const belief = currentBelief(store, item, now);
      if (Math.abs(belief - item.belief) < 0.001) continue;
      set.run(belief, item.row);
      changed += 1;
    }
  });
  return changed;
}

function withBelief(item: StoredItem, belief: number): StoredItem {
  item.record.eval.confidence = belief;
  return { ...item, belief };
}

function caseOf(vote: Vote, now: number): FeedbackCase {
  return {
    task: vote.note || (vote.helpful ? "使用成功" : "使用失败"),
    outcome: vote.helpful ? "有效" : "无效",
    ...(!vote.helpful && { reason: vote.note || "未说明" }),
    timestamp: new Date(now).toISOString(),
    by: vote.kind,
    agent_id: vote.voter,
    session_key: vote.session,
  };
}

function countHarmfulSince(store: KnowledgeStore, id: string, since: number): number {
  const row = store.db
    .prepare("SELECT count(*) AS n FROM votes WHERE knowledge_id = ? AND helpful = 0 AND at > ?")
    .get(id, since);
  return (row as { n: number }).n;
}

/** When a human last verified an item, ms; 0 when never. */
export function verifiedAt(item: StoredItem): number {
  const value = item.record.verified_at;
  return typeof value === "string" ? Date.parse(value) || 0 : 0;
}
