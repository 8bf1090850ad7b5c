import path from "node:path";
import type { KnowHubConfig } from "../config.ts";
import { Screener } from "../safety/screen.ts";
import { isCorruption, moveAside, type OpenedDatabase, openDatabase } from "../store/database.ts";
import { KnowledgeStore } from "../store/knowledge-store.ts";
import type { KnowledgeBackend } from "./backend.ts";
import { EmbeddedBackend } from "./embedded.ts";

/** What the plugin logs with; the host's logger fits. */
export interface Log {
  info(message: string): void;
  warn(message: string): void;
}

/** The knowledge base file below a state folder. */
export function databaseFile(stateDir: string): string {
  return path.join(stateDir, "knowhub", "knowhub.sqlite");
}

/**
 * Everything that lives as long as the process: the open store and what works on it. The host registers the plugin
 * many times and from two copies of its code, so there is one of these for a state folder, on a process-wide symbol.
 */
export class KnowHub {
  readonly stateDir: string;
  #opened: OpenedDatabase | undefined;
  #store: KnowledgeStore | undefined;
  #backend: { config: KnowHubConfig; backend: KnowledgeBackend } | undefined;
  readonly screener = new Screener();
  /** Set by whoever registered last; the host replaces its logger on reload. */
  log: Log;
  /** Where a damaged file of this process was moved to. */
  movedAside: string | undefined;

  constructor(stateDir: string, log: Log) {
    this.stateDir = stateDir;
    this.log = log;
  }

  get isOpen(): boolean {
    return this.#opened !== undefined;
  }

  get readOnly(): boolean {
    return this.#opened?.readOnly ?? false;
  }

  /** Opens the store on first use. @throws StoreUnavailable */
  store(): KnowledgeStore {
    if (this.#store) return this.#store;
    const opened = openDatabase(databaseFile(this.stateDir));
    this.#opened = opened;
    if (opened.movedAside) this.#saidDamaged(opened.movedAside);
    if (opened.readOnly)
      this.log.warn(`knowhub: ${opened.file} can only be read: searching works, saving does not`);
    this.#store = new KnowledgeStore(opened.db);
    return this.#store;
  }

  /** The knowledge base the settings ask for. @throws StoreUnavailable */
  backend(config: KnowHubConfig): KnowledgeBackend {
    if (this.#backend?.config === config && this.#store) return this.#backend.backend;
    const store = this.store();
    const backend = new EmbeddedBackend({
      store,
      screener: this.screener,
      submittedBy: config.submittedBy,
      readOnly: this.readOnly,
      log: (message) => this.log.warn(`knowhub: ${message}`),
    });
    this.#backend = { config, backend };
    return backend;
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
      this.close();
      this.#saidDamaged(moveAside(file));
      return await work();
    }
  }

  close(): void {
    this.#backend = undefined;
    this.#store = undefined;
    this.#opened?.db.close();
    this.#opened = undefined;
  }

  #saidDamaged(movedTo: string): void {
    this.movedAside = movedTo;
    this.log.warn(
      `knowhub: the knowledge base file was damaged; it is kept at ${movedTo} and a new, empty one was made`,
    );
  }
}

const KEY = Symbol.for("clawx.knowhub.instances.v1");

/** The one KnowHub of this process for a state folder. */
export function knowHubFor(stateDir: string, log: Log): KnowHub {
  const holder = globalThis as { [KEY]?: Map<string, KnowHub> };
  holder[KEY] ??= new Map();
  const instances = holder[KEY];
  let hub = instances.get(stateDir);
  if (!hub) {
    hub = new KnowHub(stateDir, log);
    instances.set(stateDir, hub);
  }
  hub.log = log;
  return hub;
}
