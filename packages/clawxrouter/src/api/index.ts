/** One object with everything the CLI, the chat command and the dashboard may ask or change. */
import type { Checkpoint } from "../config-file/schema.ts";
import type { Engine } from "../engine/engine.ts";
import type { Posture } from "../posture/posture.ts";
import type { PromptInfo } from "../prompts.ts";
import type { PipelineResult } from "../routing/types.ts";
import { ConfigApi } from "./config.ts";
import { type Summary, summary } from "./stats.ts";
import { classify, preview } from "./test.ts";

export { ConfigApi, type ConfigDocument, VersionConflict, versionOf } from "./config.ts";
export type { ModelTotals, Summary } from "./stats.ts";

const DAY = 86_400_000;

export class RouterApi {
  readonly config: ConfigApi;
  private readonly engine: Engine;
  constructor(engine: Engine) {
    this.engine = engine;
    this.config = new ConfigApi(engine);
  }

  posture(): Posture {
    return this.engine.posture();
  }

  /** @param days how far back; default 30 */
  summary(days = 30): Summary {
    const now = Date.now();
    return summary(this.engine, now - days * DAY, now + 1);
  }

  hourly(from: number, to: number) {
    return this.engine.ledger().hourly(from, to);
  }

  /** Decisions, newest first. */
  detections(filter: Parameters<ReturnType<Engine["ledger"]>["decisions"]>[0] = {}) {
    return this.engine.ledger().decisions(filter);
  }

  requests(filter: Parameters<ReturnType<Engine["ledger"]>["requests"]>[0] = {}) {
    return this.engine.ledger().requests(filter);
  }

  /** Conversations of which the vault holds values. */
  sessions() {
    return this.engine.vault().sessions();
  }

  testClassify(
    text: string,
    checkpoint: Checkpoint,
    router?: string,
    tool?: string,
  ): Promise<PipelineResult> {
    return classify(this.engine, text, checkpoint, router, tool);
  }

  testRoute(text: string) {
    return preview(this.engine, text);
  }

  prompts(): PromptInfo[] {
    return this.engine.prompts.all();
  }

  savePrompt(name: string, text: string): PromptInfo {
    return this.engine.prompts.save(name, text);
  }

  resetPrompt(name: string): PromptInfo {
    return this.engine.prompts.reset(name);
  }

  selfTest() {
    return this.engine.egress.selfTest();
  }
}
