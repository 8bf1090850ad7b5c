/** The clean side of a memory text, and back. */
import { type Finding, findPlaceholders, type Vault } from "@clawx/shared-security";
import type { Detector } from "../detection/detector.ts";
import { isWhollyPrivate } from "../detection/types.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { PRIVATE_TEXT_TYPE } from "../vault-store/store.ts";
import { matches } from "./diff3.ts";

export class Projection {
  private readonly vault: Vault;
  private readonly detector: () => Detector;
  private readonly talk: Conversation;
  private readonly agentId: string | undefined;

  /** @param scope where the placeholders belong, e.g. `memory:main` or a session */
  constructor(vault: Vault, detector: () => Detector, scope: string) {
    this.vault = vault;
    this.detector = detector;
    this.talk = new Conversation(vault, scope);
    this.agentId = agentOf(scope);
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

  /**
   * The full text behind a clean one. Placeholders of the agent's memory and of all his conversations count, because the
   * host writes transcripts into notes; those of another agent stay what they are. Stays on this machine.
   */
  full(clean: string): string {
    // A line may stand as a locked line that holds placeholders itself.
    let text = clean;
    for (let i = 0; i < 3; i++) {
      const tokens = new Set(
        this.vault
          .tokensIn(text)
          .map((use) => use.token)
          .filter((token) => this.isOurs(token)),
      );
      const next = this.vault.restore(text, { tokens });
      if (next === text) break;
      text = next;
    }
    return text;
  }

  /** The placeholders in a clean text that the vault must not lose while the text has them. */
  tokensOf(clean: string): string[] {
    return [
      ...new Set(
        this.vault
          .tokensIn(clean)
          .filter(({ known }) => known)
          .map(({ token }) => token),
      ),
    ];
  }

  /**
   * A clean text whose placeholders the vault has lost (it was damaged, or deleted), with those that stand there now: line
   * by line as in the projection of the full text that it was made of.
   */
  revived(clean: string, full: string): string {
    const isDead = (line: string) =>
      findPlaceholders(line).some(({ colons, token }) => colons === 1 && this.vault.get(token) === undefined);
    const lines = clean.split("\n");
    if (!lines.some(isDead)) return clean;
    const now = this.clean(full).split("\n");
    const places = matches(lines.map(withoutNumbers), now.map(withoutNumbers));
    return lines.map((line, i) => (isDead(line) ? (now[places[i] ?? -1] ?? line) : line)).join("\n");
  }

  private isOurs(token: string): boolean {
    const other = agentOf(this.vault.get(token)?.session ?? "");
    return other === undefined || this.agentId === undefined || other === this.agentId;
  }
}

/** The agent that a scope or session key (`agent:<id>:...`) belongs to; undefined when it does not say. */
function agentOf(scope: string): string | undefined {
  return /^(?:memory|agent):([^:]+)/.exec(scope)?.[1];
}

/** The line with every placeholder as the same mark: which line it is, whatever a vault called its values. */
function withoutNumbers(line: string): string {
  let out = "";
  let from = 0;
  for (const { start, end, colons } of findPlaceholders(line)) {
    if (colons > 1) continue;
    out += `${line.slice(from, start)}\u0000`;
    from = end;
  }
  return out + line.slice(from);
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
