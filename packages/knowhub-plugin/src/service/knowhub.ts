import { AsyncLocalStorage } from "node:async_hooks";
import path from "node:path";
import type { KnowHubConfig } from "../config.ts";
import { takeSession } from "../extraction/extractor.ts";
import { OutboxWorker } from "../outbox/worker.ts";
import type { Run } from "../reminders/schedule.ts";
import { Screener } from "../safety/screen.ts";
import { WireApi } from "../server/api.ts";
import { extractOverWire } from "../server/extract.ts";
import { type ServedKnowledge, serveKnowledge } from "../server/http-server.ts";
import { serveToken } from "../server/token.ts";
import type { Curator } from "../store/curate.ts";
import { identityOf, isCorruption, moveAside, type OpenedDatabase, openDatabase } from "../store/database.ts";
import type { Complete } from "../store/evolve.ts";
import { refreshBeliefs } from "../store/feedback.ts";
import { KnowledgeStore } from "../store/knowledge-store.ts";
import { salvage } from "../store/salvage.ts";
import { prune } from "../store/upkeep.ts";
import type { KnowledgeBackend } from "./backend.ts";
import { makeParts, type Parts } from "./parts.ts";

/** What the plugin logs with; the host's logger fits. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** The knowledge base file below a state folder. */
export function databaseFile(stateDir: string): string {
  return path.join(stateDir, "knowhub", "knowhub.sqlite");
}

const DAY = 86_400_000;

/**
 * Everything that lives as long as the process: the open store and what works on it. The host registers the plugin
 * many times and from two copies of its code, so there is one of these for a state folder, on a process-wide symbol.
 */
export class KnowHub {
  readonly stateDir: string;
  readonly screener = new Screener();
  /** Runs that a person started; see ReminderSchedule. */
  readonly runs = new Map<string, Run>();
  /** Set by whoever registered last; the host replaces its logger on reload. */
  log: Log;
  /** The user's own model, while the host offers one. */
  complete: Complete | undefined;
  /** Where a damaged file of this process was moved to. */
  movedAside: string | undefined;
  #opened: OpenedDatabase | undefined;
  #identity: string | undefined;
  /** A damaged file that was just moved aside. */
  #damaged: string | undefined;
  #store: KnowledgeStore | undefined;
  #parts: Parts | undefined;
  #worker: OutboxWorker | undefined;
  #served: ServedKnowledge | undefined;
  #timer: NodeJS.Timeout | undefined;
  #stopping: AbortController | undefined;
  /** The asynchronous context of the service that started this; see WorkerOptions.scope. */
  #scope: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;

  constructor(stateDir: string, log: Log) {
    this.stateDir = stateDir;
    this.log = log;
  }

  get readOnly(): boolean {
    return this.#opened?.readOnly ?? false;
  }

  /** How often the store of this process was opened; 1 in a healthy gateway, however often the plugin was registered. */
  opened = 0;

  /** Opens the store on first use. @throws StoreUnavailable */
  store(): KnowledgeStore {
    if (this.#store && !this.#wasReplaced()) return this.#store;
    let opened = openDatabase(databaseFile(this.stateDir));
    let store: KnowledgeStore;
    try {
      store = new KnowledgeStore(opened.db);
    } catch (error) {
      opened.db.close();
      if (!isCorruption(error) || opened.readOnly) throw error;
      const movedAside = moveAside(opened.file);
      opened = { ...openDatabase(opened.file), movedAside };
      store = new KnowledgeStore(opened.db);
    }
    this.#opened = opened;
    this.#identity = identityOf(opened.file);
    this.#store = store;
    this.opened += 1;
    if (opened.readOnly)
      this.log.warn(`knowhub: ${opened.file} can only be read: searching works, saving does not`);
    const damaged = opened.movedAside ?? this.#damaged;
    this.#damaged = undefined;
    if (damaged) this.#salvage(damaged, store);
    return store;
  }

  /**
   * Whether somebody removed or replaced the file (a backup put back, the command line moving a damaged one aside): what is
   * written to the old one would be lost. What works on it is let go, and begins again on what is there now.
   */
  #wasReplaced(): boolean {
    const opened = this.#opened;
    if (!opened || identityOf(opened.file) === this.#identity) return false;
    this.log.warn(`knowhub: ${opened.file} was removed or replaced; going on with what is there now`);
    const config = this.#worker && this.#parts?.config;
    this.#parts?.embeddings?.stop();
    this.#parts = undefined;
    this.#store = undefined;
    this.#opened = undefined;
    opened.db.close();
    if (config) {
      setTimeout(() => {
        this.start(config).catch((error: unknown) =>
          this.log.warn(`knowhub: ${error instanceof Error ? error.message : String(error)}`),
        );
      }, 0);
    }
    return true;
  }

  /** Says that a file was damaged, after taking over what can still be read of it. */
  #salvage(movedTo: string, store: KnowledgeStore): void {
    let saved = "";
    try {
      const { items, requests } = salvage(movedTo, store);
      saved = `; ${items} items and ${requests} waiting requests could be taken over from it`;
    } catch (error) {
      saved = `; nothing could be taken over from it (${error instanceof Error ? error.message : String(error)})`;
    }
    this.movedAside = movedTo;
    this.log.warn(
      `knowhub: the knowledge base file was damaged; it is kept at ${movedTo} and a new one was made${saved}`,
    );
  }

