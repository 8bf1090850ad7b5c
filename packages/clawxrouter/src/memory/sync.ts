/**
 * Dual memory. What the agent and cloud models see is `MEMORY.md` and `memory/*.md` in the workspace, clean; the
 * full text is `MEMORY-FULL.md` and its days in ClawXRouter's own folder, outside the workspace. Either may be
 * edited: both edits are merged, conflicts are kept on both sides and reported.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { replaceFile } from "../config-file/file.ts";
import { type MergeConflict, matches, merge3 } from "./diff3.ts";
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
  /** Why the pair was left as it is; undefined when it was not. */
  skipped?: string;
  changed: { clean: boolean; full: boolean };
  /** True when the full side was gone and was made anew: a file is deleted in the workspace. */
  remade?: boolean;
  conflicts: readonly MergeConflict[];
}

/** Keeps the last merged text of each file, the base of the next merge. */
export interface MergeBases {
  get(key: string): string | undefined;
  /** @param tokens placeholders of the clean text: their values must be kept while it stands */
  set(key: string, text: string, tokens: readonly string[]): void;
}

/** Larger files are no notes; taking them in would hold up everybody else, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024;

/** A file that is left as it is, and why; holds no text of it. */
export class MemoryFileError extends Error {
  override name = "MemoryFileError";
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
    // A workspace that is not there (a disk not mounted yet) is not one whose memory was deleted.
    if (!existsSync(workspaceDir)) return [];
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
    return this.pairs().map((pair) => {
      try {
        return this.merged(pair).report;
      } catch (error) {
        return skipped(pair, error);
      }
    });
  }

  /** The full text of `MEMORY.md`, merged; undefined when there is none. */
  fullMemory(): string | undefined {
    const pair = this.pairs().find(({ name }) => name === CLEAN_NAME);
    return pair === undefined ? undefined : this.merged(pair).full;
  }

  private syncOne(pair: MemoryPair): MemorySyncReport {
    try {
      const { full, clean, report, cleanBefore } = this.merged(pair);
      // An agent can make a link to any file of the user: it is read, so that its values are known, never written.
      const link = this.linkTo(pair);
      if (link !== undefined)
        throw new MemoryFileError(`${link} is a link; put the file itself there to have it synchronised`);
      if (report.changed.full) {
        this.keepDeleted(pair, full);
        replaceFile(pair.full, full);
      }
      // What an agent writes while we merge is not written over: the next look takes it in.
      if (read(pair.clean) !== cleanBefore) return report;
      if (report.changed.clean) replaceFile(pair.clean, clean);
      // The base last: until both sides hold the merged text a line that one side lacks must not count as deleted there.
      this.bases.set(this.key(pair), full, this.projection.tokensOf(clean));
      return report;
    } catch (error) {
      return skipped(pair, error);
    }
  }

  /** What leads out of the workspace on the way to the clean file: the file, or its folder. */
  private linkTo({ clean }: MemoryPair): string | undefined {
    for (let at = clean; at !== this.paths.workspaceDir && at !== path.dirname(at); at = path.dirname(at))
      if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink()) return at;
    return undefined;
  }

  /**
   * Of a text that goes as a whole, because its file vanished from the workspace or was emptied, a copy stays on the full
   * side; each time another one.
   */
  private keepDeleted(pair: MemoryPair, next: string): void {
    const full = read(pair.full);
    if (full === undefined || full.trim() === "" || next.trim() !== "") return;
    let copy = `${pair.full}.deleted`;
    const isFree = () => {
      const kept = statSync(copy, { throwIfNoEntry: false });
      return kept === undefined || (kept.isFile() && kept.size <= MAX_BYTES && read(copy) === full);
    };
    for (let number = 2; !isFree(); number++) copy = `${pair.full}.deleted-${number}`;
    replaceFile(copy, full);
  }

  private merged(pair: MemoryPair): {
    full: string;
    clean: string;
    cleanBefore: string | undefined;
    report: MemorySyncReport;
  } {
    const fullFile = read(pair.full);
    const cleanNow = read(pair.clean);
    const base = this.bases.get(this.key(pair));
    // A full side that is gone was lost, not edited: nobody deletes all his memory there.
    const fullNow = fullFile ?? base;
    const fromClean =
      cleanNow === undefined
        ? undefined
        : this.projection.full(this.projection.revived(cleanNow, base ?? fullNow ?? ""));
    let full: string;
    let conflicts: readonly MergeConflict[] = [];
    if (base === undefined && (fullNow === undefined || fromClean === undefined))
      full = fullNow ?? fromClean ?? "";
    else {
      const [left, right] = [lines(fullNow ?? ""), lines(fromClean ?? "")];
      // Without a base what both sides say counts once, and every other line of both stays.
      const merge = merge3(base === undefined ? common(left, right) : lines(base), left, right);
      full = merge.lines.join("\n");
      conflicts = merge.conflicts;
    }
    const clean = this.projection.clean(full);
    const changed = { full: full !== (fullFile ?? ""), clean: clean !== (cleanNow ?? "") };
    const remade = fullFile === undefined && base !== undefined && full !== "";
    const report = { name: pair.name, changed, conflicts, ...(remade ? { remade } : {}) };
    return { full, clean, cleanBefore: cleanNow, report };
  }

  private key(pair: MemoryPair): string {
    return `memory-base:${createHash("sha256").update(`${this.paths.fullDir}\n${pair.name}`).digest("hex").slice(0, 32)}`;
  }
}

function common(left: readonly string[], right: readonly string[]): string[] {
  const kept = matches(left, right);
  return left.filter((_, index) => kept[index] !== undefined);
}

function lines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Of a pair that cannot be read or written the others must not suffer. @throws what is no fault of a file */
function skipped({ name }: MemoryPair, error: unknown): MemorySyncReport {
  const isFault = error instanceof MemoryFileError || (error instanceof Error && "syscall" in error);
  if (!isFault) throw error;
  const { message } = error;
  return { name, skipped: message, changed: { clean: false, full: false }, conflicts: [] };
}

/**
 * @returns undefined when there is no such file
 * @throws MemoryFileError for what is no text file: reading a pipe would never end, and writing back what is not UTF-8
 *   would spoil it
 */
function read(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw new MemoryFileError(`${file} is no regular file`);
  if (found.size > MAX_BYTES) throw new MemoryFileError(`${file} is larger than ${MAX_BYTES} bytes`);
  const bytes = readFileSync(file);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new MemoryFileError(`${file} is not UTF-8`);
  }
}

function markdownIn(dir: string): string[] {
  return existsSync(dir)
    ? readdirSync(dir).filter((name) => name.endsWith(".md") && !name.startsWith("."))
    : [];
}
