import type { Breaker } from "../remote/breaker.ts";
import type { HttpClient } from "../remote/http.ts";
import { deliver } from "./delivery.ts";
import { backoff, type Job, type Outbox } from "./outbox.ts";

export interface WorkerOptions {
  outbox: Outbox;
  /** The server to deliver to; none in embedded mode. */
  remote?: { client: HttpClient; breaker: Breaker };
  /** Does this process's own jobs (embedded extraction). Throws to be tried again later. */
  runLocal?: (job: Job, signal: AbortSignal) => Promise<void>;
  log: { info(message: string): void; warn(message: string): void };
  /**
   * Enters the asynchronous context the background work belongs to. A hook or tool call that wakes the worker has a context of
   * its own, which the host closes when the call is over: its model must not be asked from there.
   */
  scope?: <T>(work: () => T) => T;
  now?: () => number;
}

/** Nobody waits for a background delivery, but a lease must outlast it. */
const DELIVERY_DEADLINE = 10_000;
/** Longest wait for a delivery to end when the gateway stops. */
const STOP_MS = 3_000;
/** How often the worker looks when nothing is known to be due. */
const IDLE_MS = 30_000;
/** Local jobs that failed so often stay for a person. */
const MAX_LOCAL_ATTEMPTS = 12;

/** Empties the outbox in the background, one job at a time, oldest first, and finds out when a dead server is back. */
export class OutboxWorker {
  readonly #o: WorkerOptions;
  readonly #now: () => number;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #again = false;
  #stop = new AbortController();

  constructor(options: WorkerOptions) {
    this.#o = options;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    this.kick();
  }

  /** Looks at the queue now. */
  kick(): void {
    if (this.#stop.signal.aborted) return;
    this.#again = true;
    clearTimeout(this.#timer);
    const { scope = (work) => work() } = this.#o;
    scope(() => {
      this.#running ??= this.#run().finally(() => {
        this.#running = undefined;
        if (!this.#stop.signal.aborted) this.#schedule();
      });
    });
  }

  /** Ends the present delivery; it stays in the queue. */
  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    // A model that does not listen to its signal must not hold up the gateway's end; the job is leased and comes again.
    await Promise.race([this.#running, new Promise((resolve) => setTimeout(resolve, STOP_MS).unref())]);
  }

  #schedule(): void {
    const origins = ["", ...(this.#o.remote ? [this.#o.remote.client.baseUrl] : [])];
    let at = this.#now() + IDLE_MS;
    try {
      for (const origin of origins) {
        const next = this.#o.outbox.nextAt(origin);
        if (next !== undefined) at = Math.min(at, next);
      }
    } catch {
      // Locked, full or damaged: the next look says so. Nothing waits for this, and a gateway must not end of it.
    }
    const { remote } = this.#o;
    if (remote && !remote.breaker.closed) at = Math.min(at, remote.breaker.probeAt);
    this.#timer = setTimeout(() => this.kick(), Math.max(50, at - this.#now()));
    this.#timer.unref();
  }

  async #run(): Promise<void> {
    while (this.#again && !this.#stop.signal.aborted) {
      this.#again = false;
      try {
        await this.#drainRemote();
        await this.#drainLocal();
      } catch (error) {
        this.#o.log.warn(
          `knowhub: the outbox could not be worked on: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }

  async #drainRemote(): Promise<void> {
    const { remote, outbox, log } = this.#o;
    if (!remote) return;
    const { client, breaker } = remote;
    if (!breaker.mayProbe()) return;
    if (!breaker.closed) await this.#probe(client, breaker);
    let sent = 0;
    while (breaker.closed && !this.#stop.signal.aborted) {
      const job = outbox.nextDue(client.baseUrl, this.#now());
      if (!job) break;
      const attempt = await deliver(job, {
        ...remote,
        outbox,
        deadlineMs: DELIVERY_DEADLINE,
        now: this.#now,
        signal: this.#stop.signal,
      });
      if (attempt.state === "delivered") sent += 1;
      if (attempt.state === "refused")
        log.warn(`knowhub: ${attempt.failure.notice.en}; kept, see: openclaw knowhub outbox`);
    }
    if (sent > 0) log.info(`knowhub: sent ${sent} from the outbox`);
  }

  /** A cheap question that shows whether the server is back. */
  async #probe(client: HttpClient, breaker: Breaker): Promise<void> {
    const reply = await client.request({
      method: "GET",
      path: "/api/knowledge",
      query: { page: 1, page_size: 1 },
      deadlineMs: DELIVERY_DEADLINE,
      signal: this.#stop.signal,
    });
    if (this.#stop.signal.aborted) return;
    if (!reply.ok && reply.kind !== "missing" && reply.kind !== "refused") {
      breaker.failed(reply);
      return;
    }
    breaker.succeeded();
    this.#o.outbox.wake(client.baseUrl, this.#now());
    this.#o.log.info(`knowhub: ${client.baseUrl} answers again`);
  }

  async #drainLocal(): Promise<void> {
    const { runLocal, outbox, log } = this.#o;
    if (!runLocal) return;
    for (;;) {
      const job = outbox.nextDue("", this.#now());
      if (!job || this.#stop.signal.aborted || !outbox.lease(job.seq, this.#now())) return;
      try {
        await runLocal(job, this.#stop.signal);
        outbox.delivered(job, undefined, this.#now());
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        if (job.attempts + 1 >= MAX_LOCAL_ATTEMPTS) {
          outbox.refuse(job, message);
          log.warn(`knowhub: gave up on ${job.kind} after ${job.attempts + 1} attempts: ${message}`);
        } else outbox.postpone(job, message, this.#now() + backoff(job.attempts));
      }
    }
  }
}
