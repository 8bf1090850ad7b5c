import { homedir } from "node:os";
import { fold } from "../fold/fold.ts";
import { type Level, maxLevel, type PrivateLevel } from "../types.ts";
import { KeywordFinder, type UserKeyword } from "./keywords.ts";
import { PathRules } from "./paths.ts";
import { compilePattern, PatternFinder, type UserPattern } from "./patterns.ts";
import { RuleError } from "./rule-error.ts";

/** A list for each private level. */
export interface ByLevel<T> {
  readonly S2?: T | undefined;
  readonly S3?: T | undefined;
}

/** Names of tools, and paths in tool arguments, that raise a call to a level. */
export interface ToolRules {
  readonly tools?: readonly string[] | undefined;
  readonly paths?: readonly string[] | undefined;
}

/** The user's rules as they stand in a configuration file. */
export interface UserRules {
  readonly keywords?: ByLevel<readonly string[]> | undefined;
  /** RE2 syntax; `(?i)`, `(?s)`, `(?m)` prefixes as usual. Backreferences and lookaheads do not exist in it. */
  readonly patterns?: ByLevel<readonly string[]> | undefined;
  readonly tools?: ByLevel<ToolRules> | undefined;
}

/** A place where one of the user's rules matched. */
export interface UserMatch {
  readonly start: number;
  readonly end: number;
  /** `KEYWORD` or `PATTERN`. */
  readonly type: string;
  readonly level: PrivateLevel;
  /** `user/keyword`, or `user/patterns.S2[3]`. */
  readonly rule: string;
}

/** The user's rules, ready to run in time linear in the text, whatever they are. */
export interface CompiledUserRules {
  /** All matches in a (folded) text, unsorted, overlaps allowed. */
  find(text: string): UserMatch[];
  /** The level of calling a tool, by its name alone; case does not matter. */
  toolLevel(name: string): Level;
  /** The level of touching a path. `~` is the home folder; `.`, `..`, `//` and case make no difference. */
  pathLevel(path: string): Level;
}

const LEVELS = ["S2", "S3"] as const;

/**
 * Compiles the user's keywords, patterns, tool names and paths, once.
 * @throws RuleError for a rule that is empty or that RE2 does not accept, with its place in the configuration, its text
 * and the position. A rule is never left out silently.
 */
export function compileUserRules(
  rules: UserRules,
  options: { readonly home?: string } = {},
): CompiledUserRules {
  const keywords = collect(rules.keywords, "keywords", (text, level) => spellings(text, level)).flat();
  const patterns = LEVELS.flatMap((level): UserPattern[] =>
    (rules.patterns?.[level] ?? []).map((text, index) =>
      compilePattern(`patterns.${level}[${index}]`, text, level),
    ),
  );
  const tools = new Map<string, Level>();
  for (const level of LEVELS) {
    for (const tool of checked(rules.tools?.[level]?.tools, `tools.${level}.tools`)) {
      tools.set(tool.toLowerCase(), maxLevel(level, tools.get(tool.toLowerCase()) ?? "S1"));
    }
  }
  const paths = new PathRules(
    options.home ?? homedir(),
    LEVELS.flatMap((level) =>
      checked(rules.tools?.[level]?.paths, `tools.${level}.paths`).map((text) => ({ text, level })),
    ),
  );
  const keywordFinder = keywords.length > 0 ? new KeywordFinder(keywords) : undefined;
  const patternFinder = patterns.length > 0 ? new PatternFinder(patterns) : undefined;
  return {
    find: (text) => [
      ...(keywordFinder?.find(text) ?? []).map(
        ({ start, end, keyword }): UserMatch => ({
          start,
          end,
          type: "KEYWORD",
          level: keyword.level,
          rule: "user/keyword",
        }),
      ),
      ...(patternFinder?.find(text) ?? []).map(
        ({ start, end, pattern }): UserMatch => ({
          start,
          end,
          type: "PATTERN",
          level: pattern.level,
          rule: `user/${pattern.where}`,
        }),
      ),
    ],
    toolLevel: (name) => tools.get(name.toLowerCase()) ?? "S1",
    pathLevel: (path) => paths.levelOf(path),
  };
}

/** A keyword as texts have it: as it is, folded as texts are, and in the cases of letters beyond ASCII. */
function spellings(text: string, level: PrivateLevel): UserKeyword[] {
  const folded = fold(text).text.trim();
  const all = [text, folded].flatMap((form) => [
    form,
    ...(/[^\0-\x7f]/.test(form)
      ? [form.toLowerCase(), form.toUpperCase(), form.normalize("NFC"), form.normalize("NFD")]
      : []),
  ]);
  return [...new Set(all)].filter((form) => form !== "").map((form) => ({ text: form, level }));
}

function collect<T>(
  lists: ByLevel<readonly string[]> | undefined,
  where: string,
  make: (text: string, level: PrivateLevel) => T,
): T[] {
  return LEVELS.flatMap((level) =>
    checked(lists?.[level], `${where}.${level}`).map((text) => make(text, level)),
  );
}

function checked(texts: readonly string[] | undefined, where: string): string[] {
  return (texts ?? []).map((text, index) => {
    if (text.trim() === "") throw new RuleError(`${where}[${index}]`, text, 0, "empty entry");
    return text.trim();
  });
}
