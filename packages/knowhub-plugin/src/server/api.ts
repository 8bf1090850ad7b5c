import { z } from "zod";
import { caseSchema, saveInputSchema, updateSchema } from "../record/schema.ts";
import type { EmbeddedBackend } from "../service/embedded.ts";
import { type Curator, WIRE } from "../store/curate.ts";
import type { KnowledgeStore } from "../store/knowledge-store.ts";
import { AnswerLog } from "./answers.ts";
import { decimal, decode, each, fingerprint, list, missing, whole } from "./requests.ts";
import {
  batchUpdate,
  batchVerification,
  type ExtractRequest,
  extractSchema,
  ids,
  patchSchema,
  read,
  verification,
} from "./schemas.ts";
import { HttpError, type WireAnswer, type WireRequest } from "./wire.ts";

export interface WireApiOptions {
  backend: EmbeddedBackend;
  curator: Curator;
  /** Takes messages for extraction; see extraction/. */
  extract: (request: ExtractRequest) => Promise<{ extracted_count: number; knowledge_ids: string[] }>;
  now?: () => number;
}

/** The KnowHub wire contract over an embedded knowledge base. */
export class WireApi {
  readonly #o: WireApiOptions;
  readonly #store: KnowledgeStore;
  readonly #answers: AnswerLog;
  /** Requests with a key that are being worked on. */
  readonly #inFlight = new Map<string, Promise<WireAnswer>>();
  readonly #now: () => number;

  constructor(options: WireApiOptions) {
    this.#o = options;
    this.#store = options.backend.store;
    this.#now = options.now ?? Date.now;
    this.#answers = new AnswerLog(this.#store.db);
  }

