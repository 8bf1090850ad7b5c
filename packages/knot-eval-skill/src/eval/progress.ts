import type { Console } from "../cli/console.ts";
import { writeJson } from "../files/atomic.ts";

/** What `progress.json` holds, for an agent or a script that waits for a run. */
export interface ProgressState {
  stage: string;
  total: number;
  done: number;
  reused: number;
  counts: Record<string, number>;
  started_at: string;
  updated_at: string;
  eta_seconds: number | null;
  finished: boolean;
}

const BAR_WIDTH = 28;

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)}s`;
  return `${Math.floor(seconds / 60)}m${String(Math.round(seconds % 60)).padStart(2, "0")}s`;
}

/** A bar on a terminal; plain lines (at most one in two seconds) and progress.json everywhere. */
export class Progress {
  readonly #console: Console;
  readonly #file: string | undefined;
  readonly #state: ProgressState;
  readonly #started = performance.now();
  #lastLine = 0;
  #lastFile = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(stage: string, total: number, console: Console, file?: string, reused = 0) {
    this.#console = console;
    this.#file = file;
    const now = new Date().toISOString();
    this.#state = {
      stage,
      total,
      done: 0,
      reused,
      counts: {},
      started_at: now,
      updated_at: now,
      eta_seconds: null,
      finished: false,
    };
  }

  /** Counts one finished item under a label (PASS, FAIL, ERROR ...). */
  step(label: string): void {
    const state = this.#state;
    state.done += 1;
    state.counts[label] = (state.counts[label] ?? 0) + 1;
    const seconds = (performance.now() - this.#started) / 1000;
    state.eta_seconds = Math.round((seconds / state.done) * (state.total - state.done));
    this.#show(state.done === state.total);
  }

  /** Last line and last state; waits for progress.json. */
  async finish(): Promise<void> {
    this.#state.finished = true;
    this.#state.eta_seconds = 0;
    if (this.#console.redraw && this.#state.total > 0) this.#console.note("");
    this.#save(true);
    await this.#writing;
  }

  #line(): string {
    const { stage, total, done, counts, eta_seconds: eta, reused } = this.#state;
    const share = total === 0 ? 1 : done / total;
    const filled = Math.round(share * BAR_WIDTH);
    const tally = Object.entries(counts)
      .map(([label, n]) => `${label} ${n}`)
      .join(" ");
    const kept = reused > 0 ? ` (+${reused} kept)` : "";
    return `${stage} [${"#".repeat(filled)}${".".repeat(BAR_WIDTH - filled)}] ${done}/${total}${kept} ${tally}${eta === null || done === total ? "" : ` eta ${duration(eta)}`}`;
  }

  #show(last: boolean): void {
    const now = performance.now();
    if (this.#console.redraw) {
      if (last || now - this.#lastLine > 80) {
        this.#console.redraw(this.#line());
        this.#lastLine = now;
      }
    } else if (last || now - this.#lastLine > 2_000) {
      this.#console.note(this.#line());
      this.#lastLine = now;
    }
    this.#save(last);
  }

  #save(force: boolean): void {
    const now = performance.now();
    if (!this.#file || (!force && now - this.#lastFile < 500)) return;
    this.#lastFile = now;
    this.#state.updated_at = new Date().toISOString();
    const file = this.#file;
    const snapshot = structuredClone(this.#state);
    // Progress is a convenience: a full disk must not end the run here.
    this.#writing = this.#writing.then(() => writeJson(file, snapshot)).catch(() => undefined);
  }
}
