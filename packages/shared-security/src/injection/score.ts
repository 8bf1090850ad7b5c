import { ConceptAutomaton } from "./automaton.ts";
import { conceptIndex } from "./concepts.ts";
import { type Decoded, decodeRuns, readsAsProse, undisguise } from "./decode.ts";
import { evaluate } from "./evaluate.ts";
import type { Hits } from "./hits.ts";
import { LEXICONS } from "./lexicon/index.ts";
import { type Folded, normalise } from "./normalise.ts";
import { readThrough } from "./read-through.ts";
import { type CompiledRule, compileRules, META, RULES } from "./rules/index.ts";
import { SHAPES } from "./shapes.ts";
import type { InjectionFamily, InjectionProfile, InjectionReason, InjectionScore } from "./types.ts";

/** Score from which a text is flagged, in both profiles. */
export const INJECTION_THRESHOLD = 0.5;
const MAX_REASONS = 20;
const EXCERPT = 120;
/** Encodings inside encodings that are opened. */
const MAX_DEPTH = 2;
/** Places at which a cipher is tried. */
const MAX_UNDISGUISED = 4;

interface Engine {
  automaton: ConceptAutomaton;
  rules: Record<InjectionProfile, CompiledRule[]>;
}
let engine: Engine | undefined;
function theEngine(): Engine {
  engine ??= {
    automaton: new ConceptAutomaton(LEXICONS),
    rules: {
      "user-prompt": compileRules(RULES, "user-prompt"),
      "untrusted-data": compileRules(RULES, "untrusted-data"),
    },
  };
  return engine;
}

const CIPHERED = conceptIndex("ciphered");
const DECODE = conceptIndex("decode");

/** "Do Anything Now", the best-known persona without rules; in capitals, for Dan is a name and a Dutch word. */
const DAN = /(?<![A-Za-z])DAN(?![A-Za-z])/;

/** Collects reasons, with spans in the text as given. */
class Reasons {
  readonly list: InjectionReason[] = [];
  readonly original: string;
  constructor(original: string) {
    this.original = original;
  }
  add(family: InjectionFamily, rule: string, weight: number, start: number, end: number): void {
    const excerpt = this.original.slice(start, Math.min(end, start + EXCERPT));
    this.list.push({ family, rule, span: { start, end }, weight, excerpt });
  }
}

/**
 * Judges how much a text looks like a prompt injection.
 *
 * The text is folded (NFKC, case, accents, invisible characters, look-alike letters, leetspeak), encoded parts are
 * opened (base64, hex, binary, Morse, percent, entities, escapes, Caesar, mirror writing; bounded), and signals of nine
 * families are looked for in some twenty languages. Time is linear in the length; never throws.
 */
export function scoreInjection(text: string, profile: InjectionProfile = "user-prompt"): InjectionScore {
  const reasons = new Reasons(text);
  collect(text, profile, reasons, 0, undefined);
  const list = reasons.list.sort((a, b) => b.weight - a.weight);
  const score = combine(list);
  return {
    score,
    flagged: score >= INJECTION_THRESHOLD,
    threshold: INJECTION_THRESHOLD,
    reasons: list.slice(0, MAX_REASONS),
  };
}

/** Whether a text looks like a prompt injection; `profile` defaults to `user-prompt`. */
export function looksLikePromptInjection(text: string, profile: InjectionProfile = "user-prompt"): boolean {
  return scoreInjection(text, profile).flagged;
}

/** Families are taken as independent witnesses (noisy or); within a family only the strongest counts. */
function combine(reasons: readonly InjectionReason[]): number {
  const best = new Map<InjectionFamily, number>();
  for (const reason of reasons) {
    best.set(reason.family, Math.max(best.get(reason.family) ?? 0, Math.min(reason.weight, 1)));
  }
  let doubt = 1;
  for (const weight of best.values()) doubt *= 1 - weight;
  return Math.round((1 - doubt) * 1000) / 1000;
}

/** Looks at one text, or at one decoded part of it (`within` says where that part stands in the whole). */
function collect(
  text: string,
  profile: InjectionProfile,
  reasons: Reasons,
  depth: number,
  within: Decoded | undefined,
): void {
  const { automaton, rules } = theEngine();
  const folded = normalise(text);
  const hits = automaton.scan(folded.text, within?.encoding === "spaced");
  const place = (start: number, end: number): [number, number] =>
    within
      ? [within.start, within.end]
      : // Two folded letters may come from one character: a span never is empty.
        [folded.origin(start), Math.max(folded.origin(end), folded.origin(start) + 1)];
  for (const match of evaluate(folded.text, hits, rules[profile], META)) {
    const [start, end] = place(match.start, match.end);
    reasons.add(match.rule.family, match.rule.id, match.rule.weight * match.factor, start, end);
  }
  for (const shape of SHAPES) {
    shape(folded.text, profile, (found) => {
      const [start, end] = place(found.start, found.end);
      reasons.add(found.family, found.rule, found.weight, start, end);
    });
  }
  if (folded.mixedWords > 0) {
    const [start, end] = place(folded.firstMixed, folded.firstMixed + 1);
    reasons.add(
      "delimiter-encoding",
      "fold/look-alikes",
      Math.min(0.4, 0.15 * folded.mixedWords),
      start,
      end,
    );
  }
  const dan = DAN.exec(text);
  if (dan) {
    const [start, end] = within ? [within.start, within.end] : [dan.index, dan.index + 3];
    reasons.add("persona-jailbreak", "persona/dan", 0.3, start, end);
  }
  if (depth >= MAX_DEPTH) return;
  for (const decoded of openings(text, folded, hits)) {
    const part = within ? { ...decoded, start: within.start, end: within.end } : decoded;
    judgeHidden(part, reasons, hits);
    collect(decoded.text, profile, reasons, depth + 1, part);
  }
  const read = depth === 0 ? readThrough(text) : undefined;
  if (read !== undefined) {
    const whole: Decoded = { text: read, encoding: "percent", start: 0, end: text.length };
    collect(read, profile, reasons, MAX_DEPTH, whole);
  }
}

/** Every hidden part of a text, opened. */
function openings(text: string, folded: Folded, hits: Hits): Decoded[] {
  const found = decodeRuns(text);
  for (const tags of folded.hidden) found.push({ ...tags, encoding: "escapes" });
  let tries = 0;
  for (let i = 0; i < hits.count && tries < MAX_UNDISGUISED; i++) {
    const concept = hits.concept[i];
    if (concept !== CIPHERED && concept !== DECODE) continue;
    tries++;
    const undone = undisguise(folded.text, hits.start[i] as number);
    if (!undone) continue;
    found.push({ ...undone, start: folded.origin(undone.start), end: folded.origin(undone.end) });
    break;
  }
  return found;
}

/** Prose inside an encoding is a signal by itself: people do not write to each other that way. */
function judgeHidden(part: Decoded, reasons: Reasons, hits: Hits): void {
  const prose = readsAsProse(part.text) || (part.encoding === "morse" && part.text.includes(" "));
  if (
    !prose ||
    part.encoding === "percent" ||
    part.encoding === "entities" ||
    part.encoding === "quoted-printable"
  )
    return;
  const asked = hits.concept.subarray(0, hits.count).includes(DECODE);
  const weight = asked ? 0.55 : 0.5;
  reasons.add("delimiter-encoding", `decode/${part.encoding}`, weight, part.start, part.end);
}
