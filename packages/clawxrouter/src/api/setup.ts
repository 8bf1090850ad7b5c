/** The setup plan of an installation, as the CLI and the dashboard show and carry it out. */
import path from "node:path";
import type { Engine } from "../engine/engine.ts";
import { type ConfigChange, planSetup, type SetupPlan } from "../setup/plan.ts";

/** @param host openclaw.json as an object */
export function planFor(engine: Engine, host: unknown): SetupPlan {
  const { privacy, managed } = engine.config();
  return planSetup(host, {
    port: privacy.proxyPort,
    installKey: engine.installKey(),
    localHosts: privacy.localHosts,
    localProviders: privacy.localProviders,
    known: managed.upstreams,
    env: process.env,
  });
}

/** Where openclaw.json is. */
export function hostFile(engine: Engine): string {
  return process.env.OPENCLAW_CONFIG_PATH ?? path.join(engine.stateDir, "openclaw.json");
}

/** A change for the screen: keys are cut out of URLs. */
export function shown(change: ConfigChange): { path: string; before: string; after: string; note: string } {
  return {
    path: change.path,
    before: show(change.before),
    after: show(change.after),
    note: withoutKeys(change.note),
  };
}

export function show(value: unknown): string {
  if (value === undefined) return "(not set)";
  return withoutKeys(JSON.stringify(value));
}

/** A text without what is a key within the URLs in it. */
export function withoutKeys(text: string): string {
  return text
    .replace(/\/k\/[^/"\s]+/g, "/k/…")
    .replace(/:\/\/[^/@"\s]+@/g, "://…@")
    .replace(/([?&](?:key|token|api[-_]?key)=)[^&"\s]+/gi, "$1…");
}
