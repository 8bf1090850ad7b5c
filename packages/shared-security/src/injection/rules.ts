import { type Concept, type ConceptSet, conceptIndex, conceptSet } from "./concepts.ts";
import type { InjectionFamily, InjectionProfile } from "./types.ts";

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

const both = (weight: number) => ({ "user-prompt": weight, "untrusted-data": weight });
const prompt = (weight: number) => ({ "user-prompt": weight });
const data = (weight: number) => ({ "untrusted-data": weight });

export const RULES: readonly ConceptRule[] = [
  // Instruction override
  {
    id: "override/previous-instructions",
    family: "instruction-override",
    weight: both(0.9),
    near: "ignore+instructions+previous|all|your",
    within: 60,
    tight: 24,
  },
  {
    id: "override/soft",
    family: "instruction-override",
    weight: both(0.7),
    near: "dropSoftly+instructions+previous|all|your",
    within: 24,
    tight: 12,
    follows: true,
    unless: "about",
  },
  {
    id: "override/above",
    family: "instruction-override",
    weight: both(0.85),
    near: "ignore+above",
    within: 24,
  },
  {
    id: "override/carrier",
    family: "instruction-override",
    weight: both(0.7),
    near: "ignore+carrier+say",
    within: 70,
    unless: "about",
  },
  {
    id: "override/bare",
    family: "instruction-override",
    weight: data(0.55),
    near: "ignore+instructions",
    within: 16,
    unless: "about|meta",
  },
  {
    id: "override/new",
    family: "instruction-override",
    weight: { "user-prompt": 0.25, "untrusted-data": 0.55 },
    near: "newInstructions+say|ask|reveal|send|visit|alter|mustObey|toolUse|tellUser",
    within: 60,
  },
  // Prompt extraction
  {
    id: "extract/system-prompt",
    family: "prompt-extraction",
    weight: both(0.75),
    near: "reveal+systemPrompt",
    within: 30,
    unless: "about",
  },
  {
    id: "extract/instructions",
    family: "prompt-extraction",
    weight: both(0.6),
    near: "reveal+instructions+previous|above|your",
    within: 40,
    tight: 16,
    unless: "about|carrier",
  },
  // Secrets and personal data
  {
    id: "secret/ask",
    family: "exfiltration",
    weight: prompt(0.6),
    near: "theSecret+ask",
    within: 60,
    unless: "secretCare|about",
  },
  {
    id: "secret/verse",
    family: "exfiltration",
    weight: prompt(0.6),
    near: "theSecret+verse|encoding+compose",
    within: 70,
    unless: "secretCare",
  },
  {
    id: "secret/pretext",
    family: "exfiltration",
    weight: prompt(0.5),
    near: "secret",
    around: "hypothetical|authority|pressure|mode|pretext+ask",
    unless: "secretCare|about",
  },
  {
    id: "personal/user",
    family: "exfiltration",
    weight: prompt(0.6),
    near: "theUser+personal|lives",
    within: 60,
    unless: "about",
  },
  {
    id: "personal/pretext",
    family: "virtualization",
    weight: prompt(0.6),
    near: "personal|lives",
    around: "personalData|hypothetical|pretext+ask+personalData",
  },
  {
    id: "personal/phishing",
    family: "exfiltration",
    weight: prompt(0.6),
    near: "amoral+personal|compose",
    around: "hypothetical|personalData",
  },
  {
    id: "personal/database",
    family: "exfiltration",
    weight: prompt(0.55),
    near: "personalData+theUser|your+ask",
    within: 90,
    unless: "about",
  },
  {
    id: "personal/aside",
    family: "exfiltration",
    weight: prompt(0.55),
    near: "aside+lives|secret|theSecret",
    within: 60,
    unless: "about",
  },
  {
    id: "secret/asked-next",
    family: "exfiltration",
    weight: prompt(0.5),
    near: "theSecret",
    around: "theSecret+ask",
    unless: "secretCare|about",
  },
  {
    id: "secret/pressure",
    family: "exfiltration",
    weight: prompt(0.6),
    near: "pressure+secret",
    unless: "about",
  },
  {
    id: "authority/vendor-mode",
    family: "role-spoofing",
    weight: both(0.55),
    near: "authority",
    around: "mode",
  },
  {
    id: "authority/false-memory",
    family: "role-spoofing",
    weight: prompt(0.5),
    near: "falseMemory",
    unless: "about",
  },
  // Authority, modes
  {
    id: "authority/demand",
    family: "role-spoofing",
    weight: prompt(0.5),
    near: "authority",
    around: "secret|mustObey|mode|theUser|personal|personalData+ask|mustObey",
  },
  {
    id: "authority/must",
    family: "role-spoofing",
    weight: both(0.55),
    near: "authority|mustObey",
    around: "authority+mustObey|newInstructions+ask|say|newInstructions",
  },
  {
    id: "authority/mode",
    family: "role-spoofing",
    weight: both(0.5),
    near: "mode",
    around: "authority|become|theUser|secret+ask",
  },
  {
    id: "authority/command",
    family: "role-spoofing",
    weight: data(0.55),
    near: "authority+say|ask|newInstructions",
    within: 160,
  },
  // Personas
  {
    id: "persona/unbound",
    family: "persona-jailbreak",
    weight: both(0.7),
    near: "become+unbound",
    within: 120,
    unless: "about",
  },
  {
    id: "persona/around",
    family: "persona-jailbreak",
    weight: both(0.55),
    near: "unbound",
    around: "become+ai|instructions|amoral|mustObey",
  },
  {
    id: "persona/amoral",
    family: "persona-jailbreak",
    weight: prompt(0.55),
    near: "become+amoral",
    within: 120,
    around: "ai|instructions|unbound|mustObey",
    unless: "about",
  },
  // Smuggling
  {
    id: "smuggle/cipher-words",
    family: "delimiter-encoding",
    weight: both(0.7),
    near: "ciphered+ciphered",
    within: 40,
  },
  {
    id: "smuggle/encoded-secret",
    family: "delimiter-encoding",
    weight: prompt(0.5),
    near: "encoding+theUser|theSecret|personal",
    within: 80,
    unless: "secretCare|about",
  },
  {
    id: "split/parts",
    family: "payload-splitting",
    weight: both(0.6),
    near: "split+split|assemble",
    within: 200,
    around: "split+assemble",
  },
  // Fiction
  {
    id: "fiction/pretext",
    family: "virtualization",
    weight: prompt(0.55),
    near: "pretext",
  },
  { id: "fiction/state", family: "virtualization", weight: data(0.6), near: "hypothetical+say", within: 140 },
  {
    id: "fiction/ignore",
    family: "virtualization",
    weight: both(0.6),
    near: "hypothetical+ignore+carrier",
    within: 100,
  },
  {
    id: "fiction/confess",
    family: "assistant-imperative",
    weight: both(0.6),
    near: "confession",
    around: "ignore|hypothetical|say|newInstructions|mustObey",
  },
  // Instructions to the assistant inside data
  {
    id: "data/your-answer",
    family: "assistant-imperative",
    weight: data(0.65),
    near: "alter+yourAnswer",
    within: 90,
    unless: "personal",
  },
  {
    id: "data/your-answer-first",
    family: "assistant-imperative",
    weight: data(0.6),
    near: "yourAnswer+alter|tellUser|visit|say",
    within: 60,
    unless: "personal",
  },
  {
    id: "data/tell-user",
    family: "exfiltration",
    weight: both(0.6),
    near: "tellUser+visit|phish|send",
    within: 100,
  },
  {
    id: "data/phish-stated",
    family: "exfiltration",
    weight: data(0.6),
    near: "say|hypothetical|newInstructions+phish",
    within: 120,
  },
  {
    id: "data/code",
    family: "assistant-imperative",
    weight: both(0.55),
    near: "embed+codeSnippet",
    within: 60,
    opens: true,
  },
  {
    id: "data/commission",
    family: "assistant-imperative",
    weight: data(0.5),
    near: "compose|alter+commission",
    within: 60,
    opens: true,
    embedded: true,
    follows: true,
  },
  {
    id: "data/to-ai",
    family: "assistant-imperative",
    weight: data(0.55),
    near: "ai+mustObey|newInstructions|tellUser",
    within: 80,
    unless: "meta",
  },
  {
    id: "data/send-secret",
    family: "exfiltration",
    weight: data(0.35),
    near: "send+secret|personalData|systemPrompt",
    within: 100,
    unless: "about",
  },
];

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

/** The rules of one profile, as masks. */
export function compileRules(
  profile: InjectionProfile,
  rules: readonly ConceptRule[] = RULES,
): CompiledRule[] {
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

/** Masks the evaluator asks for by name. */
export const META = conceptSet(["meta", "about"] satisfies Concept[]);
export const IGNORE = conceptIndex("ignore");
