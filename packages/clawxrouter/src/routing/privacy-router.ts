/** The privacy router: both detectors of the checkpoint, strictest word wins, then what that means for the route. */
import type { PrivacyConfig } from "../config-file/schema.ts";
import type { Detector } from "../detection/detector.ts";
import { matchPaths } from "../detection/paths.ts";
import { PRIVACY_ROUTER } from "./pipeline.ts";
import type { ClawXrouterRouter, RouterContext, RouterDecision } from "./types.ts";

export interface PrivacyRouterDeps {
  config: () => PrivacyConfig;
  detector: () => Detector;
  /** The level of our own tokens and remembered private texts in the message; `S1` when there are none. */
  remembered: (message: string, sessionKey: string | undefined) => "S1" | "S2" | "S3";
  workspaceDir?: (agentId: string | undefined) => string | undefined;
}

export class PrivacyRouter implements ClawXrouterRouter {
  readonly id = PRIVACY_ROUTER;
  private readonly deps: PrivacyRouterDeps;
  constructor(deps: PrivacyRouterDeps) {
    this.deps = deps;
  }

  async detect(context: RouterContext): Promise<RouterDecision> {
    const config = this.deps.config();
    const remembered = this.deps.remembered(context.message, context.sessionKey);
    if (remembered === "S3")
      return this.decision("S3", ["holds a private text of this conversation"], undefined, []);
    const byTool = this.byTool(context);
    if (byTool?.level === "S3") return this.decision("S3", [byTool.reason], undefined, []);
    const found = await this.deps.detector().detect(context.message, context.checkpoint, context.signal);
    let level = found.level;
    const reasons = [...found.reasons];
    if (level === "S1" && remembered === "S2") {
      level = "S2";
      reasons.push("holds placeholders of this conversation");
    }
    if (byTool !== undefined && level === "S1") level = "S2";
    if (byTool !== undefined) reasons.push(byTool.reason);
    return this.decision(level, reasons, found.degraded, found.findings, config);
  }

  private decision(
    level: RouterDecision["level"],
    reasons: readonly string[],
    degraded: string | undefined,
    findings: RouterDecision["findings"],
    config = this.deps.config(),
  ): RouterDecision {
    const action =
      level === "S1"
        ? "passthrough"
        : level === "S3" || config.s2Policy === "local"
          ? "redirect"
          : "transform";
    return { level, action, reason: reasons.join("; ") || "nothing private found", findings, degraded };
  }

  /** Names of tools and files, at the tool checkpoints. */
  private byTool(context: RouterContext): { level: "S2" | "S3"; reason: string } | undefined {
    if (context.toolName === undefined) return undefined;
    const { tools } = this.deps.config().rules;
    for (const level of ["S3", "S2"] as const) {
      if (tools[level].tools.includes(context.toolName)) return { level, reason: `tool ${context.toolName}` };
    }
    const hit = matchPaths(
      context.toolParams ?? {},
      [],
      { S3: tools.S3.paths, S2: tools.S2.paths },
      {
        workspaceDir: this.deps.workspaceDir?.(context.agentId),
      },
    );
    return hit === undefined ? undefined : { level: hit.level, reason: `path ${hit.rule}` };
  }
}
