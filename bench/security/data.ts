import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";

const REPO = resolve(import.meta.dirname, "../..");
/** The folder of the development data. */
export const SHARED = resolve(REPO, "../shared/data");

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

/** Which of these paths under `../shared/data` are absent, in full. */
export function missingData(paths: readonly string[]): string[] {
  return paths.map((path) => join(SHARED, path)).filter((path) => !existsSync(path));
}

/**
 * Records of a JSON Lines file under `../shared/data`.
 * @throws Error when the file is absent: the parts name what they need, so that this is known before.
 */
export function sharedLines<T>(path: string): T[] {
  const lines = readSharedLines<T>(path);
  if (lines === undefined) throw new Error(`../shared/data/${path} is not here`);
  return lines;
}

/** Records of a JSON Lines file under `../shared/data`, or undefined where that folder is absent. */
export function readSharedLines<T>(path: string): T[] | undefined {
  const file = join(SHARED, path);
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as T);
}

/** Text of a gzip file under `../shared/data`. Throws when it is absent. */
export function readSharedGzip(path: string): string {
  return gunzipSync(readFileSync(join(SHARED, path))).toString("utf8");
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
