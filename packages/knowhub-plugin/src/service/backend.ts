import type { KnowledgeRecord, SaveInput } from "../record/schema.ts";
import type { Relation } from "../relations/compare.ts";

export interface SearchRequest {
  query: string;
  topK: number;
  minScore: number;
  /** All of these. */
  types?: string[];
  /** Any of these. */
  owners?: string[];
}

/** An item found, with what the reader should know about it. */
export interface FoundItem {
  record: KnowledgeRecord;
  trust: string;
  /** Set when the item comes from the local copy of a server that is down: how old the copy is, in ms. */
  staleMs?: number;
}

export interface SearchOutcome {
  items: FoundItem[];
  /** Items left out because they look like an attack. */
  dropped: { id: string; reason: string }[];
  /** Things to tell the user: server down, read-only folder … */
  notices: Notice[];
}

/** A short message with the same content in both languages. */
export interface Notice {
  zh: string;
  en: string;
}

/** An item there already that is near to a new one. */
export interface Neighbour {
  record: KnowledgeRecord;
  relation: Exclude<Relation, "unrelated">;
  similarity: number;
}

export interface SaveOutcome {
  id: string;
  /**
   * - `saved`: in the embedded store
   * - `merged`: an item that says the same was there, it was kept
   * - `pending`: the server has it and waits for its own check
   * - `queued`: in the outbox, the server does not answer
   */
  state: "saved" | "merged" | "pending" | "queued";
  neighbours: Neighbour[];
  notices: Notice[];
}

export interface FeedbackRequest {
  id: string;
  helpful: boolean;
  feedback?: string;
}

export interface FeedbackOutcome {
  state: "recorded" | "replaced" | "queued";
  /** The item after the vote, when known. */
  record?: KnowledgeRecord;
  quarantined: boolean;
  notices: Notice[];
}

/** Who acts: the agent and session a tool call comes from, or a person at the command line. */
export interface Actor {
  kind: "agent" | "human" | "outcome";
  agentId: string;
  session: string;
  messageId?: string;
}

/** What the tools need from a knowledge base, wherever it is. */
export interface KnowledgeBackend {
  search(request: SearchRequest, signal?: AbortSignal): Promise<SearchOutcome>;
  save(input: SaveInput, actor: Actor, signal?: AbortSignal): Promise<SaveOutcome>;
  feedback(request: FeedbackRequest, actor: Actor, signal?: AbortSignal): Promise<FeedbackOutcome>;
  /** The item with an ID, screened like a search result; undefined when there is none. */
  read(id: string, signal?: AbortSignal): Promise<SearchOutcome | undefined>;
}

/** A request cannot be done; the message is for the user, in both languages. */
export class KnowledgeError extends Error {
  readonly notice: Notice;
  constructor(notice: Notice, options?: ErrorOptions) {
    super(notice.en, options);
    this.name = "KnowledgeError";
    this.notice = notice;
  }
}

/**
 * The message for the user that an error carries, if it is a {@link KnowledgeError}. Not by `instanceof`: the host loads two copies
 * of this code into a process, and the error may come from the other one.
 */
export function noticeOf(error: unknown): Notice | undefined {
  const notice =
    error instanceof Error && error.name === "KnowledgeError" ? (error as KnowledgeError).notice : undefined;
  return typeof notice?.zh === "string" && typeof notice.en === "string" ? notice : undefined;
}
