/** The clean side of a memory text, and back. */
import type { Finding, Vault } from "@clawx/shared-security";
import type { Detector } from "../detection/detector.ts";
import { isWhollyPrivate } from "../detection/types.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { PRIVATE_TEXT_TYPE } from "../vault-store/store.ts";

export class Projection {
  private readonly vault: Vault;
  private readonly detector: () => Detector;
  private readonly talk: Conversation;

  /** @param scope where the placeholders belong, e.g. `memory:main` or a session */
  constructor(vault: Vault, detector: () => Detector, scope: string) {
    this.vault = vault;
    this.detector = detector;
    this.talk = new Conversation(vault, scope);
  }

  /** What a cloud model may see: private lines as one placeholder each, values as theirs. */
  clean(full: string): string {
    const detector = this.detector();
    const findings = [
      ...privateLines(full, detector),
      ...detector.detectByRules(full).findings,
      ...this.vault.findKnown(full),
    ];
    return this.talk.redact(full, outermost(findings));
  }

  /** The full text behind a clean one, whichever conversation its placeholders come from. Stays on this machine. */
  full(clean: string): string {
    // A line may stand as a locked line that holds placeholders itself.
    let text = clean;
    for (let i = 0; i < 3; i++) {
      const next = this.vault.restore(text);
      if (next === text) break;
      text = next;
    }
    return text;
  }
}

/** Lines that are private as a whole, e.g. by a keyword. */
function privateLines(text: string, detector: Detector): Finding[] {
  const findings: Finding[] = [];
  let start = 0;
  for (const whole of text.split("\n")) {
    // The line end of Windows is none of the private text.
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    const end = start + line.length;
    if (line.trim() !== "" && isWhollyPrivate(detector.detectByRules(line))) {
      findings.push({
        start,
        end,
        type: PRIVATE_TEXT_TYPE,
        level: "S3",
        rule: "memory/line",
        confidence: 1,
        value: line,
      });
    }
    start += whole.length + 1;
  }
  return findings;
}

/** Of findings that overlap, the longest: a value within a private line goes with the line. */
function outermost(findings: readonly Finding[]): Finding[] {
  const kept: Finding[] = [];
  for (const finding of [...findings].sort((a, b) => b.end - b.start - (a.end - a.start))) {
    if (!kept.some((other) => finding.start < other.end && other.start < finding.end)) kept.push(finding);
  }
  return kept;
}
