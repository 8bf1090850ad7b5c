/** How private a text is: S1 safe, S2 sensitive (redacted before the cloud), S3 private (local model only). */
export type Level = "S1" | "S2" | "S3";

/** A level that a finding can have: what is safe is not found. */
export type PrivateLevel = Exclude<Level, "S1">;

/** One private value found in a text. */
export interface Finding {
  /** First UTF-16 code unit of the value in the *original* text, inclusive. */
  start: number;
  /** One past the last UTF-16 code unit of the value in the original text. */
  end: number;
  /** What it is, in upper snake case, as it appears in a placeholder: `PHONE`, `EMAIL`, `PRIVATE_KEY`. */
  type: string;
  level: PrivateLevel;
  /** Id of the rule that found it, `<family>/<name>`, e.g. `credentials/github-token`. */
  rule: string;
  /** How sure the rule is, 0..1: 1 for a checksum that holds, lower for a bare shape in a fitting context. */
  confidence: number;
  /** `text.slice(start, end)`: exactly what must not leave. */
  value: string;
}

/** The stricter of two levels. */
export function maxLevel(a: Level, b: Level): Level {
  return a > b ? a : b;
}
