import { type Level, maxLevel, type PrivateLevel } from "../types.ts";

/** One of the user's sensitive paths, taken apart. */
interface PathRule {
  readonly level: PrivateLevel;
  /** Segments in lower case; `*` stands for any one segment part. */
  readonly segments: readonly RegExp[];
  /** Only at the start of a path: the rule began with `/`, `~` or a drive, and did not end with `/`. */
  readonly anchored: boolean;
}

/** Names tool calls and paths as the user's rules see them. */
export class PathRules {
  readonly #rules: readonly PathRule[];
  readonly #home: string;

  /**
   * @param home the home folder that `~` stands for, absolute.
   * @param paths `~/.ssh` (that folder and all below), `/credentials/` (a folder of that name anywhere), `*.pem`
   * (such a file anywhere).
   */
  constructor(home: string, paths: readonly { readonly text: string; readonly level: PrivateLevel }[]) {
    this.#home = home;
    this.#rules = paths.map(({ text, level }) => {
      const anchored = /^(?:~|\/|[A-Za-z]:)/.test(text) && !/^\/.*\/$/.test(text);
      const segments = segmentsOf(anchored ? expand(text, home) : text).map(wildcard);
      return { level, segments, anchored };
    });
  }

  /** The strictest level of any rule that a path falls under. `.`, `..`, `//`, `\` and case make no difference. */
  levelOf(path: string): Level {
    const segments = segmentsOf(expand(path, this.#home));
    let level: Level = "S1";
    for (const rule of this.#rules) if (fallsUnder(segments, rule)) level = maxLevel(level, rule.level);
    return level;
  }
}

function fallsUnder(segments: readonly string[], rule: PathRule): boolean {
  const last = rule.anchored ? 0 : segments.length - rule.segments.length;
  if (rule.segments.length === 0) return false;
  for (let from = 0; from <= last; from++) {
    if (rule.segments.every((segment, index) => segment.test(segments[from + index] ?? ""))) return true;
  }
  return false;
}

function expand(path: string, home: string): string {
  return path === "~" || /^~[\\/]/.test(path) ? `${home}/${path.slice(1)}` : path;
}

function segmentsOf(path: string): string[] {
  const segments: string[] = [];
  for (const segment of path.toLowerCase().split(/[\\/]+/)) {
    if (segment === "" || segment === ".") continue;
    if (segment === "..") segments.pop();
    else segments.push(segment);
  }
  return segments;
}

function wildcard(segment: string): RegExp {
  const parts = segment.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]*")}$`);
}
