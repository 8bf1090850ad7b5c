import type { DatabaseSync } from "node:sqlite";
import { HttpError, type WireAnswer } from "./wire.ts";

/**
 * Answers by idempotency key, so that a request sent again (the answer was lost, the client was killed) is answered again and
 * not done again. Kept for 30 days (store/upkeep.ts), as a client's outbox may wait for days.
 *
 * @see draft-ietf-httpapi-idempotency-key-header
 */
export class AnswerLog {
  readonly #db: DatabaseSync;

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** @throws HttpError 422 when the key was used for another request */
  find(key: string | undefined, request: string): WireAnswer | undefined {
    if (!key) return undefined;
    if (key.length > 200) throw new HttpError(422, "the idempotency key is too long");
    const row = this.#db.prepare("SELECT request, status, body FROM answers WHERE key = ?").get(key) as
      | { request: string; status: number; body: string }
      | undefined;
    if (!row) return undefined;
    if (row.request !== request)
      throw new HttpError(422, "this idempotency key was used for another request");
    return { status: row.status, body: JSON.parse(row.body) as unknown };
  }

  keep(key: string | undefined, request: string, answer: WireAnswer, now: number): void {
    if (!key) return;
    this.#db
      .prepare("INSERT OR IGNORE INTO answers (key, request, status, body, at) VALUES (?, ?, ?, ?, ?)")
      .run(key, request, answer.status, JSON.stringify(answer.body), now);
  }
}
