/** A router made of settings only: keywords, regexes and, when it has a prompt, the local model. */
import type { RouterEntryConfig } from "../config-file/schema.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { SemanticDetector } from "../detection/types.ts";
import type { ClawXrouterRouter, RouterContext, RouterDecision } from "./types.ts";

export class ConfigurableRouter implements ClawXrouterRouter {
  readonly id: string;
  private readonly rules: RuleDetector;
  private readonly semantic: SemanticDetector | undefined;

  /**
   * @param semantic the local model with this router's prompt; undefined without a prompt or a local model
   * @throws when a pattern of the entry is not valid
   */
  constructor(id: string, entry: RouterEntryConfig, semantic: SemanticDetector | undefined) {
    this.id = id;
    this.rules = new RuleDetector({
      builtin: false,
      keywords: entry.keywords,
      patterns: entry.patterns,
      allow: [],
    });
    this.semantic = semantic;
  }

  async detect(context: RouterContext, config: Readonly<RouterEntryConfig>): Promise<RouterDecision> {
    let found = this.rules.detect(context.message);
    if (found.level !== "S3" && this.semantic !== undefined) {
      const meant = await this.semantic.detect(context.message, context.signal);
      if (meant.level > found.level) found = { ...meant, findings: [...found.findings, ...meant.findings] };
    }
    const { level, findings, degraded } = found;
    const reason = found.reasons.join("; ");
    if (config.target !== undefined && (level !== "S1" || nothingConfigured(config))) {
      return {
        level,
        action: "redirect",
        target: config.target,
        reason: reason || "always",
        findings,
        degraded,
      };
    }
    if (level === "S1")
      return { level, action: "passthrough", reason: reason || "nothing matched", degraded };
    return { level, action: level === "S3" ? "redirect" : "transform", reason, findings, degraded };
  }
}

/** An entry with a target and no condition redirects everything. */
function nothingConfigured(config: Readonly<RouterEntryConfig>): boolean {
  const lists = [config.keywords.S2, config.keywords.S3, config.patterns.S2, config.patterns.S3];
  return config.prompt === undefined && lists.every((list) => list.length === 0);
}
