import { loadavg } from "node:os";
import { missingData } from "./security/data.ts";
import type { BenchPart } from "./security/types.ts";
import { type Check, printVerdict } from "./verdict.ts";

/**
 * `pnpm bench:security [part ...]`: what shared-security finds, leaves alone, and how fast, beside public peers in the
 * same process; then each figure against its goal. Exit code 0: all goals reached, 1: one is short, 2: nothing measured.
 * A part is a file `bench/security/<name>.ts` that default-exports a {@link BenchPart}.
 */
const PARTS = [
  "pii-en",
  "pii-zh",
  "secrets",
  "clean",
  "injection",
  "speed",
  "adversarial",
  "round-trip",
] as const;

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !PARTS.some((part) => part === name));
if (unknown.length > 0) stop(`no part is called ${unknown.join(", ")}. Parts: ${PARTS.join(", ")}.`);

const parts: BenchPart[] = [];
for (const name of PARTS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const file = new URL(`./security/${name}.ts`, import.meta.url);
  parts.push(((await import(file.href)) as { default: BenchPart }).default);
}

const missing = [...new Set(parts.flatMap((part) => missingData(part.needs)))];
if (missing.length > 0) {
  stop(
    `the measured data is not here, so nothing was measured. Missing:\n${missing.map((path) => `  ${path}`).join("\n")}\n` +
      "It belongs beside this repository (../shared/data, see its README.md); parts that need none: clean, adversarial.",
  );
}

console.log(`load average at start: ${load()}`);
const checks: Check[] = [];
for (const part of parts) {
  const started = performance.now();
  console.log(`\n${part.title}`);
  const result = await part.run();
  console.table(result.rows);
  console.log(`(${((performance.now() - started) / 1000).toFixed(1)} s)`);
  checks.push(...result.checks);
}
console.log(`\nload average at end: ${load()}`);
printVerdict(checks);

function load(): string {
  return loadavg()
    .map((average) => average.toFixed(2))
    .join(", ");
}

function stop(message: string): never {
  console.error(`bench:security: ${message}`);
  process.exit(2);
}
