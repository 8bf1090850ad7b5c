import { deliver, localIdPath } from "../outbox/delivery.ts";
import type { Job, Outbox } from "../outbox/outbox.ts";
import { derivedKnowledgeId } from "../record/id.ts";
import { parseRecords, recordSchema, type SaveInput, searchReplySchema } from "../record/schema.ts";
import { compare } from "../relations/compare.ts";
import type { Breaker } from "../remote/breaker.ts";
import type { Failure, HttpClient } from "../remote/http.ts";
import type { Screener } from "../safety/screen.ts";
import type { ItemFilter, KnowledgeStore } from "../store/knowledge-store.ts";
import { pseudonymOf } from "../store/pseudonym.ts";
import { contentHash } from "../store/rows.ts";
import type {
  Actor,
  FeedbackOutcome,
  FeedbackRequest,
  FoundItem,
  KnowledgeBackend,
  Neighbour,
  Notice,
  SaveOutcome,
  SearchOutcome,
  SearchRequest,
} from "./backend.ts";
import { Copies } from "./copies.ts";
import { recordOf } from "./record-of.ts";
import {
  noSuchItem,
  notAServer,
  offline,
  refused,
  saveBody,
  secretsRemoved,
  withoutSecret,
  withoutSecrets,
} from "./remote-words.ts";

export interface RemoteOptions {
  client: HttpClient;
  breaker: Breaker;
  outbox: Outbox;
  /** Holds copies of the server's items, under the server's base URL. */
  store: KnowledgeStore;
  screener: Screener;
  submittedBy: string;
  deadlineMs: number;
  log: (message: string) => void;
  /** Tells the background worker that there is something to do. */
  wake: () => void;
  now?: () => number;
}

/** Most results of one reply that are looked at. */
const MAX_RESULTS = 50;

/**
 * A KnowHub server as the knowledge base. The server may be slow or gone: a search waits for it at most the deadline and
 * then answers from copies, what is written goes through the outbox first.
 */
export class RemoteBackend implements KnowledgeBackend {
  readonly #o: RemoteOptions;
  readonly #now: () => number;
  readonly #copies: Copies;

