/**
 * Runs the routers of a checkpoint: those of weight >= 50 together, the rest only when nothing private was found.
 * The privacy router runs whatever the list says, and before any router that may hand text on (the judge of the
 * token saver may be a service): privacy is not a matter of order.
 */
import type { Checkpoint, PrivacyConfig, RouterEntryConfig } from "../config-file/schema.ts";
import { withTimeout } from "../user-code/timeout.ts";
import { mergeDecisions } from "./merge.ts";
import type { ClawXrouterRouter, PipelineResult, RoutedDecision, RouterContext } from "./types.ts";

/** Routers of at least this weight run in the first phase. */
export const PHASE_ONE_WEIGHT = 50;
/** Longest wait for a router of the user, in milliseconds. */
const ROUTER_TIMEOUT_MS = 10_000;

export const PRIVACY_ROUTER = "privacy";
export const TOKEN_SAVER_ROUTER = "token-saver";

export interface PipelineDeps {
  config: () => PrivacyConfig;
  /** Built-in, configurable and code routers by id. */
  routers: () => ReadonlyMap<string, ClawXrouterRouter>;
  /** Resolves when the code routers are loaded, or could not be. */
  ready?: () => Promise<void>;
  warn: (message: string) => void;
}

interface Planned {
  router: ClawXrouterRouter;
  entry: RouterEntryConfig;
}

export class Pipeline {
  private readonly deps: PipelineDeps;
  constructor(deps: PipelineDeps) {
    this.deps = deps;
  }

  /** Ids in the order they would be asked, first phase first. */
  plan(checkpoint: Checkpoint): { first: string[]; second: string[] } {
    const { first, second } = this.phases(checkpoint);
    return { first: first.map((p) => p.router.id), second: second.map((p) => p.router.id) };
  }

  /** Runs all routers of `context.checkpoint`. Rejects only when the privacy router does: callers fail closed. */
  async run(context: RouterContext): Promise<PipelineResult> {
    await this.deps.ready?.();
    const { first, second } = this.phases(context.checkpoint);
    const decisions = await Promise.all(first.map((planned) => this.ask(planned, context)));
    const early = mergeDecisions(decisions, []);
    if (early.level !== "S1" || early.action === "block") {
      return mergeDecisions(
        decisions,
        second.map((p) => p.router.id),
      );
    }
    // Later routers may hand text on, so they run one after the other and stop at the first block.
    for (const planned of second) {
      const decision = await this.ask(planned, context);
      decisions.push(decision);
      if (decision.level !== "S1" || decision.action === "block") break;
    }
    return mergeDecisions(decisions, []);
  }

  /** Asks a single router, for the test panel. */
  async runOne(id: string, context: RouterContext): Promise<RoutedDecision> {
    const router = this.deps.routers().get(id);
    const entry = this.deps.config().routers[id];
    if (router === undefined || entry === undefined)
      throw new Error(`there is no router "${id}" in privacy.routers`);
    return this.ask({ router, entry }, context);
  }

  private phases(checkpoint: Checkpoint): { first: Planned[]; second: Planned[] } {
    const config = this.deps.config();
    const listed = checkpoint === "outbound" ? [PRIVACY_ROUTER] : config.pipeline[checkpoint];
    const ids = [...new Set(config.enabled ? [PRIVACY_ROUTER, ...listed] : listed)];
    const planned: Planned[] = [];
    for (const id of ids) {
      const entry = config.routers[id];
      const router = this.deps.routers().get(id) ?? (entry?.type === "custom" ? notLoaded(id) : undefined);
      const on = id === PRIVACY_ROUTER ? config.enabled : entry?.enabled === true;
      if (router !== undefined && entry !== undefined && on) planned.push({ router, entry });
    }
    const isFirst = ({ router, entry }: Planned) =>
      router.id === PRIVACY_ROUTER || (router.id !== TOKEN_SAVER_ROUTER && entry.weight >= PHASE_ONE_WEIGHT);
    return { first: planned.filter(isFirst), second: planned.filter((p) => !isFirst(p)) };
  }

  private async ask({ router, entry }: Planned, context: RouterContext): Promise<RoutedDecision> {
    const started = performance.now();
    const finish = (rest: Omit<RoutedDecision, "router" | "weight" | "durationMs">): RoutedDecision => ({
      ...rest,
      router: router.id,
      weight: entry.weight,
      durationMs: performance.now() - started,
    });
    if (router.id === PRIVACY_ROUTER) return finish(await router.detect(context, entry));
    try {
      return finish(
        await withTimeout(Promise.resolve(router.detect(context, entry)), ROUTER_TIMEOUT_MS, context.signal),
      );
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const failed = failedDecision(message, purposeOf(router, entry), this.deps.config().failClosed);
      this.deps.warn(`router "${router.id}": ${failed.reason}`);
      return finish({ ...failed, error: message });
    }
  }
}

/** A router that is there for privacy looks for private text; one that is there for the cost only picks a model. */
function purposeOf(router: ClawXrouterRouter, entry: RouterEntryConfig): "privacy" | "cost" {
  if (router.id === TOKEN_SAVER_ROUTER) return "cost";
  return router.purpose ?? (entry.weight >= PHASE_ONE_WEIGHT ? "privacy" : "cost");
}

/** What holds in the place of an opinion that did not come: privacy fails closed, as set; the cost fails open. */
function failedDecision(
  message: string,
  purpose: "privacy" | "cost",
  failClosed: PrivacyConfig["failClosed"],
): Pick<RoutedDecision, "level" | "action" | "reason"> {
  const reason = `router failed: ${message}`;
  if (purpose === "cost" || failClosed === "off") return { level: "S1", action: "passthrough", reason };
  return {
    level: failClosed,
    action: failClosed === "S3" ? "redirect" : "transform",
    reason: `${reason}: treated as ${failClosed} (privacy.failClosed)`,
  };
}

/** Stands for a code router whose module could not be loaded: it fails when it is asked. */
function notLoaded(id: string): ClawXrouterRouter {
  return { id, detect: () => Promise.reject(new Error("its module could not be loaded")) };
}
