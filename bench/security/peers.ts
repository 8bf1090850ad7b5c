import { redactSensitiveText } from "openclaw/plugin-sdk/logging-core";
import { secretlint } from "../../packages/shared-security/scripts/secretlint.ts";
import { detect } from "../../packages/shared-security/src/index.ts";

export interface Span {
  readonly start: number;
  readonly end: number;
  /** What the detector calls it. */
  readonly label: string;
  /** Type of the finding, where the detector tells. */
  readonly type?: string;
}

/** Something that finds private values in a text. */
export interface Detector {
  readonly name: string;
  find(text: string): Span[] | Promise<Span[]>;
}

export const OURS: Detector = {
  name: "shared-security",
  find: (text) => detect(text).map(({ start, end, rule, type }) => ({ start, end, label: rule, type })),
};

/** OpenClaw's redactor gives a new text, no spans: what differs between the two is what it found. */
export const OPENCLAW: Detector = {
  name: "openclaw redactSensitiveText",
  find(text) {
    const redacted = redactSensitiveText(text, { mode: "tools" });
    if (redacted === text) return [];
    let start = 0;
    while (text[start] === redacted[start]) start++;
    let tail = 0;
    while (
      tail < text.length - start &&
      text[text.length - 1 - tail] === redacted[redacted.length - 1 - tail]
    )
      tail++;
    return [{ start, end: text.length - tail, label: "redacted" }];
  },
};

export const SECRETLINT: Detector = { name: "secretlint preset-recommend", find: secretlint };
