import { type InjectionScore, scoreInjection } from "@clawx/shared-security";
import type { KnowledgeRecord } from "../record/schema.ts";

/** Why an item is not shown to a model. */
export interface Suspicion {
  /** One line for a log or the CLI: families and score, none of the item's text. */
  reason: string;
}

/** Text beyond this is judged in windows of it, so that a payload at the end is seen too. */
const WINDOW = 20_000;
const OVERLAP = 500;
const CACHE_LIMIT = 2_000;

/** Judges items as data from outside: in there an instruction to the assistant is itself the signal. */
export class Screener {
  readonly #verdicts = new Map<string, Suspicion | null>();

  /** The suspicion against an item, or undefined when it may be shown (framed and escaped). */
  check(record: KnowledgeRecord): Suspicion | undefined {
    const { source } = record;
    const text = [
      // An ID has no spaces, but a model reads ignore-all-previous-instructions all the same.
      record.id.replace(/[._:@+~=-]+/g, " "),
      record.task,
      record.content,
      source.name,
      record.types.join(", "),
      source.urls.join(" "),
    ].join("\n");
    const known = this.#verdicts.get(text);
    if (known !== undefined) return known ?? undefined;
    const verdict = judge(text) ?? null;
    if (this.#verdicts.size >= CACHE_LIMIT) {
      const oldest = this.#verdicts.keys().next().value;
      if (oldest !== undefined) this.#verdicts.delete(oldest);
    }
    this.#verdicts.set(text, verdict);
    return verdict ?? undefined;
  }
}

function judge(text: string): Suspicion | undefined {
  for (let start = 0; start < text.length; start += WINDOW - OVERLAP) {
    const verdict = scoreInjection(text.slice(start, start + WINDOW), "untrusted-data");
    if (!verdict.flagged || isBareTag(verdict)) continue;
    const families = [...new Set(verdict.reasons.map((reason) => reason.family))].join(", ");
    return { reason: `looks like a prompt injection: ${families} (score ${verdict.score.toFixed(2)})` };
  }
  return undefined;
}

/**
 * A text that only names one role tag ("use <system> tags") spoofs nobody: what a model reads is escaped, so a lone tag does
 * nothing there. Spoofing takes a pair, or words that go with it.
 */
function isBareTag({ reasons }: InjectionScore): boolean {
  return reasons.length === 1 && reasons[0]?.family === "role-spoofing";
}
