/**
 * The whole of ClawXRouter without the host: settings, vault, detectors, pipeline, proxy, posture. One engine
 * serves a state directory in a process; hooks, CLI and the dashboard talk to it.
 */
import path from "node:path";
import type { Level } from "@clawx/shared-security";
import { CONFIG_FILE_NAME, watchConfigFile } from "../config-file/file.ts";
import type { RouterConfig } from "../config-file/schema.ts";
import type { Detector } from "../detection/detector.ts";
import { startDoor } from "../guard/door.ts";
import { exemptFromForwardProxy, startForwardProxyDoor } from "../guard/forward-proxy.ts";
import { startHop } from "../guard/hop.ts";
import { LEDGER_FILE_NAME, Ledger } from "../ledger/ledger.ts";
import { assessPosture, type Posture, postureLine } from "../posture/posture.ts";
import { Prompts } from "../prompts.ts";
import { NamedHosts } from "../routing/addresses.ts";
import { TurnRouter } from "../routing/decide.ts";
import { Pipeline } from "../routing/pipeline.ts";
import { PrivacyRouter } from "../routing/privacy-router.ts";
import { TurnRegistry } from "../routing/turns.ts";
import type { Judge, PipelineResult } from "../routing/types.ts";
import { type HostView, viewHost } from "../setup/host-view.ts";
import { workspacesOf } from "../setup/workspaces.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { UNJUDGED_TYPE, VAULT_FILE_NAME, VaultStore } from "../vault-store/store.ts";
import { CostService } from "./cost-service.ts";
import { EgressService } from "./egress-service.ts";
import { guardModels } from "./guard-service.ts";
import { installKey } from "./install-key.ts";
import { MemoryService } from "./memory-service.ts";
import { HostModels } from "./models.ts";
import { isOurProxy } from "./probe.ts";
import { Records } from "./records.ts";
import { releaseValues } from "./release.ts";
import { Settings } from "./settings.ts";
import { ToolGuard } from "./tool-guard.ts";
import { currentTrace } from "./trace-scope.ts";
import { TraceSessions } from "./trace-sessions.ts";
import { Unjudged } from "./unjudged.ts";

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
  embeddedJudge?: Judge | undefined;
  log: Log;
}

/** How often openclaw.json is looked at for a change that matters, in milliseconds. */
const WATCH_MS = 2_000;

/** Longest wait for the judgement of a text that waits for one, in milliseconds. */
const JUDGE_TIMEOUT_MS = 60_000;

/** True when all that look for private text have answered. A router that is there for the cost may fail: it then says S1. */
function isAnswered(result: PipelineResult | undefined): boolean {
  const failed = result?.decisions.some(
    ({ level, degraded, error }) => degraded !== undefined || (error !== undefined && level !== "S1"),
  );
  return failed === false;
}

export class Engine {
  readonly stateDir: string;
  /** `<stateDir>/clawxrouter`: vault, keys, full memory, statistics; 0700. */
  readonly dataDir: string;
  readonly configFile: string;
  readonly log: Log;
  readonly prompts: Prompts;
  readonly settings: Settings;
  readonly turns = new TurnRegistry();
  readonly traces = new TraceSessions(() => this.vault());
  readonly models: HostModels;
  readonly pipeline: Pipeline;
  readonly router: TurnRouter;
  readonly tools: ToolGuard;
  readonly memory: MemoryService;
  readonly egress: EgressService;
  readonly cost: CostService;
  private readonly records: Records;
  private readonly unjudged: Unjudged;
  private readonly options: EngineOptions;
  private store: VaultStore | undefined;
  private book: Ledger | undefined;
  private hostSeen: { raw: unknown; view: HostView } | undefined;
  private running = false;
  private reported: string | undefined;
  private readonly stops: (() => void)[] = [];

