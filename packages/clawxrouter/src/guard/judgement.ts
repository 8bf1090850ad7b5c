/** Whether a request is one to a model, and whether what it says may leave. */
import { setImmediate } from "node:timers/promises";

export interface JudgementDeps {
  isLocalOrigin: (origin: string) => boolean;
  isModelOrigin: (origin: string) => boolean;
  findPrivate: (text: string) => string | undefined;
}

/** Endpoints of the model protocols by their names alone, on whatever host. */
const MODEL_PATH =
  /\/(?:chat\/completions|embeddings)(?:[/?]|$)|\/api\/(?:chat|generate|embed)(?:[/?]|$)|:(?:stream)?generateContent|:(?:batch)?embedContents?/i;
/** Names that others have as well: Discord and WhatsApp deliver replies to `/messages`. The body must be a model's. */
const SHARED_PATH = /\/(?:completions|responses|messages|embed|generate)(?:[/?]|$)/i;
const MODEL_BODY = /"model"\s*:/;
/** What an address may hold that is private and belongs there: the provider's key. */
const CREDENTIALS = /([?&](?:key|api[-_]?key|access[-_]?token|token)=)[^&#]*/gi;
const UNCHECKED = "it could not be checked";

/** Judges one request. Never throws: what cannot be judged does not leave. */
export class Judgement {
  /** Judged without a break, in bytes: the event loop waits. */
  static readonly AT_ONCE = 256 * 1024;
  /** Searched at once, and how much of it again with what follows, in UTF-16 units. */
  static readonly #WINDOW = 256 * 1024;
  static readonly #OVERLAP = 16 * 1024;

  readonly origin: string;
  readonly #path: string;
  /** The host is a provider's, or the path is of a model protocol: the body need not say so. */
  readonly #certain: boolean;
  readonly #find: (text: string) => string | undefined;

  private constructor(origin: string, path: string, certain: boolean, find: JudgementDeps["findPrivate"]) {
    this.origin = origin;
    this.#path = path;
    this.#certain = certain;
    this.#find = find;
  }

  /** Undefined for a request that is nobody's concern. */
  static of(origin: string, path: string, deps: JudgementDeps): Judgement | undefined {
    // An HTTP proxy is asked for the whole address; a name may end with the dot of the root.
    const at = withoutRootDot(/^https?:\/\//i.test(path) ? originOf(path) : originOf(origin));
    if (asks(() => deps.isLocalOrigin(at), false)) return undefined;
    const certain = asks(() => deps.isModelOrigin(at), true) || MODEL_PATH.test(path);
    if (!certain && !SHARED_PATH.test(path)) return undefined;
    return new Judgement(at, path, certain, deps.findPrivate);
  }

  /** Why the address may not be asked for. */
  path(): string | undefined {
    if (!this.#certain) return undefined;
    const told = this.#path.replace(CREDENTIALS, "$1");
    return this.#judge(told) ?? this.#judge(decoded(told));
  }

  /** Why a body may not leave; undefined text could not be read. */
  body(text: string | undefined): string | undefined {
    if (text === undefined) return this.#certain ? UNCHECKED : undefined;
    return this.#concerns(text) ? this.#judge(text) : undefined;
  }

  /** As {@link body}, for one that is long. */
  async inTurns(text: string | undefined): Promise<string | undefined> {
    if (text === undefined || text.length <= Judgement.#WINDOW) return this.body(text);
    if (!this.#concerns(text)) return undefined;
    for (let at = 0; at < text.length; at += Judgement.#WINDOW) {
      const reason = this.#judge(text.slice(at, at + Judgement.#WINDOW + Judgement.#OVERLAP));
      if (reason !== undefined) return reason;
      await setImmediate();
    }
    return undefined;
  }

  #concerns(text: string): boolean {
    return this.#certain || MODEL_BODY.test(text);
  }

  /** A detector that fails must not open the door. */
  #judge(text: string): string | undefined {
    try {
      return this.#find(text);
    } catch {
      return UNCHECKED;
    }
  }
}

function asks(question: () => boolean, otherwise: boolean): boolean {
  try {
    return question();
  } catch {
    return otherwise;
  }
}

function originOf(address: string): string {
  return URL.canParse(address) ? new URL(address).origin : address;
}

function withoutRootDot(origin: string): string {
  return origin.replace(/\.(?=:\d+$|$)/, "");
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path.replaceAll("+", " "));
  } catch {
    return path;
  }
}
