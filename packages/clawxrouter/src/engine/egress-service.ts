/** The egress proxy as a part of the engine: opens it, tells it where to go, closes traffic when it must not flow. */
import type { RouterConfig } from "../config-file/schema.ts";
import type { Detector } from "../detection/detector.ts";
import {
  createEgressProxy,
  type EgressEvent,
  type EgressPolicy,
  type EgressProxy,
  type Upstream,
} from "../egress/index.ts";
import { DetourReader } from "../selftest/detour.ts";
import { SELFTEST_PREFIX, SELFTEST_SCOPE } from "../selftest/names.ts";
import { type SelfTestRow, selfTestProxy } from "../selftest/proxy-paths.ts";
import type { VaultStore } from "../vault-store/store.ts";
import { DetectorInspector } from "./inspector.ts";
import type { HostModels } from "./models.ts";
import type { TraceSessions } from "./trace-sessions.ts";

export interface EgressServiceDeps {
  config: () => RouterConfig;
  detector: () => Detector;
  vault: () => VaultStore;
  traces: TraceSessions;
  models: HostModels;
  installKey: () => string;
  dataDir: string;
  conversationAccess: () => boolean;
  /** Runs before each request is judged: memory files that changed are taken in. */
  freshen: () => void;
  log: { info(message: string): void; error(message: string): void };
}

/** How long after a self-test its last turns may still leave something. */
const TIDY_MS = 30_000;

export class EgressService {
  private readonly deps: EgressServiceDeps;
  private proxy: EgressProxy | undefined;
  private port: number | undefined;
  private failure: string | undefined;
  private opening = false;
  private readonly detour: DetourReader;
  private testUpstreams: Record<string, Upstream> = {};
  /** Until when self-tests may leave values in the vault, on the clock of `performance`; a killed process may have. */
  private tidyUntil = performance.now() + TIDY_MS;
  private tested: { ok: boolean; text: string } | undefined;
  private readonly listeners = new Set<(event: EgressEvent) => void>();

  constructor(deps: EgressServiceDeps) {
    this.deps = deps;
    this.detour = new DetourReader(deps.dataDir);
  }

  /** Never throws: a port that is taken closes traffic and is reported. */
  async open(): Promise<void> {
    this.port = this.deps.config().privacy.proxyPort;
    try {
      this.proxy = await createEgressProxy({
        port: this.port,
        installKey: this.deps.installKey(),
        upstreams: () => ({ ...this.deps.models.upstreams(), ...this.testUpstreams, ...this.detour.now() }),
        localHosts: () => this.deps.config().privacy.localHosts,
        inspect: new DetectorInspector(this.deps.detector),
        vault: this.deps.vault().vault,
        sessionOf: (hint) => {
          this.deps.freshen();
          // While the self-test runs, requests that nothing tells of are its own: titles, say.
          return (
            this.deps.traces.sessionOf(hint) ??
            (hint.providerId.startsWith(SELFTEST_PREFIX) || this.isDetoured() ? SELFTEST_SCOPE : undefined)
          );
        },
        policy: () => this.policy(),
        closedBecause: () => this.closedBecause(),
        onEvent: (event) => {
          for (const listener of this.listeners) listener(event);
        },
      });
      this.failure = undefined;
      this.deps.log.info(`clawxrouter: proxy listens on 127.0.0.1:${this.proxy.port}`);
    } catch (error) {
      this.proxy = undefined;
      const failure = error instanceof Error ? error.message : String(error);
      if (failure !== this.failure) this.deps.log.error(`clawxrouter: ${failure}`);
      this.failure = failure;
    }
  }

  /**
   * Opens a proxy that could not be opened, when its port has become free: an old gateway may take a while to go.
   * @returns true when it is open now and was not before
   */
  async retry(): Promise<boolean> {
    if (this.proxy !== undefined || this.failure === undefined || this.opening) return false;
    this.opening = true;
    try {
      await this.open();
    } finally {
      this.opening = false;
    }
    return this.state().port !== undefined;
  }

