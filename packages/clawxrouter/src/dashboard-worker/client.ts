/** The gateway's side of the worker: asks, waits, starts it again when it has hung or died. */
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import type { Answered, Asked, JobInput, JobName, JobResult } from "./jobs.ts";

/** Longest wait for an answer; then the worker is ended and the question is answered with an error. */
const DEADLINE_MS = 15_000;
/** A pattern that takes longer than this to check is too slow to be used. */
const RULES_DEADLINE_MS = 4_000;
const MOST_WAITING = 200;

interface Waiting {
  resolve: (value: unknown) => void;
  reject: (error: Error) => void;
  timer: NodeJS.Timeout;
}

/** The worker did not answer. */
export class WorkerUnavailable extends Error {
  override readonly name = "WorkerUnavailable";
}

export class DashboardWorker {
  private readonly ledgerFile: string;
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private next = 1;

  private readonly running: (on: boolean) => void;
  private readonly generation: () => number;
  private opened = 0;

  /**
   * @param running told when the worker has begun and when it has ended: while it runs, it does the checkpoints
   * @param generation changes when the ledger's file was begun anew: the worker then opens it again
   */
  constructor(ledgerFile: string, running: (on: boolean) => void, generation: () => number = () => 0) {
    this.ledgerFile = ledgerFile;
    this.running = running;
    this.generation = generation;
  }

  /** @throws WorkerUnavailable when there is no answer in time */
  ask<J extends JobName>(job: J, input: JobInput<J>): Promise<JobResult<J>> {
    if (this.worker !== undefined && this.opened !== this.generation())
      this.fail(new WorkerUnavailable("the ledger was begun anew"));
    if (this.waiting.size >= MOST_WAITING)
      return Promise.reject(new WorkerUnavailable("too many questions are waiting"));
    const id = this.next++;
    return new Promise((resolve, reject) => {
      const deadline = job === "rules" ? RULES_DEADLINE_MS : DEADLINE_MS;
      const timer = setTimeout(
        () => this.fail(new WorkerUnavailable(`no answer to "${job}" within ${deadline} ms`)),
        deadline,
      );
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject, timer });
      const question: Asked = { id, job, input };
      try {
        this.start().postMessage(question);
      } catch (error) {
        this.fail(new WorkerUnavailable(error instanceof Error ? error.message : String(error)));
      }
    });
  }

  async stop(): Promise<void> {
    const { worker } = this;
    this.worker = undefined;
    if (worker !== undefined) this.running(false);
    this.rejectAll(new WorkerUnavailable("the gateway is stopping"));
    await worker?.terminate();
  }

  private start(): Worker {
    if (this.worker !== undefined) return this.worker;
    this.opened = this.generation();
    const worker = new Worker(entry(), {
      workerData: { ledgerFile: this.ledgerFile },
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // The gateway's own flags (a preload, an inspector) are not meant for this thread.
      execArgv: [],
      env: {},
    });
    worker.unref();
    worker.on("message", (answer: Answered) => this.settle(answer));
    worker.on("error", (error) => {
      if (this.worker === worker) this.fail(new WorkerUnavailable(error.message));
    });
    worker.on("exit", () => {
      if (this.worker === worker) this.fail(new WorkerUnavailable("the worker ended"));
    });
    this.worker = worker;
    this.running(true);
    return worker;
  }

  private settle(answer: Answered): void {
    const waiting = this.waiting.get(answer.id);
    if (waiting === undefined) return;
    this.waiting.delete(answer.id);
    clearTimeout(waiting.timer);
    if ("error" in answer) waiting.reject(new Error(answer.error));
    else waiting.resolve(answer.value);
  }

  private fail(error: Error): void {
    const { worker } = this;
    this.worker = undefined;
    if (worker !== undefined) this.running(false);
    void worker?.terminate();
    this.rejectAll(error);
  }

  private rejectAll(error: Error): void {
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.waiting.clear();
  }
}

/** Bundled, this module is in `dist/` and so is the worker; in the repository both are sources. */
function entry(): URL {
  const isSource = fileURLToPath(import.meta.url).endsWith(".ts");
  return new URL(isSource ? "./worker.ts" : "./dashboard-worker.js", import.meta.url);
}