  constructor(options: EngineOptions) {
    this.options = options;
    this.log = options.log;
    this.stateDir = options.stateDir;
    this.dataDir = path.join(options.stateDir, "clawxrouter");
    this.configFile = options.configFile ?? path.join(options.stateDir, CONFIG_FILE_NAME);
    this.prompts = new Prompts(this.dataDir);
    const config = () => this.config();
    const privacy = () => this.config().privacy;
    const warn = (message: string) => this.log.warn(`clawxrouter: ${message}`);
    const conversation = (session: string) => this.conversation(session);
    const detector = () => this.detector();
    const vault = () => this.vault();
    this.models = new HostModels(() => this.host(), config);
    this.memory = new MemoryService({
      enabled: () => privacy().memory.enabled,
      configured: () => workspacesOf(this.options.hostConfig(), this.stateDir),
      dataDir: this.dataDir,
      vault,
      detector,
      warn,
    });
    this.cost = new CostService({
      config,
      models: this.models,
      ledger: () => this.ledger(),
      judgePrompt: () => this.prompts.read("token-saver-judge").text,
      embeddedJudge: options.embeddedJudge,
      warn,
    });
    this.records = new Records({
      ledger: () => this.ledger(),
      keepText: () => this.config().dashboard.keepText,
      conversation,
      detector,
      runOf: (session) => this.turns.inSession(session),
      tierOf: (session, tier) => this.cost.tierOf(session, tier),
      info: (message) => this.log.info(message),
    });
    const privacyRouter = new PrivacyRouter({
      config: privacy,
      detector,
      remembered: (message, session) => this.rememberedLevel(message, session),
      workspaceDir: (agentId) => this.memory.workspaceOf(agentId),
    });
    this.settings = new Settings({
      configFile: this.configFile,
      lastGoodFile: path.join(this.dataDir, "settings.last-good.json"),
      builtin: [privacyRouter, this.cost.tokenSaver],
      detectionPrompt: () => this.prompts.read("detection-system").text,
      error: (message) => this.log.error(`clawxrouter: ${message}`),
    });
    this.pipeline = new Pipeline({
      config: privacy,
      routers: () => this.settings.routers(),
      ready: () => this.settings.ready(),
      warn,
    });
    this.unjudged = new Unjudged({
      vault,
      judge: async (message) => {
        const signal = AbortSignal.timeout(JUDGE_TIMEOUT_MS);
        const result = await this.pipeline.run({ checkpoint: "onUserMessage", message, signal });
        return isAnswered(result) ? result.level : undefined;
      },
    });
    const namedHosts = new NamedHosts();
    this.router = new TurnRouter({
      config: privacy,
      pipeline: this.pipeline,
      turns: this.turns,
      models: this.models,
      conversation,
      detectByRules: (text) => this.detector().detectByRules(text),
      decided: (turn, ms, message) => {
        namedHosts.note(turn.sessionKey, message);
        if (isAnswered(turn.result)) void this.unjudged.settle();
        this.records.turn(turn, ms, message);
      },
      warn,
    });
    this.tools = new ToolGuard({
      run: (context) => this.pipeline.run(context),
      conversation,
      rules: () => privacy().rules.tools,
      localHosts: () => privacy().localHosts,
      isNamedHost: (session, host) => namedHosts.has(session, host),
      dataDir: this.dataDir,
      workspaceDir: (agentId) => this.memory.workspaceOf(agentId),
      decided: (context, result, route, ms, masked) =>
        this.records.decision(context, result, route, ms, { masked }),
    });
    this.egress = new EgressService({
      config,
      detector,
      vault,
      traces: this.traces,
      models: this.models,
      installKey: () => this.installKey(),
      dataDir: this.dataDir,
      conversationAccess: () => this.host().conversationAccess,
      freshen: () => this.memory.freshen(),
      log: this.log,
    });
  }

  /** The settings in force: the file's, or after a bad edit the last good ones. */
  config(): RouterConfig {
    return this.settings.config();
  }

  detector(): Detector {
    return this.settings.detector();
  }

  /** openclaw.json as it is; it holds keys. */
  hostConfig(): unknown {
    return this.options.hostConfig();
  }

  /** Runs when the engine stops. */
  onStop(stop: () => void): void {
    this.stops.push(stop);
  }

  isRunning(): boolean {
    return this.running;
  }

  /** openclaw.json as ClawXRouter reads it. */
  host(): HostView {
    const raw = this.options.hostConfig();
    if (this.hostSeen === undefined || this.hostSeen.raw !== raw)
      this.hostSeen = { raw, view: viewHost(raw, process.env) };
    return this.hostSeen.view;
  }

  /** Opened at first use: the CLI and `agent --local` have no service start. */
  vault(): VaultStore {
    if (this.store === undefined) {
      this.store = new VaultStore(path.join(this.dataDir, VAULT_FILE_NAME), this.config().privacy.vault);
      if (this.store.movedAside !== undefined) {
        this.log.error(
          `clawxrouter: the vault was damaged; it is now ${this.store.movedAside} and a new one was made`,
        );
      }
    }
    return this.store;
  }

  ledger(): Ledger {
    this.book ??= new Ledger(path.join(this.dataDir, LEDGER_FILE_NAME), {
      price: (forward, end) => this.cost.price(forward, end),
      baseline: (forward, end) => this.cost.baseline(forward, end),
      settings: () => this.config().dashboard,
    });
    return this.book;
  }

