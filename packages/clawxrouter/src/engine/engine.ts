/**
 * The whole of ClawXRouter without the host: settings, vault, detectors, pipeline, proxy, posture. One engine
 * serves a state directory in a process; hooks, CLI and the dashboard talk to it.
 */
import path from "node:path";
import type { Level } from "@clawx/shared-security";
import { CONFIG_FILE_NAME, readConfigFile, watchConfigFile } from "../config-file/file.ts";
import { defaultConfig } from "../config-file/parse.ts";
import type { Checkpoint, RouterConfig } from "../config-file/schema.ts";
import { Detector } from "../detection/detector.ts";
import { matchPaths } from "../detection/paths.ts";
import { RuleDetector } from "../detection/rules.ts";
import { isWhollyPrivate, type SemanticDetector } from "../detection/types.ts";
import { createEgressProxy, type EgressEvent, type EgressPolicy, type EgressProxy } from "../egress/index.ts";
import { TurnRouter } from "../routing/decide.ts";
import { mergeDecisions } from "../routing/merge.ts";
import { MESSAGES } from "../routing/messages.ts";
import { Pipeline } from "../routing/pipeline.ts";
import { PrivacyRouter } from "../routing/privacy-router.ts";
import { type Turn, TurnRegistry } from "../routing/turns.ts";
import type { ClawXrouterRouter, PipelineResult } from "../routing/types.ts";
import { type HostView, viewHost } from "../setup/host-view.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { VAULT_FILE_NAME, VaultStore } from "../vault-store/store.ts";
import { DetectorInspector } from "./inspector.ts";
import { installKey } from "./install-key.ts";
import { HostModels } from "./models.ts";

/** Files that no cloud model may read, whatever the rules say. */
const ALWAYS_PRIVATE = ["MEMORY-FULL.md"];

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface EngineOptions {
  /** The host's state directory, `~/.openclaw` unless told otherwise. */
  stateDir: string;
  /** Path of clawxrouter.json; default in `stateDir`. */
  configFile?: string | undefined;
  /** Live: openclaw.json as an object. */
  hostConfig: () => unknown;
  log: Log;
}

export class Engine {
  readonly stateDir: string;
  /** `<stateDir>/clawxrouter`: vault, keys, statistics; 0700. */
  readonly dataDir: string;
  readonly configFile: string;
  readonly turns = new TurnRegistry();
  readonly models: HostModels;
  readonly pipeline: Pipeline;
  readonly router: TurnRouter;
  private readonly options: EngineOptions;
  private settings: RouterConfig | undefined;
  private settingsError: string | undefined;
  private detection: Detector | undefined;
  private semantic: SemanticDetector | undefined;
  private routers = new Map<string, ClawXrouterRouter>();
  private store: VaultStore | undefined;
  private hostSeen: { raw: unknown; view: HostView } | undefined;
  private proxy: EgressProxy | undefined;
  private proxyFailure: string | undefined;
  private unwatch: (() => void) | undefined;
  private readonly listeners = new Set<(event: EgressEvent) => void>();

  constructor(options: EngineOptions) {
    this.options = options;
    this.stateDir = options.stateDir;
    this.dataDir = path.join(options.stateDir, "clawxrouter");
    this.configFile = options.configFile ?? path.join(options.stateDir, CONFIG_FILE_NAME);
    this.models = new HostModels(
      () => this.host(),
      () => this.config(),
    );
    const warn = (message: string) => this.log.warn(message);
    this.pipeline = new Pipeline({
      config: () => this.config().privacy,
      routers: () => this.routersNow(),
      warn,
    });
    this.router = new TurnRouter({
      config: () => this.config().privacy,
      pipeline: this.pipeline,
      turns: this.turns,
      models: this.models,
      conversation: (session) => this.conversation(session),
      decided: (turn, ms) =>
        this.log.info(
          `clawxrouter: ${turn.level} ${turn.override ? `-> ${turn.override.provider}/${turn.override.model}` : turn.blocked ? "blocked" : "as configured"} (${turn.reason}; ${ms.toFixed(0)} ms)`,
        ),
      warn,
    });
  }

