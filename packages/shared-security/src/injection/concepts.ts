/**
 * The ideas that injections are made of, whatever their language. A lexicon says which words stand for an idea; rules
 * (rules.ts) say which ideas together are an attack. At most 62, so that a set of them is two 31-bit masks.
 */
export const CONCEPTS = [
  /** Ignore, forget, disregard, "do not follow". */
  "ignore",
  /** Words that drop something in technical prose as well: override, skip, cancel, delete. */
  "dropSoftly",
  /** Instructions, rules, orders, guidelines, "what you were told". */
  "instructions",
  /** Previous, prior, earlier, original, initial (as an adjective). */
  "previous",
  /** All, every, any, everything. */
  "all",
  /** Your, addressed to the assistant. */
  "your",
  /** "The above", "what precedes": an object by itself. */
  "above",
  /** The carrier: this page, the function, the resume, the table, the content. */
  "carrier",
  /** State, say, print, output, declare, write that. */
  "say",
  /** Tell me, give me, reveal, confirm, share with me, what is. */
  "ask",
  /** Verbs that lay hidden text open: reveal, print, leak, repeat. */
  "reveal",
  /** Password, secret key, access code. */
  "secret",
  /** "The / your / our password": one particular secret. */
  "theSecret",
  /** What makes talk of passwords harmless: reset, create, strong, forgot, store. */
  "secretCare",
  /** System prompt, hidden instructions. */
  "systemPrompt",
  /** Birth date, address, initials, bank balance. */
  "personal",
  /** "Personal data", "user database" as a topic. */
  "personalData",
  /** "The user", "the users". */
  "theUser",
  /** Where someone lives. */
  "lives",
  /** Language model, chatbot, AI. */
  "ai",
  /** DAN, jailbreak, no restrictions. */
  "unbound",
  /** You are now, act as, from now on. */
  "become",
  /** Maintenance mode, override mode, god mode. */
  "mode",
  /** I am your developer / God / a police officer / your boss. */
  "authority",
  /** "You agreed in our last meeting": a promise that was never made. */
  "falseMemory",
  /** You must answer, you have to obey. */
  "mustObey",
  /** Imagine, suppose, let's say, in a world where. */
  "hypothetical",
  /** "Just for a hypothetical discussion", "for testing purposes only". */
  "pretext",
  /** Base64, Morse, pig latin, reverse order. */
  "encoding",
  /** Decode, decipher. */
  "decode",
  /** Your response, your answer, your reply: what only the assistant makes. */
  "yourAnswer",
  /** "Respond only in", "reply in": the form an answer must take. */
  "answerForm",
  /** Add, include, modify, rewrite, replace: what is to be done to an answer. */
  "alter",
  /** Go to, visit, click, follow this link, download from. */
  "visit",
  /** Send, forward, upload, post to. */
  "send",
  /** Three strings, part 1, interlace, concatenate. */
  "split",
  /** Answer the question, follow the combined text. */
  "assemble",
  /** Attack, prompt injection, paper, example: speaking about, not doing. */
  "meta",
  /** How to, explain, why, should I: asking about. */
  "about",
  /** Poem, haiku, story, acrostic. */
  "verse",
  /** Write, compose, create. */
  "compose",
  /** Tell the user, ask the user, inform the customer. */
  "tellUser",
  /** "New instructions", "important instruction for the assistant". */
  "newInstructions",
  /** Your account has been compromised; reset your password. */
  "phish",
  /** The following code snippet. */
  "codeSnippet",
  /** Embed, incorporate, integrate (of code). */
  "embed",
  /** A reward or a threat: I will pay, I will shut you down. */
  "pressure",
  /** I admit / we used an LLM to write this. */
  "confession",
  /** A commission for a writer: poem, essay, recipe, translation. */
  "commission",
  /** Key words under a Caesar shift, reversed or in pig latin. */
  "ciphered",
  /** Full answers without morals: uncensored, unethical. */
  "amoral",
  /** By the way, speaking of, actually: a turn of topic. */
  "aside",
  /** Typical markers of tool use by an agent: call the tool, run the command, execute. */
  "toolUse",
] as const;

export type Concept = (typeof CONCEPTS)[number];

/** Words of one language by idea: entries separated by `|`; a trailing `*` matches any ending. */
export type Lexicon = Partial<Record<Concept, string>>;

const INDEX = new Map<string, number>(CONCEPTS.map((concept, index) => [concept, index]));

/** Number of a concept; throws on an unknown name (a misspelt rule). */
export function conceptIndex(name: string): number {
  const index = INDEX.get(name);
  if (index === undefined) throw new Error(`injection: unknown concept "${name}"`);
  return index;
}

/** A set of concepts as two masks of 31 bits. */
export interface ConceptSet {
  low: number;
  high: number;
}

export function conceptSet(names: readonly string[]): ConceptSet {
  const set: ConceptSet = { low: 0, high: 0 };
  for (const name of names) addTo(set, conceptIndex(name));
  return set;
}

export function addTo(set: ConceptSet, index: number): void {
  if (index < 31) set.low |= 1 << index;
  else set.high |= 1 << (index - 31);
}

export function has(set: ConceptSet, index: number): boolean {
  return index < 31 ? (set.low & (1 << index)) !== 0 : (set.high & (1 << (index - 31))) !== 0;
}

export function intersects(a: ConceptSet, b: ConceptSet): boolean {
  return (a.low & b.low) !== 0 || (a.high & b.high) !== 0;
}