  /** @throws HttpError for what the client did wrong */
  async handle(request: WireRequest): Promise<WireAnswer> {
    const { method, path } = request;
    const route = `${method} ${path.replace(/\/+$/, "")}`;
    switch (route) {
      case "GET /api/knowledge/search":
        return this.#search(request.query);
      case "GET /api/knowledge":
        return this.#list(request.query);
      case "POST /api/knowledge":
        return this.#once(request, () => this.#save(request.body));
      case "POST /api/extract":
        return this.#extract(request);
      case "POST /api/knowledge/batch_verify":
        return this.#once(request, () => this.#verifyMany(read(batchVerification, request.body)));
      case "POST /api/knowledge/batch_update":
        return this.#once(request, () => this.#updateMany(read(batchUpdate, request.body)));
      case "POST /api/knowledge/batch_delete":
        return this.#once(request, () =>
          this.#deleteMany(read(z.object({ knowledge_ids: ids }), request.body).knowledge_ids),
        );
      case "POST /api/knowledge/slim":
        return this.#onceSlowly(request, async () => ({
          status: 200,
          body: await this.#o.curator.slim(this.#now()),
        }));
    }
    const verify = /^POST \/api\/knowledge\/([^/]+)\/verify$/.exec(route);
    if (verify) {
      const id = decode(verify[1]);
      return this.#once(request, () => {
        this.#verify(id, read(verification, request.body ?? {}));
        return { status: 200, body: this.#item(id) };
      });
    }
    const one = /^(GET|PUT|PATCH|DELETE) \/api\/knowledge\/([^/]+)$/.exec(route);
    if (!one) throw new HttpError(404, `no such path: ${method} ${path}`);
    const id = decode(one[2]);
    switch (one[1]) {
      case "GET":
        return { status: 200, body: this.#item(id) };
      case "DELETE":
        return this.#once(request, () => {
          if (!this.#store.delete(id)) throw missing(id);
          return { status: 200, body: { status: "success", id } };
        });
      case "PATCH":
        return this.#once(request, () => {
          this.#o.curator.patch(this.#known(id), read(patchSchema, request.body), WIRE, this.#now());
          return { status: 200, body: this.#item(id) };
        });
      default:
        return this.#put(request, id);
    }
  }

  async #search(query: URLSearchParams): Promise<WireAnswer> {
    const q = query.get("q")?.trim() ?? "";
    if (!q) throw new HttpError(422, "q must not be empty");
    const { items } = await this.#o.backend.search({
      query: q.slice(0, 4_000),
      topK: whole(query, "top_k", 5, 1, 100),
      minScore: decimal(query, "min_score", 3, 0, 10),
      types: list(query, "types"),
      owners: list(query, "owner"),
    });
    return {
      status: 200,
      body: { results: items.map((item) => item.record), count: items.length, reranked: false },
    };
  }

  #list(query: URLSearchParams): WireAnswer {
    const page = whole(query, "page", 1, 1, 1_000_000);
    const size = whole(query, "page_size", 20, 1, 200);
    const { items, total } = this.#store.list(
      {
        origin: "",
        types: list(query, "types"),
        scopes: list(query, "scopes"),
        owners: list(query, "owner"),
        tags: list(query, "tags"),
        statuses: list(query, "status"),
      },
      page,
      size,
    );
    return {
      status: 200,
      body: {
        results: items.map((item) => item.record),
        count: items.length,
        total,
        page,
        page_size: size,
        total_pages: Math.ceil(total / size),
      },
    };
  }

  #save(body: unknown): WireAnswer {
    const input = read(saveInputSchema, body);
    const agentId = input.source?.agent_id || input.owner?.replace(/^agent:/, "") || "remote";
    const actor = { kind: "agent" as const, agentId, session: "wire" };
    const outcome = this.#o.backend.saveAs(input, actor, "wire");
    const neighbours = outcome.neighbours.map(({ record, relation, similarity }) => ({
      id: record.id,
      relation,
      similarity,
    }));
    return {
      status: 200,
      body: {
        id: outcome.id,
        knowledge_id: outcome.id,
        status: outcome.state === "merged" ? "merged" : "pending",
        neighbours,
      },
    };
  }

  async #put(request: WireRequest, id: string): Promise<WireAnswer> {
    const { evolve_feedback, ...update } = read(updateSchema, request.body);
    if (evolve_feedback === undefined) {
      return this.#once(request, () => {
        this.#update(id, update);
        return { status: 200, body: this.#item(id) };
      });
    }
    return this.#onceSlowly(request, async () => {
      const item = this.#known(id);
      this.#update(id, update);
      const evolution = await this.#o.curator.evolve(item.record.id, evolve_feedback, WIRE, this.#now());
      return { status: 200, body: { ...this.#item(id), evolution } };
    });
  }

  #update(id: string, update: z.infer<typeof updateSchema>): void {
    const vote = (given: z.infer<typeof caseSchema>, helpful: boolean) =>
      this.#o.curator.vote(this.#known(id), given, helpful, this.#now());
    if (update.add_helpful_case) vote(update.add_helpful_case, true);
    if (update.add_harmful_case) vote(update.add_harmful_case, false);
    if (update.update_score !== undefined)
      this.#o.curator.score(this.#known(id), update.update_score, this.#now());
  }

  #verify(id: string, { action, verified_by }: z.infer<typeof verification>): void {
    this.#o.curator.verify(this.#known(id), action, { name: verified_by, here: false }, this.#now());
  }

  #verifyMany({ knowledge_ids, ...how }: z.infer<typeof batchVerification>): WireAnswer {
    return each(knowledge_ids, (id) => this.#verify(id, how));
  }

  #updateMany({ updates = [], feedback_list = [] }: z.infer<typeof batchUpdate>): WireAnswer {
    const one = each(
      updates,
      ({ id, evolve_feedback, ...update }) => {
        this.#update(id, update);
        if (evolve_feedback)
          this.#o.curator.keepFeedback(this.#known(id), evolve_feedback, WIRE, this.#now());
      },
      (u) => u.id,
    );
    const two = each(
      feedback_list,
      ({ knowledge_id, is_effective, feedback }) => {
        const given = caseSchema.parse({ task: feedback, outcome: is_effective ? "有效" : "无效" });
        this.#update(knowledge_id, is_effective ? { add_helpful_case: given } : { add_harmful_case: given });
      },
      (f) => f.knowledge_id,
    );
    return {
      status: 200,
      body: {
        status: "success",
        updated: [...one.body.ids, ...two.body.ids],
        failed: [...one.body.failed, ...two.body.failed],
      },
    };
  }

  #deleteMany(knowledgeIds: string[]): WireAnswer {
    return each(knowledgeIds, (id) => {
      if (!this.#store.delete(id)) throw missing(id);
    });
  }

  async #extract(request: WireRequest): Promise<WireAnswer> {
    return this.#onceSlowly(request, async () => ({
      status: 200,
      body: await this.#o.extract(read(extractSchema, request.body)),
    }));
  }

  /** Like #once for work that takes time: the answer is remembered when it is there, a second request waits for the first. */
  async #onceSlowly(request: WireRequest, work: () => Promise<WireAnswer>): Promise<WireAnswer> {
    const { idempotencyKey: key } = request;
    if (!key) return work();
    const print = fingerprint(request);
    const known = this.#answers.find(key, print) ?? (await this.#inFlight.get(`${key} ${print}`));
    if (known) return known;
    const running = work().then((answer) => {
      this.#answers.keep(key, print, answer, this.#now());
      return answer;
    });
    this.#inFlight.set(`${key} ${print}`, running);
    try {
      return await running;
    } finally {
      this.#inFlight.delete(`${key} ${print}`);
    }
  }

  /** Does the work at most once for an idempotency key, in one transaction with remembering the answer. */
  #once(request: WireRequest, work: () => WireAnswer): WireAnswer {
    return this.#store.transaction(() => {
      const print = fingerprint(request);
      const known = this.#answers.find(request.idempotencyKey, print);
      if (known) return known;
      const answer = work();
      this.#answers.keep(request.idempotencyKey, print, answer, this.#now());
      return answer;
    });
  }

  #known(id: string) {
    const item = this.#store.get(id);
    if (item?.origin !== "") throw missing(id);
    return item;
  }

  #item(id: string): object {
    const { record, trust, revision } = this.#known(id);
    return { ...record, trust, revision };
  }
}
