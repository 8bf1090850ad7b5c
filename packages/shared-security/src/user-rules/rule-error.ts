/** A user's rule that cannot be used. The message names the rule, quotes it and points at the place. */
export class RuleError extends Error {
  override readonly name = "RuleError";
  /** Where the rule stands in the configuration, e.g. `patterns.S2[3]`. */
  readonly where: string;
  /** The rule as the user wrote it. */
  readonly text: string;
  /** Index into `text` where it stops making sense, in UTF-16 code units. */
  readonly position: number;

  constructor(where: string, text: string, position: number, reason: string) {
    super(`${where}: ${reason} at character ${position + 1} of ${JSON.stringify(text)}`);
    this.where = where;
    this.text = text;
    this.position = position;
  }
}
