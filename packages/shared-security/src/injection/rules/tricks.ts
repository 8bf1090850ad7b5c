import { both, type ConceptRule, data, prompt } from "./rule.ts";

/** Payloads in ciphers and pieces, and fiction as a way round the rules. */
export const TRICK_RULES: readonly ConceptRule[] = [
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
];
