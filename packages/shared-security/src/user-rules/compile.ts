import { RE2JS, RE2JSSyntaxException } from "re2js";
import type { PrivateLevel } from "../types.ts";
import { KeywordFinder, type UserKeyword } from "./keywords.ts";
import { RuleError } from "./rule-error.ts";

/** A list for each private level. */
export interface ByLevel<T> {
  readonly S2?: readonly T[] | undefined;
  readonly S3?: readonly T[] | undefined;
}

/** The user's rules as they stand in a configuration file. */
export interface UserRules {
  readonly keywords?: ByLevel<string> | undefined;
  /** RE2 syntax; `(?i)`, `(?s)`, `(?m)` prefixes as usual. Backreferences and lookarounds do not exist in it. */
  readonly patterns?: ByLevel<string> | undefined;
}

/** A place where one of the user's rules matched. */
export interface UserMatch {
  readonly start: number;
  readonly end: number;
  readonly type: string;
  readonly level: PrivateLevel;
  readonly rule: string;
}

/** The user's rules, ready to run in time linear in the text, whatever they are. */
export interface CompiledUserRules {
  /** All matches in a (folded) text, unsorted, overlaps allowed. */
  find(text: string): UserMatch[];
}

interface UserPattern {
  readonly regex: RE2JS;
  readonly level: PrivateLevel;
  readonly id: string;
}

const LEVELS = ["S2", "S3"] as const;

/**
 * Compiles the user's keywords and patterns, once.
 * @throws RuleError for a rule that is empty or no RE2, with its place in the configuration, text and position. A rule
 * is never left out silently.
 */
export function compileUserRules(rules: UserRules): CompiledUserRules {
  const keywords: UserKeyword[] = [];
  const patterns: UserPattern[] = [];
  for (const level of LEVELS) {
    rules.keywords?.[level]?.forEach((text, index) => {
      if (text.trim() === "") throw new RuleError(`keywords.${level}[${index}]`, text, 0, "empty keyword");
      keywords.push({ text: text.trim(), level });
    });
    rules.patterns?.[level]?.forEach((text, index) => {
      const where = `patterns.${level}[${index}]`;
      patterns.push({ regex: compilePattern(where, text), level, id: `user/${where}` });
    });
  }
  const finder = keywords.length > 0 ? new KeywordFinder(keywords) : undefined;
  return {
    find(text) {
      const matches: UserMatch[] = [];
      for (const { start, end, keyword } of finder?.find(text) ?? []) {
        matches.push({ start, end, type: "KEYWORD", level: keyword.level, rule: "user/keyword" });
      }
      for (const pattern of patterns) collectPattern(pattern, text, matches);
      return matches;
    },
  };
}

function compilePattern(where: string, text: string): RE2JS {
  if (text === "") throw new RuleError(where, text, 0, "empty pattern");
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const position = error.input === null ? 0 : Math.max(0, text.indexOf(error.input));
    throw new RuleError(where, text, position, `not a regular expression that RE2 accepts (${error.error})`);
  }
  if (regex.test(""))
    throw new RuleError(where, text, 0, "the pattern matches the empty text, so it would match everywhere");
  return regex;
}

function collectPattern(pattern: UserPattern, text: string, matches: UserMatch[]): void {
  // `test` runs on the DFA, an order of magnitude faster than finding where.
  if (!pattern.regex.test(text)) return;
  const matcher = pattern.regex.matcher(text);
  while (matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start) matches.push({ start, end, type: "PATTERN", level: pattern.level, rule: pattern.id });
  }
}
