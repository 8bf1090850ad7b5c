/**
 * Which files a tool call would touch, and whether one of them is private. Names are compared after everything
 * that makes two names of one file differ: `~`, `.` and `..`, doubled slashes, symbolic links, case on
 * case-insensitive systems, shell quotes and globs in commands.
 *
 * A convenience, not the guarantee: a program can always build a name at run time. What it reads still passes the
 * tool-result middleware and the egress proxy.
 */
import { realpathSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface PathRules {
  /** Folders and files that only a local model may touch. */
  S3: readonly string[];
  /** Folders and files whose content is redacted. */
  S2: readonly string[];
}

export interface PathHit {
  level: "S2" | "S3";
  /** The rule that matched, as the user wrote it. */
  rule: string;
}

export interface PathContext {
  workspaceDir?: string | undefined;
  home?: string;
}

/** Tool parameters that hold a path, whatever a tool calls it. */
const PATH_KEYS =
  /^(?:paths?|file|files|file_?paths?|filename|dir|directory|cwd|workdir|working_?dir|target|source|src|dest(?:ination)?|from|to|old_?path|new_?path|root|glob|pattern|uri|url|media|image|attachment)s?$/i;
/** Tool parameters that hold a command or code. */
const COMMAND_KEYS = /^(?:command|cmd|script|code|shell|input|args?|argv|patch|sql|query)$/i;

/** Strings of the parameters that may name a file, as given. Nested tools (`tool_call {id, args}`) included. */
export function pathCandidates(params: unknown): string[] {
  const found = new Set<string>();
  collect(params, "", 0, found);
  return [...found];
}

/** The strictest rule that a tool call's parameters hit; undefined when none does. */
export function matchPaths(
  params: unknown,
  derived: readonly string[],
  rules: PathRules,
  context: PathContext,
): PathHit | undefined {
  const candidates = [...pathCandidates(params), ...derived].map((candidate) => variants(candidate, context));
  for (const level of ["S3", "S2"] as const) {
    for (const rule of rules[level]) {
      const matcher = ruleMatcher(rule, context);
      if (candidates.some((names) => names.some(matcher))) return { level, rule };
    }
  }
  return undefined;
}

function collect(value: unknown, key: string, depth: number, found: Set<string>): void {
  if (depth > 8 || found.size > 500) return;
  if (typeof value === "string") {
    if (value.length > 200_000) return;
    if (COMMAND_KEYS.test(key)) for (const word of commandWords(value)) found.add(word);
    if (PATH_KEYS.test(key) || looksLikePath(value)) found.add(value);
    const trimmed = value.trim();
    if (trimmed.startsWith("{") && trimmed.length < 100_000) {
      try {
        collect(JSON.parse(trimmed), key, depth + 1, found);
      } catch {
        // Not JSON after all: the words above are what there is.
      }
    }
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value) collect(item, key, depth + 1, found);
    if (COMMAND_KEYS.test(key) && value.every((item) => typeof item === "string")) {
      for (const word of commandWords(value.join(" "))) found.add(word);
    }
    return;
  }
  if (typeof value === "object" && value !== null) {
    for (const [name, item] of Object.entries(value)) collect(item, name, depth + 1, found);
  }
}

function looksLikePath(value: string): boolean {
  return (
    value.length < 4_096 && !value.includes("\n") && /^(?:~|\.{0,2}[/\\]|file:|[A-Za-z]:[/\\])/.test(value)
  );
}

