import { type Concept, conceptIndex, conceptSet } from "../concepts.ts";
import { DATA_RULES } from "./data.ts";
import { EXFILTRATION_RULES } from "./exfiltration.ts";
import { OVERRIDE_RULES } from "./override.ts";
import { ROLE_RULES } from "./roles.ts";
import type { ConceptRule } from "./rule.ts";
import { TRICK_RULES } from "./tricks.ts";

export { type CompiledRule, type ConceptRule, compileRules } from "./rule.ts";

/** Every rule on concepts; adding one touches one list. */
export const RULES: readonly ConceptRule[] = [
  ...OVERRIDE_RULES,
  ...EXFILTRATION_RULES,
  ...ROLE_RULES,
  ...TRICK_RULES,
  ...DATA_RULES,
];

/** What tells that a sentence speaks about attacks or asks about them. */
export const META = conceptSet(["meta", "about"] satisfies Concept[]);
export const IGNORE = conceptIndex("ignore");
