/** The host's manifest, derived from the config schema so that the two cannot drift apart. */
import packageJson from "../package.json" with { type: "json" };
import { configSchema, PLUGIN_ID, uiHints } from "./config.ts";

/** The content of `openclaw.plugin.json`, plain JSON. */
export function buildManifest(): Record<string, unknown> {
  return {
    id: PLUGIN_ID,
    name: "LLM Logger",
    description: packageJson.description,
    version: packageJson.version,
    activation: { onStartup: true },
    configSchema: JSON.parse(JSON.stringify(configSchema)),
    uiHints,
  };
}
