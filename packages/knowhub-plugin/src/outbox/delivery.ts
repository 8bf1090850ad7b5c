import { ID_PATTERN } from "../record/schema.ts";
import type { Breaker } from "../remote/breaker.ts";
import type { Failure, HttpClient } from "../remote/http.ts";
import { backoff, type Job, type Outbox } from "./outbox.ts";

/** What became of one attempt. */
export type Attempt =
  | { state: "delivered"; body: unknown; remoteId?: string }
  /** Kept, tried again later. */
  | { state: "waiting"; failure: Failure }
  /** Kept for a person, not tried again. */
  | { state: "refused"; failure: Failure }
  /** Another process is at it. */
  | { state: "taken" };

/** Stands in a path for the server's ID of an item that had only a local ID when the job was made. */
export function localIdPath(localId: string): string {
  return `/api/knowledge/{${localId}}`;
}

/** Sends one job to its server and records the outcome. */
export async function deliver(
  job: Job,
  to: {
    outbox: Outbox;
    client: HttpClient;
    breaker: Breaker;
    deadlineMs: number;
    now: () => number;
    signal?: AbortSignal;
  },
): Promise<Attempt> {
  const { outbox, client, breaker, now } = to;
  if (!outbox.lease(job.seq, now())) return { state: "taken" };
  const path = resolvePath(job, outbox);
  if (typeof path !== "string") {
    const failure: Failure = { ok: false, kind: path.refused ? "refused" : "down", notice: path.notice };
    if (path.refused) outbox.refuse(job, path.notice.en);
    else outbox.postpone(job, path.notice.en, now() + backoff(job.attempts));
    return { state: path.refused ? "refused" : "waiting", failure };
  }
  const reply = await client.request({
    method: job.method,
    path,
    body: job.body,
    idempotencyKey: job.key,
    deadlineMs: to.deadlineMs,
    signal: to.signal,
  });
  if (reply.ok) {
    breaker.succeeded();
    const remoteId = idOf(reply.body);
    outbox.delivered(job, remoteId, now());
    return { state: "delivered", body: reply.body, remoteId };
  }
  breaker.failed(reply);
  if (reply.kind === "refused" || reply.kind === "missing") {
    outbox.refuse(job, reply.notice.en);
    return { state: "refused", failure: reply };
  }
  outbox.postpone(job, reply.notice.en, now() + Math.max(backoff(job.attempts), reply.retryAfterMs ?? 0));
  return { state: "waiting", failure: reply };
}

function resolvePath(
  job: Job,
  outbox: Outbox,
): string | { refused: boolean; notice: { zh: string; en: string } } {
  const local = /\{([^}]+)\}/.exec(job.path);
  const localId = local?.[1];
  if (!local || localId === undefined) return job.path;
  const remote = outbox.remoteId(localId);
  if (remote) return job.path.replace(local[0], encodeURIComponent(remote));
  const carrier = outbox.carrying(localId);
  if (carrier?.state === "waiting") {
    return {
      refused: false,
      notice: { zh: `等待 ${localId} 先提交`, en: `waits for ${localId} to be sent first` },
    };
  }
  return {
    refused: true,
    notice: { zh: `服务器没有接受 ${localId}`, en: `the server did not take ${localId}` },
  };
}

function idOf(body: unknown): string | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  const { id, knowledge_id } = body as { id?: unknown; knowledge_id?: unknown };
  const value = id ?? knowledge_id;
  // It is shown to a model and put into paths: what is no ID is none.
  return typeof value === "string" && ID_PATTERN.test(value) ? value : undefined;
}