  constructor(options: RemoteOptions) {
    this.#o = options;
    this.#now = options.now ?? Date.now;
    this.#copies = new Copies({
      store: options.store,
      origin: options.client.baseUrl,
      log: options.log,
      now: this.#now,
    });
  }

  async search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome> {
    const reply = await this.#ask(
      {
        method: "GET",
        path: "/api/knowledge/search",
        query: {
          q: withoutSecret(request.query).text,
          top_k: request.topK,
          min_score: request.minScore,
          types: request.types?.join(","),
          owner: request.owners?.join(","),
        },
      },
      signal,
    );
    // No server that knows the contract has no search: the address is wrong.
    if (!reply.ok && reply.kind === "missing")
      return this.#fromCopies(request, notAServer(this.#o.client.baseUrl));
    if (!reply.ok) return this.#fromCopies(request, reply);
    const parsed = searchReplySchema.safeParse(reply.body);
    if (!parsed.success) return this.#fromCopies(request, notAServer(this.#o.client.baseUrl));
    // A server that sends more than was asked for must not keep this process busy.
    const { records, rejected } = parseRecords(parsed.data.results.slice(0, MAX_RESULTS));
    if (rejected > 0)
      this.#o.log(
        `${rejected} results of ${this.#o.client.baseUrl} were not knowledge records and were left out`,
      );
    this.#copies.keep(records);
    return this.#show(
      records.map((record) => ({ record, trust: "remote" })),
      request.topK,
      [],
    );
  }

  async read(id: string, signal?: AbortSignal): Promise<SearchOutcome | undefined> {
    const remoteId = this.#o.outbox.remoteId(id) ?? id;
    const reply = await this.#ask(
      { method: "GET", path: `/api/knowledge/${encodeURIComponent(remoteId)}` },
      signal,
    );
    if (reply.ok) {
      const record = recordSchema.safeParse(reply.body);
      if (!record.success) return undefined;
      this.#copies.keep([record.data]);
      return this.#show([{ record: record.data, trust: "remote" }], 1, []);
    }
    if (reply.kind === "missing") return undefined;
    const copy = this.#o.store.get(remoteId);
    if (copy?.origin !== this.#o.client.baseUrl) return undefined;
    return this.#show([this.#copies.stale(copy)], 1, [offline(reply)]);
  }

  async save(given: SaveInput, actor: Actor, signal?: AbortSignal): Promise<SaveOutcome> {
    const { outbox, client, submittedBy } = this.#o;
    const { input, notices } = withoutSecrets(given);
    const now = this.#now();
    // A model that repeats a call, e.g. after its connection broke, must not save twice.
    const seed = `${client.baseUrl}\n${actor.session}\n${contentHash(input.task, input.content)}`;
    const localId = derivedKnowledgeId(new Date(now), seed);
    const there = outbox.remoteId(localId);
    if (there) return { id: there, state: "merged", neighbours: [], notices };
    if (outbox.carrying(localId)?.state === "waiting")
      return { id: localId, state: "queued", neighbours: [], notices };
    const record = recordOf(input, localId, actor, submittedBy, new Date(now));
    const job = outbox.add(
      {
        origin: client.baseUrl,
        kind: "save",
        method: "POST",
        path: "/api/knowledge",
        body: saveBody(record),
        localId,
      },
      now,
    );
    const neighbours = this.#neighbours(input);
    const attempt = await this.#deliverNow(job, signal);
    if (attempt?.state === "delivered")
      return { id: attempt.remoteId ?? localId, state: "pending", neighbours, notices };
    if (attempt?.state === "refused") throw refused(attempt.failure);
    return { id: localId, state: "queued", neighbours, notices: [...notices, ...this.#why(attempt)] };
  }

  async feedback(request: FeedbackRequest, actor: Actor, signal?: AbortSignal): Promise<FeedbackOutcome> {
    const { outbox, client } = this.#o;
    const at = new Date(this.#now()).toISOString();
    const cleaned = withoutSecret(request.feedback ?? "");
    const note = cleaned.text.slice(0, 2_000);
    const notices = cleaned.removed > 0 ? [secretsRemoved(cleaned.removed)] : [];
    const session = pseudonymOf(actor.session, this.#o.store.db);
    const by = { timestamp: at, by: actor.kind, agent_id: actor.agentId, session_key: session };
    const body = request.helpful
      ? { add_helpful_case: { task: note || "使用成功", outcome: "有效", ...by } }
      : { add_harmful_case: { task: note || "使用失败", outcome: "无效", reason: note || "未说明", ...by } };
    const remoteId = outbox.remoteId(request.id);
    const pending = !remoteId && outbox.carrying(request.id);
    const path = pending
      ? localIdPath(request.id)
      : `/api/knowledge/${encodeURIComponent(remoteId ?? request.id)}`;
    const job = outbox.add(
      {
        origin: client.baseUrl,
        kind: "feedback",
        method: "PUT",
        path,
        body: JSON.stringify(body),
        localId: undefined,
      },
      this.#now(),
    );
    const attempt = pending ? undefined : await this.#deliverNow(job, signal);
    if (attempt?.state === "delivered") {
      const record = recordSchema.safeParse(attempt.body);
      return {
        state: "recorded",
        record: record.success ? record.data : undefined,
        quarantined: false,
        notices,
      };
    }
    if (attempt?.state === "refused") {
      // Nothing a person could mend later: the outbox need not keep it.
      outbox.drop(job.seq);
      throw attempt.failure.kind === "missing" ? noSuchItem(request.id) : refused(attempt.failure);
    }
    this.#o.wake();
    return { state: "queued", quarantined: false, notices: [...notices, ...this.#why(attempt)] };
  }

  /** Asks the server unless it is known to be dead. */
  async #ask(
    options: { method: "GET"; path: string; query?: Record<string, string | number | undefined> },
    signal?: AbortSignal,
  ) {
    const { client, breaker, deadlineMs } = this.#o;
    if (!breaker.closed) return breaker.reason ?? notAServer(client.baseUrl);
    const reply = await client.request({ ...options, deadlineMs, signal });
    if (reply.ok) breaker.succeeded();
    else {
      breaker.failed(reply);
      if (!breaker.closed) this.#o.wake();
    }
    return reply;
  }

  /** First attempt, while the turn waits; later ones are the worker's. */
  async #deliverNow(job: Job, signal?: AbortSignal) {
    const { outbox, client, breaker, deadlineMs, wake } = this.#o;
    if (!breaker.closed) {
      wake();
      return undefined;
    }
    const attempt = await deliver(job, { outbox, client, breaker, deadlineMs, now: this.#now, signal });
    if (attempt.state !== "delivered") wake();
    return attempt;
  }

  #why(attempt: { state: string; failure?: Failure } | undefined): Notice[] {
    const failure = attempt?.failure ?? this.#o.breaker.reason;
    return failure ? [failure.notice] : [];
  }

  #fromCopies(request: SearchRequest, failure: Failure): SearchOutcome {
    if (failure.kind === "refused" || failure.kind === "missing") throw refused(failure);
    const filter: ItemFilter = {
      origin: this.#o.client.baseUrl,
      minScore: request.minScore,
      types: request.types,
      owners: request.owners,
    };
    const hits = this.#o.store.search(request.query, request.topK + 10, filter, this.#now());
    return this.#show(
      hits.map(({ item }) => this.#copies.stale(item)),
      request.topK,
      [offline(failure)],
    );
  }

  #show(found: readonly FoundItem[], limit: number, notices: Notice[]): SearchOutcome {
    const items: FoundItem[] = [];
    const dropped: SearchOutcome["dropped"] = [];
    for (const item of found) {
      if (items.length === limit) break;
      const suspicion = this.#o.screener.check(item.record);
      if (!suspicion) {
        items.push(item);
        continue;
      }
      dropped.push({ id: item.record.id, reason: suspicion.reason });
      this.#o.log(
        `left out ${item.record.id}: ${suspicion.reason}; see it with: openclaw knowhub show ${item.record.id}`,
      );
    }
    return { items, dropped, notices };
  }

  #neighbours(input: SaveInput): Neighbour[] {
    const { store, client } = this.#o;
    const near = store.search(
      `${input.task} ${input.content.slice(0, 400)}`,
      10,
      { origin: client.baseUrl },
      this.#now(),
    );
    return near
      .filter(({ item }) => !this.#o.screener.check(item.record))
      .map(({ item }) => ({ record: item.record, ...compare(input, item.record) }))
      .flatMap(({ relation, record, similarity }) =>
        relation === "unrelated" ? [] : [{ record, relation, similarity }],
      )
      .sort((a, b) => b.similarity - a.similarity)
      .slice(0, 3);
  }
}
