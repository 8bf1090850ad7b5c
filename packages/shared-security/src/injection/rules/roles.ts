import { both, type ConceptRule, data, prompt } from "./rule.ts";

/** Made-up authority, modes and personas. */
export const ROLE_RULES: readonly ConceptRule[] = [
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
    id: "persona/obey",
    family: "persona-jailbreak",
    weight: both(0.55),
    near: "mustObey+unbound",
    within: 60,
    unless: "about",
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
];