  get log(): Log {
    return this.options.log;
  }

  /** The settings in force: the file's, or after a bad edit the last good ones. */
  config(): RouterConfig {
    if (this.settings === undefined) this.reload();
    return this.settings ?? defaultConfig();
  }

  /** What is wrong in clawxrouter.json now; undefined when it is fine. */
  configError(): string | undefined {
    return this.settingsError;
  }

  /** Reads the file anew. A bad one changes nothing but {@link configError}. */
  reload(): void {
    try {
      const config = readConfigFile(this.configFile);
      const rules = new RuleDetector(config.privacy.rules);
      this.settings = config;
      this.settingsError = undefined;
      this.semantic?.close();
      this.semantic = undefined;
      this.detection = new Detector(config.privacy, rules, this.semantic, String(Date.now()));
      this.routers = new Map([["privacy", this.privacyRouter()]]);
    } catch (error) {
      this.settingsError = error instanceof Error ? error.message : String(error);
      this.log.error(`clawxrouter: ${this.settingsError}`);
      if (this.settings === undefined) {
        const config = defaultConfig();
        this.settings = config;
        this.detection = new Detector(
          config.privacy,
          new RuleDetector(config.privacy.rules),
          undefined,
          "defaults",
        );
        this.routers = new Map([["privacy", this.privacyRouter()]]);
      }
    }
  }

  detector(): Detector {
    this.config();
    if (this.detection === undefined) throw new Error("clawxrouter: no detector");
    return this.detection;
  }

  /** openclaw.json as ClawXRouter reads it. */
  host(): HostView {
    const raw = this.options.hostConfig();
    if (this.hostSeen === undefined || this.hostSeen.raw !== raw)
      this.hostSeen = { raw, view: viewHost(raw) };
    return this.hostSeen.view;
  }

  /** Opened at first use: the CLI and `agent --local` have no service start. */
  vault(): VaultStore {
    if (this.store === undefined) {
      const { maxValues, retentionDays } = this.config().privacy.vault;
      this.store = new VaultStore(path.join(this.dataDir, VAULT_FILE_NAME), { maxValues, retentionDays });
      if (this.store.movedAside !== undefined) {
        this.log.error(
          `clawxrouter: the vault was damaged; it is now ${this.store.movedAside} and a new one was made`,
        );
      }
    }
    return this.store;
  }

  conversation(session: string): Conversation {
    return new Conversation(this.vault().vault, session);
  }

  installKey(): string {
    return installKey(path.join(this.dataDir, "install.key"));
  }

  /** Opens the proxy and watches the settings. Never throws for a busy port: traffic is then closed. */
  async start(): Promise<void> {
    this.config();
    this.vault();
    this.unwatch = watchConfigFile(this.configFile, () => this.reload());
    await this.openProxy();
  }

  /** Undoes {@link start}. */
  async stop(): Promise<void> {
    this.unwatch?.();
    this.unwatch = undefined;
    const proxy = this.proxy;
    this.proxy = undefined;
    await proxy?.close();
    this.semantic?.close();
    this.store?.close();
    this.store = undefined;
  }

  /** Where the proxy listens, or why it does not. */
  proxyState(): { port: number | undefined; failure: string | undefined } {
    return { port: this.proxy?.port, failure: this.proxyFailure };
  }

