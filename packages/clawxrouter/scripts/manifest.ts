/** Writes the `configSchema` of openclaw.plugin.json from src/config.ts: node packages/clawxrouter/scripts/manifest.ts */
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { PluginConfigSchema } from "../src/config.ts";

const file = fileURLToPath(new URL("../openclaw.plugin.json", import.meta.url));

/** The manifest with the schema of the settings as they are now. */
export function generatedManifest(): string {
  const manifest = JSON.parse(readFileSync(file, "utf8")) as Record<string, unknown>;
  manifest.configSchema = JSON.parse(JSON.stringify(PluginConfigSchema));
  manifest.uiHints = Object.fromEntries(
    Object.entries(PluginConfigSchema.properties).map(([name, schema]) => [
      name,
      { label: name, help: schema.description ?? "" },
    ]),
  );
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(file, generatedManifest());
  console.log(`wrote ${file}`);
}
