/**
 * Both engines behind one call: rules first; the local model only where the checkpoint asks for it and the rules
 * have not already said S3 (nothing is stricter). No answer of the local model is never S1 by itself.
 */
import { levelOf, maxLevel } from "@clawx/shared-security";
import type { Checkpoint, DetectorName, PrivacyConfig } from "../config-file/schema.ts";
import type { RuleDetector } from "./rules.ts";
import type { Detection, SemanticDetector } from "./types.ts";

export class Detector {
  private readonly rules: RuleDetector;
  private readonly semantic: SemanticDetector | undefined;
  private readonly config: PrivacyConfig;
  private readonly revision: string;

  /** @param semantic undefined when no local model is configured: then the rules alone decide */
  constructor(
    config: PrivacyConfig,
    rules: RuleDetector,
    semantic: SemanticDetector | undefined,
    revision: string,
  ) {
    this.config = config;
    this.rules = rules;
    this.semantic = semantic;
    this.revision = revision;
  }

  /** Changes whenever the same text may be judged otherwise. */
  version(): string {
    return `${this.revision}:${this.semantic?.version() ?? "none"}`;
  }

  /** Rules alone; synchronous, for hooks that cannot wait. */
  detectByRules(text: string): Detection {
    return this.rules.detect(text);
  }

  /** Whether a checkpoint asks a local model that is configured. */
  isSemantic(checkpoint: Checkpoint): boolean {
    return this.semantic !== undefined && this.asks(checkpoint, "localModelDetector");
  }

  async detect(text: string, checkpoint: Checkpoint, signal?: AbortSignal): Promise<Detection> {
    const byRules = this.asks(checkpoint, "ruleDetector") ? this.rules.detect(text) : NOTHING;
    if (
      byRules.level === "S3" ||
      this.semantic === undefined ||
      !this.isSemantic(checkpoint) ||
      text.trim() === ""
    ) {
      return byRules;
    }
    const meant = await this.semantic.detect(text, signal);
    const findings = [...byRules.findings];
    for (const finding of meant.findings) {
      if (!findings.some((other) => finding.start < other.end && other.start < finding.end))
        findings.push(finding);
    }
    findings.sort((a, b) => a.start - b.start);
    let level = maxLevel(maxLevel(byRules.level, meant.level), levelOf(findings));
    const reasons = [...byRules.reasons, ...meant.reasons];
    if (meant.degraded !== undefined && this.config.failClosed !== "off") {
      level = maxLevel(level, this.config.failClosed);
      reasons.push(`${meant.degraded}: treated as ${this.config.failClosed} (privacy.failClosed)`);
    }
    return { level, findings, reasons, degraded: meant.degraded };
  }

  private asks(checkpoint: Checkpoint, name: DetectorName): boolean {
    return this.config.checkpoints[checkpoint].includes(name);
  }
}

const NOTHING: Detection = { level: "S1", findings: [], reasons: [], degraded: undefined };
