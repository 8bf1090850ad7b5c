import { type Automaton, buildAutomaton } from "../automaton/automaton.ts";
import type { Rule } from "../rules/rule.ts";

/** Rules made ready to run: one automaton over all keywords, patterns sticky. */
export interface Ruleset {
  readonly rules: readonly CompiledRule[];
  readonly automaton: Automaton;
  /** For each keyword of the automaton, what to try where it starts. */
  readonly byKeyword: readonly (readonly KeywordUse[])[];
  /** Rules to try at each group of digits, by the first digit. */
  readonly byFirstDigit: readonly (readonly number[])[];
}

/** One rule's interest in a keyword. */
export interface KeywordUse {
  readonly rule: number;
  /** The keyword in the letters the rule wants, or undefined when the rule does not mind the case. */
  readonly exact: string | undefined;
}

export interface CompiledRule {
  readonly rule: Rule;
  /** The rule's pattern with the flags `y` (sticky) and `d` (indices). */
  readonly pattern: RegExp;
}

const DIGITS = "0123456789";

/** Builds a {@link Ruleset}. Throws when two rules share an id. */
export function compileRules(rules: readonly Rule[]): Ruleset {
  const compiled: CompiledRule[] = [];
  const keywordIds = new Map<string, number>();
  const byKeyword: KeywordUse[][] = [];
  const byFirstDigit: number[][] = Array.from(DIGITS, () => []);
  const seen = new Set<string>();
  for (const rule of rules) {
    if (seen.has(rule.id)) throw new Error(`two rules have the id ${rule.id}`);
    seen.add(rule.id);
    const index = compiled.push({ rule, pattern: sticky(rule.pattern) }) - 1;
    if (rule.keywords === "number") {
      for (const digit of rule.firstDigits ?? DIGITS) byFirstDigit[Number(digit)]?.push(index);
      continue;
    }
    for (const keyword of rule.keywords) {
      const folded = keyword.toLowerCase();
      let id = keywordIds.get(folded);
      if (id === undefined) {
        id = keywordIds.size;
        keywordIds.set(folded, id);
        byKeyword.push([]);
      }
      const matters = !rule.pattern.ignoreCase && /[A-Za-z]/.test(keyword);
      byKeyword[id]?.push({ rule: index, exact: matters ? keyword : undefined });
    }
  }
  return { rules: compiled, automaton: buildAutomaton([...keywordIds.keys()]), byKeyword, byFirstDigit };
}

function sticky(pattern: RegExp): RegExp {
  return new RegExp(pattern.source, `${pattern.flags.replace(/[gyd]/g, "")}dy`);
}
