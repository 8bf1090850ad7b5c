import type { PrivateLevel } from "../types.ts";

/** What a rule's validator may look at besides the value itself. */
export interface MatchContext {
  /** The folded text the pattern ran on (see `fold/`): full-width forms are ASCII, zero-width characters gone. */
  readonly text: string;
  /** The same object for all matches of one scan: a key for what a validator may spend on one text. */
  readonly scan: object;
  /** Where the value starts in `text`. */
  readonly start: number;
  /** One past the value's end in `text`. */
  readonly end: number;
}

/**
 * One kind of private value, as data.
 *
 * A rule costs nothing where none of its keywords occurs: one automaton looks for all keywords of all rules in a
 * single pass, and `pattern` is tried only where a keyword starts. So a pattern
 * - begins at its keyword (what must stand *before* it goes into a lookbehind, which runs backwards), and
 * - has a bounded length, which keeps the whole scan linear in the text.
 */
export interface Rule {
  /** `<family>/<name>`, unique, stable: users name it in `disabledRules`. */
  readonly id: string;
  /** Placeholder type, upper snake case. */
  readonly type: string;
  readonly level: PrivateLevel;
  /** 0..1, see {@link Finding.confidence}. */
  readonly confidence: number;
  /** Literals, found case-insensitively in ASCII; or `"number"`: the rule is tried at each group of digits. */
  readonly keywords: readonly string[] | "number";
  /** For number rules: the digits a value can start with. Default all. */
  readonly firstDigits?: string;
  /**
   * With the named group `v` that is the value, else the whole match is. A part of the value that stands before the
   * keyword is caught in a lookbehind as the group `left`. Of the flags only `i`, `s` and `u` are the rule's.
   */
  readonly pattern: RegExp;
  /** A cheap look at what follows the keyword (at `at`); the pattern is tried only where it says yes. */
  readonly gate?: (text: string, at: number) => boolean;
  /** Second look at what the pattern found: checksums, ranges, entropy, context. */
  readonly validate?: (value: string, context: MatchContext) => boolean;
  readonly examples: {
    /** Texts in which the rule finds something. */
    readonly ok: readonly string[];
    /** Texts that look alike and in which it must find nothing. */
    readonly ng: readonly string[];
  };
  /** Where the format is defined: a vendor's page, a standard, an RFC. */
  readonly source: string;
}
