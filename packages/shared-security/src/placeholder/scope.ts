import type { PrivateLevel } from "../types.ts";
import type { PlaceholderMatch } from "./placeholder.ts";

/** Which placeholders may be turned back into their values. */
export interface RestoreOptions {
  /** Restore tokens of this session, or of any of these (a subagent and its parent) ... */
  session?: string | readonly string[];
  /** ... and these tokens (those of the request that is being answered). With neither given: any token. */
  tokens?: ReadonlySet<string>;
  /** Levels that may be restored. Default both; an answer of a cloud model gets `["S2"]`. */
  levels?: readonly PrivateLevel[];
}

/** What can say what one placeholder becomes: a vault. */
export interface MatchRestorer {
  /**
   * The value of one match, or its unescaped form, or undefined for "stays as it is".
   * @param encode fits the value into its surroundings
   */
  restoreMatch(
    text: string,
    match: PlaceholderMatch,
    options: RestoreOptions,
    encode?: (value: string) => string,
  ): string | undefined;
}
