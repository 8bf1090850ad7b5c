import type { Failure } from "./http.ts";

/** First pause after a failure, ms; doubled by each further one. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 300_000;

/**
 * Keeps turns from waiting for a dead server: one timeout or refused connection opens it, and while it is open no turn
 * asks the server at all. Only the background worker does, when the pause is over ({@link mayProbe}), so that the
 * price of finding out is never paid by a turn.
 */
export class Breaker {
  #openUntil = 0;
  #pause = FIRST_PAUSE;
  #open = false;
  #reason: Failure | undefined;
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Whether a turn may ask the server. */
  get closed(): boolean {
    return !this.#open;
  }

  /** Why it is open. */
  get reason(): Failure | undefined {
    return this.#reason;
  }

  /** When the background may ask again, ms since the epoch. */
  get probeAt(): number {
    return this.#openUntil;
  }

  /** Whether the background may ask now. */
  mayProbe(): boolean {
    return !this.#open || this.#now() >= this.#openUntil;
  }

  succeeded(): void {
    this.#open = false;
    this.#pause = FIRST_PAUSE;
    this.#reason = undefined;
  }

  /** Counts a failure when it says that the server is in trouble; a refusal of one request does not. */
  failed(failure: Failure): void {
    if (failure.kind === "missing" || failure.kind === "refused" || failure.kind === "aborted") return;
    const pause = Math.max(this.#pause, failure.retryAfterMs ?? 0);
    this.#open = true;
    this.#reason = failure;
    this.#openUntil = this.#now() + pause;
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}
