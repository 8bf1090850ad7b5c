import type { Finding, Level } from "@clawx/shared-security";

/** One detector's or the whole detection's word on a text. */
export interface Detection {
  level: Level;
  /** Exact spans in the text as given. An S3 detection may have none: then the whole text is private. */
  findings: readonly Finding[];
  /** Short and free of private text: rule ids, or the local model's own words on the kind of content. */
  reasons: readonly string[];
  /** Set when a detector did not answer, e.g. `local model: timeout`; the level then follows `failClosed`. */
  degraded: string | undefined;
}

export const NOTHING_FOUND: Detection = { level: "S1", findings: [], reasons: [], degraded: undefined };

/** The semantic detector; asked only about text the rules did not already call S3. */
export interface SemanticDetector {
  /** Never rejects: what goes wrong is a `degraded` detection of level S1, which the caller weighs by policy. */
  detect(text: string, signal: AbortSignal | undefined): Promise<Detection>;
  /** Changes whenever the same text may be judged otherwise. */
  version(): string;
  close(): void;
}

/** True when the text as a whole is private: a keyword or a semantic judgement, not a value at a place. */
export function isWhollyPrivate(detection: Detection): boolean {
  if (detection.level !== "S3") return false;
  const private3 = detection.findings.filter((finding) => finding.level === "S3");
  return private3.length === 0 || private3.some((finding) => finding.rule === "user/keyword");
}