  /** The knowledge base the settings ask for. @throws StoreUnavailable */
  backend(config: KnowHubConfig): KnowledgeBackend {
    return this.parts(config).backend;
  }

  /** All parts for these settings; made anew when the settings changed. @throws StoreUnavailable */
  parts(config: KnowHubConfig): Parts {
    const store = this.store();
    const present = this.#parts;
    if (present && sameSettings(present.config, config)) return present;
    present?.embeddings?.stop();
    const parts = makeParts(config, {
      store,
      screener: this.screener,
      readOnly: this.readOnly,
      warn: (message) => this.log.warn(`knowhub: ${message}`),
      complete:
        this.complete &&
        ((prompt, signal) => {
          if (!this.complete) throw new Error("no model is available");
          return this.complete(prompt, signal);
        }),
      wake: () => this.#worker?.kick(),
    });
    this.#parts = parts;
    return parts;
  }

  /** Starts what runs in the background of a gateway: outbox, the served knowledge base, the daily fading of votes. */
  async start(config: KnowHubConfig): Promise<void> {
    this.#scope ??= AsyncLocalStorage.snapshot();
    const scope = this.#scope;
    await this.#halt();
    const parts = this.parts(config);
    const store = this.store();
    if (this.readOnly) return;
    this.#worker = new OutboxWorker({
      outbox: parts.outbox,
      remote: parts.remote,
      runLocal: async (job, signal) => {
        const ids = await parts.extractor.run(job, signal);
        this.log.info(`knowhub: extracted ${ids.length} experiences`);
      },
      log: this.log,
      scope: (work) => scope(work),
    });
    this.#worker.start();
    parts.embeddings?.changed();
    this.#stopping = new AbortController();
    const { signal } = this.#stopping;
    const daily = () => void this.#daily(store, parts.curator, signal);
    daily();
    this.#timer = setInterval(daily, DAY);
    this.#timer.unref();
    if (config.serve.enabled) await this.#startServing(config);
  }

  /** Forgets old bookkeeping, lets old votes fade, and rewrites items whose feedback waited for a model. */
  async #daily(store: KnowledgeStore, curator: Curator, signal: AbortSignal): Promise<void> {
    try {
      prune(store.db, Date.now());
      refreshBeliefs(store, Date.now());
      for (const id of curator.waitingForEvolution()) {
        if (signal.aborted) return;
        const evolution = await curator.evolveFromKept(id, "gateway", Date.now(), signal);
        if (evolution?.state === "revised")
          this.log.info(`knowhub: ${id} has a new revision from its feedback`);
      }
    } catch (error) {
      if (!signal.aborted)
        this.log.warn(
          `knowhub: daily upkeep failed: ${error instanceof Error ? error.message : String(error)}`,
        );
    }
  }

  async #startServing(config: KnowHubConfig): Promise<void> {
    try {
      this.#served = await this.serve(config, config.serve.port);
      this.log.info(`knowhub: serving on ${this.#served.url}`);
    } catch (error) {
      this.log.warn(`knowhub: not serving: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Offers the embedded knowledge base on 127.0.0.1. @throws when the port is taken */
  serve(config: KnowHubConfig, port: number): Promise<ServedKnowledge> {
    const parts = this.parts(config);
    const api = new WireApi({
      backend: parts.embedded,
      curator: parts.curator,
      extract: (request) => extractOverWire(request, { ...parts, wake: () => this.#worker?.kick() }),
    });
    return serveKnowledge({ api, token: serveToken(this.stateDir), port, log: this.log });
  }

  /** Takes over what is new in a session for extraction. @returns how many messages */
  extract(
    config: KnowHubConfig,
    snapshot: readonly unknown[],
    session: { agentId: string; sessionKey: string },
  ): number {
    const { outbox } = this.parts(config);
    const destination = {
      origin: config.apiUrl,
      submittedBy: config.submittedBy,
      privacyMode: config.privacyMode,
    };
    const taken = takeSession(this.store(), outbox, snapshot, session, destination, Date.now());
    if (taken > 0) this.#worker?.kick();
    return taken;
  }

  /**
   * Runs work on the store; when the file turns out to be damaged in the middle, it is moved aside, a new one made, and
   * the work done once more on that.
   */
  async healing<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isCorruption(error) || !this.#opened || this.#opened.readOnly) throw error;
      const { file } = this.#opened;
      const config = this.#worker && this.#parts?.config;
      await this.#halt();
      this.#damaged = moveAside(file);
      if (config) await this.start(config);
      return await work();
    }
  }

  /** Ends the background work and closes the store; using it again opens it again. */
  async stop(): Promise<void> {
    this.#scope = undefined;
    await this.#halt();
  }

  async #halt(): Promise<void> {
    clearInterval(this.#timer);
    this.#stopping?.abort();
    const worker = this.#worker;
    const served = this.#served;
    this.#worker = undefined;
    this.#served = undefined;
    this.#parts?.embeddings?.stop();
    await worker?.stop();
    await served?.close();
    this.#parts = undefined;
    this.#store = undefined;
    this.#opened?.db.close();
    this.#opened = undefined;
  }
}

function sameSettings(a: KnowHubConfig, b: KnowHubConfig): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
