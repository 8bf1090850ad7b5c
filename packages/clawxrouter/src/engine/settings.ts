/** What clawxrouter.json makes: detectors and routers. An edit builds all of it anew or, when bad, changes nothing. */
import { statSync } from "node:fs";
import { copyManaged, isBlankFile, readConfigFile } from "../config-file/file.ts";
import { keepLastGood, readLastGood } from "../config-file/last-good.ts";
import { defaultConfig } from "../config-file/parse.ts";
import type { RouterConfig } from "../config-file/schema.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import { semanticDetector } from "../detection/semantic.ts";
import type { SemanticDetector } from "../detection/types.ts";
import { asRouter } from "../routing/code-router.ts";
import { ConfigurableRouter } from "../routing/configurable-router.ts";
import { PRIVACY_ROUTER, TOKEN_SAVER_ROUTER } from "../routing/pipeline.ts";
import type { ClawXrouterRouter } from "../routing/types.ts";
import { loadModule, modulePath } from "../user-code/module.ts";

export interface SettingsDeps {
  configFile: string;
  /** Where the last valid settings are kept for a start without them; undefined: nowhere. */
  lastGoodFile?: string;
  /** The routers that are part of ClawXRouter. */
  builtin: readonly ClawXrouterRouter[];
  /** Live: text of the detection prompt. */
  detectionPrompt: () => string;
  error: (message: string) => void;
}

interface Built {
  config: RouterConfig;
  detector: Detector;
  semantic: SemanticDetector | undefined;
  routers: Map<string, ClawXrouterRouter>;
}

export class Settings {
  private readonly deps: SettingsDeps;
  private built: Built | undefined;
  private fault: string | undefined;
  private generation = 0;
  /** Whether the settings in force are those of a file. */
  private fromFile = false;
  private loadingRouters: Promise<void> = Promise.resolve();
  private readonly listeners = new Set<() => void>();

  constructor(deps: SettingsDeps) {
    this.deps = deps;
  }

  config(): RouterConfig {
    return this.now().config;
  }

  detector(): Detector {
    return this.now().detector;
  }

  routers(): ReadonlyMap<string, ClawXrouterRouter> {
    return this.now().routers;
  }

  /** What is wrong in the file now; undefined when it is fine. */
  error(): string | undefined {
    return this.fault;
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Resolves when the code routers named in the settings are loaded. */
  ready(): Promise<void> {
    this.now();
    return this.loadingRouters;
  }

  /**
   * Reads the file anew. A bad one leaves the last good settings in force, at a start those of the run before, or the
   * defaults when there were none.
   */
  reload(): void {
    const { configFile, lastGoodFile } = this.deps;
    const lastGood = () =>
      this.built === undefined && lastGoodFile !== undefined
        ? readLastGood(configFile, lastGoodFile)
        : undefined;
    try {
      const isBlank = isBlankFile(configFile);
      // With its settings the rules of the user would be gone, and the way to every provider.
      if (isBlank && (this.fromFile || lastGood() !== undefined))
        throw new Error(
          `${configFile} is gone or empty; the last good settings stay in force. Put it back, or write {} into it for the defaults`,
        );
      this.use(this.build(readConfigFile(configFile)));
      this.fromFile = !isBlank;
      copyManaged(configFile);
      if (lastGoodFile !== undefined) keepLastGood(configFile, lastGoodFile);
      this.fault = undefined;
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error);
      this.deps.error(this.fault);
      if (this.built === undefined) this.use(this.firstOf(lastGood()));
    }
    for (const listener of this.listeners) listener();
  }

  close(): void {
    this.built?.semantic?.close();
  }

  private now(): Built {
    if (this.built === undefined) this.reload();
    if (this.built === undefined) throw new Error("no settings");
    return this.built;
  }

  private firstOf(lastGood: RouterConfig | undefined): Built {
    if (lastGood !== undefined) {
      try {
        const built = this.build(lastGood);
        this.fromFile = true;
        return built;
      } catch (error) {
        this.deps.error(error instanceof Error ? error.message : String(error));
      }
    }
    return this.build(defaultConfig());
  }

  private use(built: Built): void {
    const old = this.built;
    old?.semantic?.close();
    // Until a code router's new version is loaded, and where it cannot be, the last one goes on: none is no safe choice.
    for (const [id, entry] of Object.entries(built.config.privacy.routers)) {
      const router = old?.config.privacy.routers[id]?.type === "custom" ? old.routers.get(id) : undefined;
      if (entry.type === "custom" && entry.enabled && router !== undefined) built.routers.set(id, router);
    }
    this.built = built;
    this.loadingRouters = this.loadCodeRouters(built);
  }

  private build(config: RouterConfig): Built {
    const { privacy } = config;
    const semantic = semanticDetector(privacy, this.deps.detectionPrompt, this.deps.configFile);
    const detector = new Detector(
      privacy,
      new RuleDetector(privacy.rules),
      semantic,
      `${process.pid}-${++this.generation}`,
    );
    const routers = new Map<string, ClawXrouterRouter>(
      this.deps.builtin.map((router) => [router.id, router]),
    );
    for (const [id, entry] of Object.entries(privacy.routers)) {
      if (id === PRIVACY_ROUTER || id === TOKEN_SAVER_ROUTER) continue;
      if (entry.type === "configurable") {
        const prompt = entry.prompt;
        const own =
          prompt === undefined ? undefined : semanticDetector(privacy, () => prompt, this.deps.configFile);
        routers.set(id, new ConfigurableRouter(id, entry, own));
      } else if (entry.type === "custom") {
        if (entry.module === undefined)
          throw new Error(`privacy.routers.${id}: type "custom" needs a module`);
        modulePath(entry.module, this.deps.configFile);
      } else
        throw new Error(
          `privacy.routers.${id}: type "builtin" is for ${PRIVACY_ROUTER} and ${TOKEN_SAVER_ROUTER}`,
        );
    }
    return { config, detector, semantic, routers };
  }

  private async loadCodeRouters(built: Built): Promise<void> {
    for (const [id, entry] of Object.entries(built.config.privacy.routers)) {
      if (entry.type !== "custom" || entry.module === undefined || !entry.enabled) continue;
      try {
        const file = modulePath(entry.module, this.deps.configFile);
        built.routers.set(id, asRouter(await loadModule(file, statSync(file).mtimeMs), id, file));
      } catch (error) {
        const what = built.routers.has(id) ? "goes on as it was" : "is not used";
        this.deps.error(`router "${id}" ${what}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
}
