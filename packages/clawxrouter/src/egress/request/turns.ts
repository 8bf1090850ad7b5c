import { setImmediate } from "node:timers/promises";

/** Longest stretch of work before others get their turn, in milliseconds. */
const STRETCH_MS = 8;

/** Gives the event loop its turn whenever a stretch of work has become too long. */
export class Turns {
  #since = performance.now();

  /** True when it is time to pause. */
  due(): boolean {
    return performance.now() - this.#since > STRETCH_MS;
  }

  /** Lets everything that waits run, when it is time. */
  async pause(): Promise<void> {
    if (!this.due()) return;
    await setImmediate();
    this.#since = performance.now();
  }
}