/** Words of a shell command with quotes and backslashes taken away, as the shell would join them. */
export function commandWords(command: string): string[] {
  const words: string[] = [];
  for (const raw of command.match(/(?:[^\s"'`;|&<>()$]|\\.|"(?:[^"\\]|\\.)*"|'[^']*'|\$\{?HOME\}?)+/g) ??
    []) {
    const word = raw
      .replace(/\$\{?HOME\}?/g, "~")
      .replace(/\\(.)/g, "$1")
      .replace(/["']/g, "");
    if (word === "") continue;
    words.push(word);
    // `--file=/x`, `user@host:/x`, `if=/x`
    const tail = /[=:@]([~./].*)$/.exec(word)?.[1];
    if (tail !== undefined) words.push(tail);
  }
  // A command quoted inside a command: `sh -c "cat /x"`.
  for (const quoted of command.match(/"(?:[^"\\]|\\.)*"|'[^']*'/g) ?? []) {
    const inner = quoted.slice(1, -1);
    if (/\s/.test(inner)) words.push(...commandWords(inner));
  }
  return words;
}

/** Every absolute name the candidate may stand for: as written, and with symbolic links followed. */
function variants(candidate: string, context: PathContext): string[] {
  const absolute = toAbsolute(candidate, context);
  const names = [absolute];
  const real = realName(absolute);
  if (real !== undefined && real !== absolute) names.push(real);
  return names.map(comparable);
}

function toAbsolute(candidate: string, context: PathContext): string {
  const home = context.home ?? os.homedir();
  let name = candidate.trim().normalize("NFC");
  if (name.startsWith("file:")) {
    try {
      name = decodeURIComponent(new URL(name).pathname);
    } catch {
      name = name.slice("file:".length);
    }
  }
  if (name === "~" || name.startsWith("~/")) name = home + name.slice(1);
  return path.resolve(context.workspaceDir ?? home, name);
}

/** The file behind links, also when only a part of the name exists yet. */
function realName(absolute: string): string | undefined {
  let head = absolute;
  const tail: string[] = [];
  for (let i = 0; i < 64; i++) {
    try {
      return path.join(realpathSync(head), ...tail);
    } catch {
      const parent = path.dirname(head);
      if (parent === head) return undefined;
      tail.unshift(path.basename(head));
      head = parent;
    }
  }
  return undefined;
}

function comparable(name: string): string {
  return process.platform === "darwin" || process.platform === "win32" ? name.toLowerCase() : name;
}

/**
 * A rule is a path (everything below it too), or, between slashes such as `/credentials/`, a folder name anywhere,
 * or a bare file name such as `MEMORY-FULL.md` anywhere. Globs in a candidate are matched from the candidate's side.
 */
function ruleMatcher(rule: string, context: PathContext): (name: string) => boolean {
  if (!rule.includes("/") && !rule.startsWith("~")) {
    const wanted = rule.toLowerCase();
    return (name) => globMatches(path.basename(name).toLowerCase(), wanted);
  }
  const folder = /^\/([^/]+)\/$/.exec(rule)?.[1];
  if (folder !== undefined) {
    const wanted = comparable(folder);
    return (name) => name.split(path.sep).some((part) => globMatches(part, wanted));
  }
  const roots = variants(rule, context);
  const own = [context.workspaceDir, context.home ?? os.homedir()]
    .filter((dir): dir is string => dir !== undefined)
    .map(comparable);
  return (name) =>
    roots.some((root) => {
      if (!isWithin(name, root) && !(hasGlob(name) && globPrefix(name, root))) return false;
      // `/root` is private on most machines; where it is the user's own home, or holds the workspace, it is not.
      const contains = own.filter((dir) => isWithin(dir, root));
      return contains.length === 0 || !contains.some((dir) => isWithin(name, dir));
    });
}

function isWithin(name: string, root: string): boolean {
  return name === root || name.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}

function hasGlob(name: string): boolean {
  return /[*?[{]/.test(name);
}

function globMatches(pattern: string, name: string): boolean {
  if (!hasGlob(pattern)) return pattern === name;
  return globRegExp(pattern).test(name);
}

/** Whether a globbed name may reach into `root`, part by part. */
function globPrefix(name: string, root: string): boolean {
  const parts = name.split(path.sep);
  const wanted = root.split(path.sep);
  return wanted.every((part, i) => parts[i] !== undefined && globMatches(parts[i], part));
}

function globRegExp(pattern: string): RegExp {
  const source = pattern
    .replace(/[\\^$+.()|]/g, "\\$&")
    .replace(/\*+/g, ".*")
    .replace(/\?/g, ".")
    .replace(/\{/g, "(?:")
    .replace(/\}/g, ")")
    .replace(/,/g, "|");
  try {
    return new RegExp(`^${source}$`);
  } catch {
    // An odd pattern may mean anything: treat it as one that matches.
    return /^/;
  }
}
