/**
 * Dual memory. What the agent and cloud models see is `MEMORY.md` and `memory/*.md` in the workspace, clean; the
 * full text is `MEMORY-FULL.md` and its days in ClawXRouter's own folder, outside the workspace. Either may be
 * edited: both edits are merged, conflicts are kept on both sides and reported.
 */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { writePrivateFile } from "../config-file/file.ts";
import { type MergeConflict, merge3 } from "./diff3.ts";
import type { Projection } from "./projection.ts";

export interface MemoryPaths {
  /** The agent's workspace. */
  workspaceDir: string;
  /** ClawXRouter's folder for this agent's full memory. */
  fullDir: string;
}

/** One memory file and its full counterpart. */
export interface MemoryPair {
  /** `MEMORY.md` or `memory/2026-11-30.md`. */
  name: string;
  clean: string;
  full: string;
}

export interface MemorySyncReport {
  name: string;
  changed: { clean: boolean; full: boolean };
  conflicts: readonly MergeConflict[];
}

/** Keeps the last merged text of each file, the base of the next merge. */
export interface MergeBases {
  get(key: string): string | undefined;
  set(key: string, text: string): void;
}

export const CLEAN_NAME = "MEMORY.md";
export const FULL_NAME = "MEMORY-FULL.md";

export class MemorySync {
  private readonly paths: MemoryPaths;
  private readonly projection: Projection;
  private readonly bases: MergeBases;

  constructor(paths: MemoryPaths, projection: Projection, bases: MergeBases) {
    this.paths = paths;
    this.projection = projection;
    this.bases = bases;
  }

  pairs(): MemoryPair[] {
    const { workspaceDir, fullDir } = this.paths;
    const days = new Set([
      ...markdownIn(path.join(workspaceDir, "memory")),
      ...markdownIn(path.join(fullDir, "memory")),
    ]);
    const pairs = [
      { name: CLEAN_NAME, clean: path.join(workspaceDir, CLEAN_NAME), full: path.join(fullDir, FULL_NAME) },
    ];
    for (const day of [...days].sort()) {
      pairs.push({
        name: `memory/${day}`,
        clean: path.join(workspaceDir, "memory", day),
        full: path.join(fullDir, "memory", day),
      });
    }
    return pairs.filter((pair) => existsSync(pair.clean) || existsSync(pair.full));
  }

  /**
   * Brings both sides of every file together. Files that nobody touched are not written.
   * @param wanted only the pairs for which this is true
   */
  sync(wanted: (pair: MemoryPair) => boolean = () => true): MemorySyncReport[] {
    return this.pairs()
      .filter(wanted)
      .map((pair) => this.syncOne(pair));
  }

  /** What {@link sync} would do. */
  diff(): MemorySyncReport[] {
    return this.pairs().map((pair) => this.merged(pair).report);
  }

  /** The full text of `MEMORY.md`, merged; undefined when there is none. */
  fullMemory(): string | undefined {
    const pair = this.pairs().find(({ name }) => name === CLEAN_NAME);
    return pair === undefined ? undefined : this.merged(pair).full;
  }

  private syncOne(pair: MemoryPair): MemorySyncReport {
    const { full, clean, report } = this.merged(pair);
    // The full side and the base first: after a crash in between the merge repeats itself, nothing is lost.
    if (report.changed.full) writePrivateFile(pair.full, full);
    this.bases.set(this.key(pair), full);
    if (report.changed.clean) writePrivateFile(pair.clean, clean);
    return report;
  }

  private merged(pair: MemoryPair): { full: string; clean: string; report: MemorySyncReport } {
    const fullNow = read(pair.full);
    const cleanNow = read(pair.clean);
    const base = this.bases.get(this.key(pair));
    const fromClean = cleanNow === undefined ? undefined : this.projection.full(cleanNow);
    let full: string;
    let conflicts: readonly MergeConflict[] = [];
    if (base === undefined && (fullNow === undefined || fromClean === undefined))
      full = fullNow ?? fromClean ?? "";
    else {
      // Without a base the sides are two independent texts: every line of both stays.
      const merge = merge3(lines(base ?? ""), lines(fullNow ?? ""), lines(fromClean ?? ""));
      full = merge.lines.join("\n");
      conflicts = merge.conflicts;
    }
    const clean = this.projection.clean(full);
    const changed = { full: full !== (fullNow ?? ""), clean: clean !== (cleanNow ?? "") };
    return { full, clean, report: { name: pair.name, changed, conflicts } };
  }

  private key(pair: MemoryPair): string {
    return `memory-base:${createHash("sha256").update(`${this.paths.fullDir}\n${pair.name}`).digest("hex").slice(0, 32)}`;
  }
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

function read(file: string): string | undefined {
  return existsSync(file) ? readFileSync(file, "utf8") : undefined;
}

function markdownIn(dir: string): string[] {
  return existsSync(dir)
    ? readdirSync(dir).filter((name) => name.endsWith(".md") && !name.startsWith("."))
    : [];
}
