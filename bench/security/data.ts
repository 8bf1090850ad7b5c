import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Row } from "./types.ts";

const REPO = resolve(import.meta.dirname, "../..");
const SHARED = resolve(REPO, "../shared/data");

/** A span that people labelled. */
export interface LabelledSpan {
  readonly entity_type: string;
  readonly entity_value: string;
  readonly start_position: number;
  readonly end_position: number;
}

export interface LabelledText {
  readonly text: string;
  readonly tag?: string;
  readonly spans: readonly LabelledSpan[];
}

/** Records of a JSON Lines file under `../shared/data`, or undefined where that folder is absent. */
export function readSharedLines<T>(path: string): T[] | undefined {
  const file = join(SHARED, path);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

/** The one row of a part that has nothing to measure. */
export function absent(path: string): Row[] {
  return [{ note: `skipped: ../shared/data/${path} is not here` }];
}

export interface CleanFile {
  readonly path: string;
  readonly text: string;
}

/** Files of the installed OpenClaw: public, published code and documentation, taken as free of private values. */
export function cleanFiles(kind: "code" | "docs"): CleanFile[] {
  const root = join(REPO, "node_modules/openclaw", kind === "code" ? "dist" : "docs");
  const names = globSync(kind === "code" ? "**/*.js" : "**/*.md", { cwd: root }).sort();
  return names.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Prints what a figure hides, when asked to by `BENCH_VERBOSE=1`. */
export function explain(line: string): void {
  if (process.env.BENCH_VERBOSE === "1") console.log(line);
}

export function percent(part: number, whole: number): string {
  return whole === 0 ? "-" : `${((100 * part) / whole).toFixed(1)} %`;
}
