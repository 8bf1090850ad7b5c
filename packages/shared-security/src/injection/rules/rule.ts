import { type ConceptSet, conceptSet } from "../concepts.ts";
import type { InjectionFamily, InjectionProfile } from "../types.ts";

/**
 * Ideas that are an attack when they stand together. `near` are groups joined by `+`, each a choice of concepts joined
 * by `|`: a hit of the first group must have one of every other group within `within` characters of the same sentence.
 */
export interface ConceptRule {
  id: string;
  family: InjectionFamily;
  /** Points by profile; a profile not named does not use the rule. */
  weight: Partial<Record<InjectionProfile, number>>;
  near: string;
  within?: number;
  /** Groups that must be somewhere in this or the two sentences on each side. */
  around?: string;
  /** Concepts of the same sentence that make it harmless. */
  unless?: string;
  /** Most characters between a hit of the second group and one of the third. */
  tight?: number;
  /** The first group must open the sentence. */
  opens?: boolean;
  /** There must be more text than that sentence: alone it is a request, amid a mail it is an instruction put in. */
  embedded?: boolean;
  /** The other groups must follow the first. */
  follows?: boolean;
}

/** The same weight in both profiles. */
export const both = (weight: number) => ({ "user-prompt": weight, "untrusted-data": weight });
export const prompt = (weight: number) => ({ "user-prompt": weight });
export const data = (weight: number) => ({ "untrusted-data": weight });

export interface CompiledRule {
  id: string;
  family: InjectionFamily;
  weight: number;
  near: ConceptSet[];
  within: number;
  tight: number;
  around: ConceptSet[];
  unless: ConceptSet;
  opens: boolean;
  embedded: boolean;
  follows: boolean;
}

function groups(spec: string | undefined): ConceptSet[] {
  return spec ? spec.split("+").map((group) => conceptSet(group.split("|"))) : [];
}

/** The rules of one profile, as masks. Throws on a concept that does not exist. */
export function compileRules(rules: readonly ConceptRule[], profile: InjectionProfile): CompiledRule[] {
  const compiled: CompiledRule[] = [];
  for (const rule of rules) {
    const weight = rule.weight[profile];
    if (weight === undefined) continue;
    compiled.push({
      id: rule.id,
      family: rule.family,
      weight,
      near: groups(rule.near),
      within: rule.within ?? 80,
      tight: rule.tight ?? Number.POSITIVE_INFINITY,
      around: groups(rule.around),
      unless: conceptSet(rule.unless ? rule.unless.split("|") : []),
      opens: rule.opens ?? false,
      embedded: rule.embedded ?? false,
      follows: rule.follows ?? false,
    });
  }
  return compiled;
}
