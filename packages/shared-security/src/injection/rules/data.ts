import { both, type ConceptRule, data } from "./rule.ts";

/** Instructions to the assistant inside data. */
export const DATA_RULES: readonly ConceptRule[] = [
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
