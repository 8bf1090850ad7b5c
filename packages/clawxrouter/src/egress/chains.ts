/**
 * Answers that a later request goes on from (`previous_response_id` of OpenAI Responses): the texts before are kept by the
 * provider, so the request itself says nothing of the placeholders that its answer may hold.
 * @see https://platform.openai.com/docs/guides/conversation-state
 */

interface Link {
  session: string | undefined;
  tokens: ReadonlySet<string>;
}

export class Chains {
  readonly #links = new Map<string, Link>();
  readonly #capacity: number;

  /** @param capacity most answers remembered; the oldest go first */
  constructor(capacity = 5_000) {
    this.#capacity = capacity;
  }

  /**
   * Remembers what may be restored in what follows an answer.
   * @param id the answer's id, as the provider gave it
   * @param tokens placeholders put in for what its request, and those before it, said in clear
   */
  learn(provider: string, id: string, session: string | undefined, tokens: ReadonlySet<string>): void {
    if (tokens.size === 0) return;
    const key = keyOf(provider, id);
    this.#links.delete(key);
    this.#links.set(key, { session, tokens });
    if (this.#links.size <= this.#capacity) return;
    const oldest = this.#links.keys().next();
    if (!oldest.done) this.#links.delete(oldest.value);
  }

  /** What a request that goes on from an answer may have restored: nothing when it comes from another conversation. */
  tokens(provider: string, id: string, session: string | undefined): ReadonlySet<string> {
    const link = this.#links.get(keyOf(provider, id));
    return link !== undefined && link.session === session ? link.tokens : NONE;
  }
}

const NONE: ReadonlySet<string> = new Set();

function keyOf(provider: string, id: string): string {
  return `${provider}\n${id}`;
}
