/** What keeps a slow or broken local model from becoming everybody's problem. */

/** At most `limit` tasks at a time; the others wait in order. */
export class Limiter {
  private readonly limit: number;
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  constructor(limit: number) {
    this.limit = limit;
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await task();
    } finally {
      // The place goes to the next one waiting without being free in between.
      const next = this.waiting.shift();
      if (next === undefined) this.running--;
      else next();
    }
  }
}

/** After `failures` in a row nobody is asked for `cooldownMs`; then one task may try. */
export class CircuitBreaker {
  private readonly failures: number;
  private readonly cooldownMs: number;
  private readonly now: () => number;
  private failed = 0;
  private openUntil = 0;
  private probing = false;

  constructor(failures: number, cooldownMs: number, now: () => number = () => performance.now()) {
    this.failures = failures;
    this.cooldownMs = cooldownMs;
    this.now = now;
  }

  /** Whether a task may run now. A true answer after the cool-down is given to one task only. */
  allows(): boolean {
    if (this.failed < this.failures) return true;
    if (this.now() < this.openUntil || this.probing) return false;
    this.probing = true;
    return true;
  }

  succeeded(): void {
    this.failed = 0;
    this.probing = false;
  }

  fail(): void {
    this.failed++;
    this.probing = false;
    if (this.failed >= this.failures) this.openUntil = this.now() + this.cooldownMs;
  }

  isOpen(): boolean {
    return this.failed >= this.failures && this.now() < this.openUntil;
  }
}

/** Least-recently-used map. */
export class LruCache<V> {
  private readonly max: number;
  private readonly map = new Map<string, V>();
  constructor(max: number) {
    this.max = max;
  }

  get(key: string): V | undefined {
    const value = this.map.get(key);
    if (value !== undefined) {
      this.map.delete(key);
      this.map.set(key, value);
    }
    return value;
  }

  set(key: string, value: V): void {
    if (this.max === 0) return;
    this.map.delete(key);
    this.map.set(key, value);
    if (this.map.size > this.max) {
      const oldest = this.map.keys().next().value;
      if (oldest !== undefined) this.map.delete(oldest);
    }
  }

  get size(): number {
    return this.map.size;
  }
}