  /** Deletes all statistics and starts anew; what was done through the dashboard stays on record. */
  resetLedger(): void {
    const { file } = this.ledger();
    const audit = this.ledger().auditTrail();
    this.book?.close();
    this.book = undefined;
    Ledger.remove(file);
    this.ledger().restoreAudit(audit);
  }

  conversation(session: string): Conversation {
    return new Conversation(this.vault().vault, session);
  }

  installKey(): string {
    return installKey(path.join(this.dataDir, "install.key"));
  }

  /** Opens the proxy, the guard and the watches. Never throws for a busy port: traffic is then closed. */
  async start(): Promise<void> {
    this.running = true;
    await this.settings.ready();
    this.vault();
    this.stops.push(
      watchConfigFile(this.configFile, () => this.settings.reload()),
      this.settings.onChange(() => void this.followSettings()),
      this.egress.onEvent((event) => {
        this.cost.observe(event);
        this.records.egress(event);
      }),
      startDoor({
        refused: (origin) =>
          this.log.error(`clawxrouter: stopped a request to ${origin}, where the proxy does not listen`),
      }),
      startForwardProxyDoor({
        refused: (origin) =>
          this.log.error(
            `clawxrouter: kept a request for the proxy from going through the HTTP proxy ${origin}; add 127.0.0.1 to NO_PROXY`,
          ),
      }),
      guardModels({
        config: () => this.config(),
        host: () => this.host(),
        models: this.models,
        vault: () => this.vault(),
        error: (message) => this.log.error(`clawxrouter: ${message}`),
      }),
    );
    void this.release();
    this.memory.freshen();
    this.stops.push(exemptFromForwardProxy(this.config().privacy.proxyPort));
    await this.egress.open();
    this.stops.push(
      startHop({
        proxyOrigin: () => {
          const { port } = this.egress.state();
          return port === undefined ? undefined : `http://127.0.0.1:${port}`;
        },
        trace: currentTrace,
      }),
    );
    if (this.egress.state().port !== undefined) await this.egress.selfTest(["chat/completions"]);
    this.reportPosture();
    const timer = setInterval(() => void this.look(), WATCH_MS).unref();
    this.stops.push(() => clearInterval(timer));
  }

  /** Undoes {@link start}. */
  async stop(): Promise<void> {
    this.running = false;
    for (const stop of this.stops.splice(0)) stop();
    await this.egress.close();
    this.settings.close();
    this.closeFiles();
  }

  /** Closes databases that were opened on demand, so that a CLI process can end. */
  closeFiles(): void {
    this.book?.close();
    this.book = undefined;
    this.store?.close();
    this.store = undefined;
  }

  /** Whether requests to the proxy would be answered: in this process, or by the gateway's. */
  async proxyAnswers(): Promise<boolean> {
    const { port } = this.egress.state();
    if (port !== undefined) return true;
    return !this.running && (await isOurProxy(this.config().privacy.proxyPort, this.installKey()));
  }

  posture(): Posture {
    const { port, failure, selfTest } = this.egress.state();
    return assessPosture({
      host: this.host(),
      config: this.config(),
      configError: this.settings.error(),
      proxy: { port, failure, runsHere: this.running },
      localModel: this.models.localModel(),
      selfTest,
    });
  }

  /** One line in the log; called at start and when something it rests on has changed. */
  reportPosture(): void {
    const posture = this.posture();
    const line = `clawxrouter: ${postureLine(posture)}`;
    if (line === this.reported) return;
    this.reported = line;
    if (posture.state === "green") this.log.info(line);
    else if (posture.state === "yellow") this.log.warn(line);
    else this.log.error(line);
  }

  private async look(): Promise<void> {
    this.egress.tidy();
    const opened = await this.egress.retry();
    if (!this.running) return opened ? this.egress.close() : undefined;
    if (opened) await this.egress.selfTest(["chat/completions"]);
    this.reportPosture();
  }

  /** What the settings no longer call private is not looked for any longer. */
  private async release(): Promise<void> {
    try {
      const released = await releaseValues(this.vault(), this.detector(), this.config().privacy.rules.allow);
      if (released > 0)
        this.log.info(`clawxrouter: ${released} values that no rule calls private any more are let go`);
    } catch (error) {
      this.log.warn(`clawxrouter: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private async followSettings(): Promise<void> {
    void this.release();
    await this.egress.follow();
    if (this.running) this.reportPosture();
  }

  private rememberedLevel(message: string, session: string | undefined): Level {
    const talk = this.conversation(session ?? "");
    const byToken = talk.levelOfTokens(message) ?? "S1";
    if (byToken === "S3") return "S3";
    // What nobody could judge is judged now.
    for (const { level, type } of talk.findKnown(message))
      if (level === "S3" && type !== UNJUDGED_TYPE) return "S3";
    return byToken;
  }
}
