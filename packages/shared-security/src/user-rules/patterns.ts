import { RE2JS, RE2JSSyntaxException, RE2Set } from "re2js";
import type { PrivateLevel } from "../types.ts";
import { RuleError } from "./rule-error.ts";

/** One of the user's regular expressions, compiled. */
export interface UserPattern {
  readonly regex: RE2JS;
  readonly level: PrivateLevel;
  /** Where it stands in the configuration: `patterns.S2[3]`. */
  readonly where: string;
  /** Whether no match can reach over a line end, so that long texts can be searched block by block. */
  readonly withinLine: boolean;
}

export interface PatternMatch {
  readonly start: number;
  readonly end: number;
  readonly pattern: UserPattern;
}

/** Finding *where* costs ten times what finding *whether* costs; blocks keep the first to where the second said yes. */
const BLOCK = 4096;

/** Parts of a pattern that can match a line end: classes of spaces, negated classes, dot-all, escapes for it. */
const MAY_CROSS_LINES = /\\[sSDWPpnrvxCQ]|\[\^(?!\\s)|\(\?[a-z]*s|[\n\r]|\[:/;

/**
 * Compiles one pattern.
 * @throws RuleError when RE2 does not accept it, or it matches the empty text.
 */
export function compilePattern(where: string, text: string, level: PrivateLevel): UserPattern {
  if (text === "") throw new RuleError(where, text, 0, "empty pattern");
  let regex: RE2JS;
  try {
    regex = RE2JS.compile(text);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    const position = error.input === null ? 0 : Math.max(0, text.indexOf(error.input));
    throw new RuleError(where, text, position, `RE2 does not accept this pattern (${error.error})`);
  }
  if (regex.test("")) {
    throw new RuleError(
      where,
      text,
      0,
      "the pattern matches even the empty text, so it would match everywhere",
    );
  }
  return { regex, level, where, withinLine: !MAY_CROSS_LINES.test(text) && !isAnchored(text) };
}

/** Whether `^`, `$` and their like tie the pattern to the ends of the whole text, which a block would move. */
function isAnchored(text: string): boolean {
  return /[\^$]|\\[Az]/.test(text.replace(/\[\^|\\[\^$]/g, ""));
}

/** Finds many patterns: one automaton says which of them occur at all, in time linear in the text. */
export class PatternFinder {
  readonly #patterns: readonly UserPattern[];
  readonly #set: RE2Set;

  constructor(patterns: readonly UserPattern[]) {
    this.#patterns = patterns;
    this.#set = new RE2Set();
    for (const pattern of patterns) this.#set.add(pattern.regex.pattern());
    this.#set.compile();
  }

  /** All matches, pattern by pattern. */
  find(text: string): PatternMatch[] {
    const matches: PatternMatch[] = [];
    for (const index of this.#set.match(text)) {
      const pattern = this.#patterns[index] as UserPattern;
      if (!pattern.withinLine || text.length <= BLOCK) collect(pattern, text, 0, matches);
      else
        for (const [offset, block] of blocks(text))
          if (pattern.regex.test(block)) collect(pattern, block, offset, matches);
    }
    return matches;
  }
}

function collect(pattern: UserPattern, text: string, offset: number, matches: PatternMatch[]): void {
  const matcher = pattern.regex.matcher(text);
  while (matcher.find()) {
    const start = matcher.start();
    const end = matcher.end();
    if (end > start) matches.push({ start: offset + start, end: offset + end, pattern });
  }
}

/** Cuts a text at line ends into blocks of about {@link BLOCK} code units; a longer line is a block of its own. */
function* blocks(text: string): Generator<[offset: number, block: string]> {
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + BLOCK);
    if (to < text.length) {
      const lineEnd = text.indexOf("\n", to);
      to = lineEnd < 0 ? text.length : lineEnd + 1;
    }
    yield [from, text.slice(from, to)];
    from = to;
  }
}
