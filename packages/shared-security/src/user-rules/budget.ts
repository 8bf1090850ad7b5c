/** CPU time that locating the user's patterns may take in a text of up to 100,000 code units, in ms. */
const BUDGET_MS = 30;
const BUDGET_LENGTH = 100_000;

/**
 * What may be spent on one text. Each search of RE2 is linear in the text, but as many searches as there are matches
 * are not: `([a-z]+ )*x` looks at all of `xxxx…` again for every `x`.
 */
export class Budget {
  readonly #limitMs: number;
  readonly #started = performance.now();
  readonly #cpuStarted = process.threadCpuUsage();
  #spent = false;

  constructor(length: number) {
    this.#limitMs = BUDGET_MS * Math.max(1, length / BUDGET_LENGTH);
  }

  /** Once true it stays so. The clock is cheap to ask; CPU time decides, for a pause of the machine is not the pattern's. */
  isSpent(): boolean {
    if (this.#spent || performance.now() - this.#started <= this.#limitMs) return this.#spent;
    const { user, system } = process.threadCpuUsage(this.#cpuStarted);
    this.#spent = (user + system) / 1e3 > this.#limitMs;
    return this.#spent;
  }
}