  async close(): Promise<void> {
    const proxy = this.proxy;
    this.proxy = undefined;
    this.failure = undefined;
    await proxy?.close();
  }

  /** Opens the proxy at its new port after an edit of the settings. */
  async follow(): Promise<void> {
    if (this.proxy === undefined && this.failure === undefined) return;
    if (this.port === this.deps.config().privacy.proxyPort && this.failure === undefined) return;
    await this.close();
    await this.open();
  }

  state(): {
    port: number | undefined;
    failure: string | undefined;
    selfTest: { ok: boolean; text: string } | undefined;
  } {
    return { port: this.proxy?.port, failure: this.failure, selfTest: this.tested };
  }

  onEvent(listener: (event: EgressEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /**
   * Sends canaries through the running proxy to a recorder in this process; a leak closes all traffic.
   * @param paths names of the shapes to try; default all
   */
  async selfTest(paths?: readonly string[]): Promise<SelfTestRow[]> {
    if (this.proxy === undefined) throw new Error(this.failure ?? "the proxy is not running");
    const rows = await selfTestProxy({
      port: this.proxy.port,
      installKey: this.deps.installKey(),
      paths,
      withUpstreams: async (upstreams, run) => {
        this.testUpstreams = upstreams;
        try {
          return await run();
        } finally {
          this.testUpstreams = {};
          this.tidyUntil = performance.now() + TIDY_MS;
          this.tidy();
        }
      },
    });
    const leaks = rows.filter((row) => row.leaked.length > 0);
    const mute = rows.filter((row) => !row.answered);
    this.tested =
      leaks.length > 0
        ? {
            ok: false,
            text: `self-test: ${leaks.map((row) => `${row.path} let through ${row.leaked.join(", ")}`).join("; ")}`,
          }
        : mute.length > 0
          ? { ok: false, text: `self-test: ${mute.map((row) => `${row.path}: ${row.detail}`).join("; ")}` }
          : { ok: true, text: `self-test: ${rows.length} paths, nothing got through` };
    return rows;
  }

  /** Takes out of the vault what a self-test has left, however it ended; called from time to time. */
  tidy(): void {
    if (this.isDetoured() || Object.keys(this.testUpstreams).length > 0)
      this.tidyUntil = performance.now() + TIDY_MS;
    else if (performance.now() < this.tidyUntil) {
      try {
        this.deps.vault().forgetSelfTests();
      } catch (error) {
        this.deps.log.error(
          `clawxrouter: values of the self-test are still in the vault: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }

  /** Whether a self-test of the command line runs, and gets the requests of all. */
  private isDetoured(): boolean {
    return Object.keys(this.detour.now()).length > 0;
  }

  private policy(): EgressPolicy {
    const { s3Outbound, media, maxBodyBytes, inspectTimeoutMs } = this.deps.config().privacy;
    // Also under s2Policy "local" placeholders hold: titles and recaps of such a turn still go out, without a value.
    return { s3: s3Outbound, s2: "placeholder", media, maxBodyBytes, inspectTimeoutMs };
  }

  private closedBecause(): string | undefined {
    if (Object.keys(this.testUpstreams).length > 0) return undefined;
    if (!this.deps.conversationAccess()) {
      return (
        "ClawXRouter 没有会话访问权限，无法判断内容是否私密，因此不转发。请运行: openclaw config set plugins.entries.clawxrouter.hooks.allowConversationAccess true（若已设置: openclaw gateway restart）\n" +
        "ClawXRouter has no conversation access, so it cannot route private text and forwards nothing. Run: openclaw config set plugins.entries.clawxrouter.hooks.allowConversationAccess true (when it is set already: openclaw gateway restart)"
      );
    }
    // Only a leak closes traffic; a path that did not answer is reported, not punished.
    if (this.tested !== undefined && !this.tested.ok && this.tested.text.includes("let through"))
      return this.tested.text;
    return undefined;
  }
}
