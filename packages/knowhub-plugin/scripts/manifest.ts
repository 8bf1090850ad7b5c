/** Writes openclaw.plugin.json from the code. */
import { writeFile } from "node:fs/promises";
import { manifest } from "../src/manifest.ts";

const file = new URL("../openclaw.plugin.json", import.meta.url);
await writeFile(file, `${JSON.stringify(manifest(), null, 2)}\n`);
console.log(`wrote ${file.pathname}`);
