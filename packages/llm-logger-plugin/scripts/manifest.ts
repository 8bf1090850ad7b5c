/** Writes `openclaw.plugin.json` from the config schema: `node packages/llm-logger-plugin/scripts/manifest.ts`. */
import { writeFileSync } from "node:fs";
import path from "node:path";
import { buildManifest } from "../src/manifest.ts";

const target = path.resolve(import.meta.dirname, "../openclaw.plugin.json");
writeFileSync(target, `${JSON.stringify(buildManifest(), null, 2)}\n`);
console.log(`wrote ${target}`);
