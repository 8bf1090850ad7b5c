/** A detector of the user's own, loaded from the path in clawxrouter.json. */
import { statSync } from "node:fs";
import type { Level } from "@clawx/shared-security";
import type { LocalModelConfig } from "../config-file/schema.ts";
import { loadModule, modulePath } from "../user-code/module.ts";
import { withTimeout } from "../user-code/timeout.ts";
import { entityFindings } from "./answer.ts";
import type { Detection, SemanticDetector } from "./types.ts";

/** What the module's default export must be. */
export interface CustomDetectorModule {
  /**
   * @returns the level, and the sensitive values exactly as they stand in the text
   */
  detect(
    text: string,
    context: { signal: AbortSignal },
  ): Promise<{ level: Level; reason?: string; entities?: { text: string; type: string }[] }>;
}

export class CustomDetector implements SemanticDetector {
  private readonly config: LocalModelConfig;
  private readonly file: string;
  private readonly stamp: number;
  private loading: Promise<CustomDetectorModule> | undefined;

  /** @throws for anything but the path of an existing file */
  constructor(config: LocalModelConfig, module: string, configFile: string) {
    this.config = config;
    this.file = modulePath(module, configFile);
    this.stamp = statSync(this.file).mtimeMs;
  }

  version(): string {
    return `${this.file}@${this.stamp}`;
  }

  close(): void {}

  async detect(text: string, signal: AbortSignal | undefined): Promise<Detection> {
    try {
      this.loading ??= this.load();
      const module = await this.loading;
      const limit = AbortSignal.timeout(this.config.timeoutMs);
      const all = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const answer = await withTimeout(module.detect(text, { signal: all }), this.config.timeoutMs, signal);
      if (answer.level !== "S1" && answer.level !== "S2" && answer.level !== "S3")
        throw new Error("it gave no level");
      const reason = answer.reason ?? "custom detector";
      const findings = entityFindings(
        { level: answer.level, reason, entities: answer.entities ?? [] },
        text,
        0,
      );
      return {
        level: answer.level,
        findings,
        reasons: answer.level === "S1" ? [] : [`custom detector: ${reason}`],
        degraded: undefined,
      };
    } catch (error) {
      const message = error instanceof Error ? error.message.slice(0, 100) : "failed";
      return { level: "S1", findings: [], reasons: [], degraded: `custom detector: ${message}` };
    }
  }

  private async load(): Promise<CustomDetectorModule> {
    const value = await loadModule(this.file, this.stamp);
    const module = value as Partial<CustomDetectorModule> | undefined;
    if (typeof module?.detect !== "function")
      throw new Error("the module's default export has no detect(text, context)");
    return module as CustomDetectorModule;
  }
}
