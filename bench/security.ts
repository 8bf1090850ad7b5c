import { access } from "node:fs/promises";
import type { BenchPart } from "./security/types.ts";

/**
 * `pnpm bench:security [part ...]`: what shared-security finds, leaves alone, and how fast, beside public peers in the
 * same process. A part is a file `bench/security/<name>.ts` that default-exports a {@link BenchPart}.
 */
const PARTS = ["pii-en", "pii-zh", "secrets", "clean", "injection", "speed", "adversarial"];

const wanted = process.argv.slice(2);
for (const name of PARTS) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const file = new URL(`./security/${name}.ts`, import.meta.url);
  if (!(await exists(file))) continue;
  const started = performance.now();
  const part = ((await import(file.href)) as { default: BenchPart }).default;
  console.log(`\n${part.title}`);
  console.table(await part.run());
  console.log(`(${((performance.now() - started) / 1000).toFixed(1)} s)`);
}

async function exists(file: URL): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
