/** Longest stretch of work before others get their turn, in milliseconds. */
const STRETCH_MS = 8;

/**
 * Of a thousand requests that come at once each may be quick: together they hold up everybody else. So there is one
 * queue for all that pauses, and one count of how long this turn of the event loop has been worked in.
 */
const waiting: Array<() => void> = [];
/** When work in this turn of the loop began; undefined when nobody has asked in it yet. */
let began: number | undefined;
let isDraining = false;

/** Gives the event loop its turn whenever a stretch of work has become too long. */
export class Turns {
  #since = performance.now();

  /** True when it is time to pause. */
  due(): boolean {
    const now = performance.now();
    if (began === undefined) begin(now);
    return now - this.#since > STRETCH_MS || now - (began ?? now) > STRETCH_MS;
  }

  /** Lets everything that waits run, when it is time. */
  async pause(): Promise<void> {
    if (this.due()) await this.yield();
  }

  /** Lets everything that waits run. */
  async yield(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.push(resolve);
    if (!isDraining) {
      isDraining = true;
      setImmediate(drain);
    }
    await promise;
    this.#since = performance.now();
  }
}

function begin(now: number): void {
  began = now;
  setImmediate(() => {
    began = undefined;
  });
}

/** Lets the first that waits go on, and the next ones as long as this turn of the loop is short. */
function drain(): void {
  const now = performance.now();
  begin(now);
  letNextGo(now);
}

function letNextGo(from: number): void {
  const next = waiting.shift();
  if (next === undefined || performance.now() - from > STRETCH_MS) {
    if (next !== undefined) waiting.unshift(next);
    isDraining = next !== undefined;
    if (isDraining) setImmediate(drain);
    return;
  }
  next();
  // A tick asked for in a microtask comes after all that the one let go does without waiting.
  queueMicrotask(() => process.nextTick(letNextGo, from));
}
