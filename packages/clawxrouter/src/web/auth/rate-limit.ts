/** Wrong tokens: five are free, then each costs twice the wait of the one before. For all callers together. */

const FREE = 5;
const FIRST_WAIT_MS = 2_000;
const LONGEST_WAIT_MS = 5 * 60_000;
/** So long without a wrong one, and all is forgotten. */
const FORGET_MS = 15 * 60_000;

export class RateLimit {
  private failures = 0;
  private last = 0;
  private until = 0;
  private readonly now: () => number;

  /** @param now milliseconds of a clock that nobody sets: one set back would be a wait without an end */
  constructor(now: () => number = () => performance.now()) {
    this.now = now;
  }

  /** Milliseconds until the next try; 0 when it may be made now. */
  wait(): number {
    if (this.now() - this.last > FORGET_MS) this.failures = 0;
    return Math.max(0, this.until - this.now());
  }

  failed(): void {
    this.failures += 1;
    this.last = this.now();
    if (this.failures >= FREE)
      this.until = this.last + Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (this.failures - FREE));
  }

  succeeded(): void {
    this.failures = 0;
    this.until = 0;
  }
}
