/**
 * The running logger of a gateway process: recorder, writer, seams, retention, status file. One at a time, on a
 * process-wide symbol, because the host loads a plugin's modules more than once.
 */
import os from "node:os";
import { agentPatch } from "./capture/agent-patch.ts";
import { fetchPatch } from "./capture/fetch-patch.ts";
import type { Seam } from "./capture/seam.ts";
import { undiciChannels } from "./capture/undici-channels.ts";
import { webSocket } from "./capture/web-socket.ts";
import { wsModule } from "./capture/ws-module.ts";
import type { PluginConfig } from "./config.ts";
import { shared } from "./process-state.ts";
import { Recorder } from "./recorder/recorder.ts";
import type { SecretFinder } from "./redaction/replace.ts";
import { buildStatus, type LoggerStatus, writeStatusFile } from "./status.ts";
import { cannotWrite } from "./store/advice.ts";
import { type LogLocation, resolveLocation } from "./store/paths.ts";
import { prune } from "./store/retention.ts";
import { JsonlWriter } from "./store/writer.ts";

const RETENTION_EVERY_MS = 3_600_000;
const STATUS_EVERY_MS = 2_000;

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface LoggerOptions {
  config: PluginConfig;
  stateDir: string;
  /** The host's whole configuration, for providers and prices. */
  hostConfig: unknown;
  /** What the host grants: without it bodies, prompts and answers stay out. */
  conversationAccess: boolean;
  hostVersion: string | undefined;
  /** The host's main script, from which its modules are found. Default: this process's. */
  hostEntry?: string;
  log: Log;
}

export class Logger {
  readonly recorder: Recorder;
  readonly writer: JsonlWriter;
  readonly location: LogLocation;
  readonly options: LoggerOptions;
  readonly startedAt = new Date();
  /** Warnings worth showing on the status page. */
  readonly warnings: string[] = [];
  readonly seams: Seam[];
  /** Why the log's folder cannot be written, as of the last saved status; undefined when it can. */
  folderProblem: string | undefined;
  #timers: NodeJS.Timeout[] = [];
  /** The retention under way or done. */
  #pruning: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: LoggerOptions, finder: SecretFinder) {
    const { config, log } = options;
    this.options = options;
    this.location = resolveLocation(config.logFile, options.stateDir, os.homedir());
    this.writer = new JsonlWriter({
      location: this.location,
      mode: config.writeMode,
      batchMs: config.batchMs,
      onProblem: (message) => log.error(message),
    });
    this.recorder = new Recorder({
      config,
      content: config.includeBodies && options.conversationAccess,
      writer: this.writer,
      finder,
      onFault: (message) =>
        log.warn(`an internal fault was swallowed, model calls are not affected: ${message}`),
      onSilence: (message) => this.#warn(message),
    });
    this.recorder.correlator.endpoints.configure(options.hostConfig, config.endpoints);
    const entry = options.hostEntry ?? process.argv[1];
    this.seams = [
      undiciChannels(this.recorder),
      wsModule(this.recorder, entry),
      webSocket(this.recorder),
      fetchPatch(this.recorder, entry),
      agentPatch(this.recorder, entry),
    ];
  }

  start(): void {
    const { config, log } = this.options;
    if (!config.redactAuthorization) {
      this.#warn(
        "redactAuthorization is false, so API keys in request headers are written to the log in clear text. / 请求头中的密钥以明文写入日志。",
      );
    }
    for (const seam of this.seams) {
      try {
        seam.start();
      } catch (error) {
        this.recorder.fault(`start of ${seam.name}`, error);
      }
    }
    const every = (ms: number, run: () => void) => this.#timers.push(setInterval(run, ms).unref());
    const pruneNow = () => {
      this.#pruning = this.#pruning.then(() => this.#prune());
    };
    every(RETENTION_EVERY_MS, pruneNow);
    every(STATUS_EVERY_MS, () => this.#saveStatus());
    pruneNow();
    this.#saveStatus();
    log.info(
      `logging model calls to ${this.location.dir}/<session>/${this.location.stem}-<day>${this.location.ext}`,
    );
  }

  /** Detaches every seam, writes partial records, fsyncs and closes. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const timer of this.#timers) clearInterval(timer);
    for (const seam of this.seams) {
      try {
        seam.stop();
      } catch (error) {
        this.recorder.fault(`stop of ${seam.name}`, error);
      }
    }
    await this.recorder.stop();
    this.writer.close();
    this.#saveStatus();
    // It holds descriptors, and after a stop nothing more may be deleted.
    await this.#pruning;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  status(): LoggerStatus {
    return buildStatus(this);
  }

  #warn(message: string): void {
    this.warnings.push(message);
    this.options.log.warn(message);
  }

  #saveStatus(): void {
    try {
      writeStatusFile(this.location, this.status());
      this.folderProblem = undefined;
    } catch (error) {
      const told = this.folderProblem;
      const reason = error instanceof Error ? error.message : String(error);
      this.folderProblem = `${cannotWrite(error)}: ${this.location.dir}: ${reason}`;
      if (told === undefined) this.options.log.error(this.folderProblem);
    }
  }

  async #prune(): Promise<void> {
    const { retentionDays, retentionMaxBytes } = this.options.config;
    try {
      const policy = { days: retentionDays, maxBytes: retentionMaxBytes };
      const gone = await prune(this.location, policy, new Set(this.writer.currentFiles));
      if (gone.length > 0) this.options.log.info(`retention deleted ${gone.length} log file(s)`);
    } catch (error) {
      this.recorder.fault("retention", error);
    }
  }
}

/** Starts a logger in this process; one that runs already is stopped first (a reload without a stop). */
export async function startLogger(options: LoggerOptions): Promise<Logger> {
  await stopLogger();
  const { createSecretFinder } = await import("./redaction/secrets.ts");
  const logger = new Logger(options, createSecretFinder(options.config.redactPii));
  shared().active = logger;
  logger.start();
  return logger;
}

/** Stops the process's logger, whichever copy of the code started it. */
export async function stopLogger(): Promise<void> {
  const state = shared();
  const { active } = state;
  delete state.active;
  if (!active) return;
  state.last = active;
  await active.stop();
}