  onEgress(listener: (event: EgressEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Classifies a text without routing anything: the test panel. */
  async classify(text: string, checkpoint: Checkpoint, router?: string): Promise<PipelineResult> {
    const context = { checkpoint, message: text, signal: AbortSignal.timeout(60_000) };
    if (router === undefined) return this.pipeline.run(context);
    return mergeDecisions([await this.pipeline.runOne(router, context)], []);
  }

  /** Where a message would go; nothing is remembered. */
  async preview(text: string): Promise<Turn> {
    return this.router.preview({
      runId: undefined,
      sessionKey: undefined,
      agentId: undefined,
      prompt: text,
      currentModel: {},
    });
  }

  /** What a cloud model may see of a tool's result. */
  async toolText(input: {
    text: string;
    session: string;
    agentId: string | undefined;
    toolName: string;
    args: Record<string, unknown>;
    signal: AbortSignal;
  }): Promise<string> {
    const result = await this.pipeline.run({
      checkpoint: "onToolCallExecuted",
      message: input.text,
      sessionKey: input.session,
      agentId: input.agentId,
      toolName: input.toolName,
      toolParams: input.args,
      signal: input.signal,
    });
    const talk = this.conversation(input.session);
    const findings = [...result.findings, ...talk.findKnown(input.text)];
    if (
      result.level === "S3" &&
      isWhollyPrivate({ level: "S3", findings: result.findings, reasons: [], degraded: undefined })
    ) {
      return talk.lock(input.text, { lines: true });
    }
    return talk.redact(input.text, findings);
  }

  /** Why a tool call must not run in a cloud turn; undefined when it may. */
  async toolCallStop(input: {
    session: string;
    agentId: string | undefined;
    toolName: string;
    params: Record<string, unknown>;
    derivedPaths: readonly string[];
    localTurn: boolean;
  }): Promise<string | undefined> {
    if (input.localTurn) return undefined;
    const { tools } = this.config().privacy.rules;
    const hit = matchPaths(
      input.params,
      input.derivedPaths,
      { S3: [...ALWAYS_PRIVATE, this.dataDir, ...tools.S3.paths], S2: [] },
      {},
    );
    if (hit !== undefined) return MESSAGES.pathBlocked(hit.rule);
    const result = await this.pipeline.run({
      checkpoint: "onToolCallProposed",
      message: JSON.stringify(input.params),
      sessionKey: input.session,
      agentId: input.agentId,
      toolName: input.toolName,
      toolParams: input.params,
      signal: AbortSignal.timeout(10_000),
    });
    if (result.action === "block") return MESSAGES.toolBlocked(result.reason);
    return result.level === "S3" && tools.S3.tools.includes(input.toolName)
      ? MESSAGES.toolBlocked(result.reason)
      : undefined;
  }

  private async openProxy(): Promise<void> {
    try {
      this.proxy = await createEgressProxy({
        port: this.config().privacy.proxyPort,
        installKey: this.installKey(),
        upstreams: () => this.models.upstreams(),
        localHosts: () => this.config().privacy.localHosts,
        inspect: new DetectorInspector(() => this.detector()),
        vault: this.vault().vault,
        sessionOf: ({ traceId }) =>
          traceId === undefined ? undefined : this.vault().sessionOfTrace(traceId),
        policy: () => this.egressPolicy(),
        closedBecause: () => undefined,
        onEvent: (event) => {
          for (const listener of this.listeners) listener(event);
        },
      });
      this.proxyFailure = undefined;
      this.log.info(`clawxrouter: proxy listens on 127.0.0.1:${this.proxy.port}`);
    } catch (error) {
      this.proxyFailure = error instanceof Error ? error.message : String(error);
      this.log.error(`clawxrouter: ${this.proxyFailure}`);
    }
  }

  private egressPolicy(): EgressPolicy {
    const { s3Outbound, media, maxBodyBytes, inspectTimeoutMs } = this.config().privacy;
    // Also under s2Policy "local" placeholders hold: titles and recaps of such a turn still go out, without a value.
    return { s3: s3Outbound, s2: "placeholder", media, maxBodyBytes, inspectTimeoutMs };
  }

  private privacyRouter(): PrivacyRouter {
    return new PrivacyRouter({
      config: () => this.config().privacy,
      detector: () => this.detector(),
      remembered: (message, session) => this.rememberedLevel(message, session),
    });
  }

  private rememberedLevel(message: string, session: string | undefined): Level {
    const talk = this.conversation(session ?? "");
    const byToken = talk.levelOfTokens(message) ?? "S1";
    if (byToken === "S3") return "S3";
    for (const finding of talk.findKnown(message)) if (finding.level === "S3") return "S3";
    return byToken;
  }

  private routersNow(): ReadonlyMap<string, ClawXrouterRouter> {
    this.config();
    return this.routers;
  }
}
