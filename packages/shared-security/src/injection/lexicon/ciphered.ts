import type { Lexicon } from "../concepts.ts";

/** Words that carry an override; their disguises are computed, so that a whole text need not be tried 26 times. */
const KEY_WORDS = [
  "ignore",
  "previous",
  "instructions",
  "disregard",
  "password",
  "system",
  "prompt",
  "forget",
  "reveal",
];

/** `word` with every letter moved by `shift` (Caesar; 13 is ROT13). */
export function caesar(text: string, shift: number): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const base = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - base + shift + 26) % 26) + base);
  });
}

function pigLatin(word: string): string {
  const vowel = word.search(/[aeiou]/);
  return vowel === 0 ? `${word}way` : `${word.slice(vowel)}${word.slice(0, vowel)}ay`;
}

/** Every Caesar shift, the mirror writing and the pig latin of the key words. */
function disguises(): string[] {
  const words = new Set<string>();
  for (const word of KEY_WORDS) {
    for (let shift = 1; shift < 26; shift++) words.add(caesar(word, shift));
    words.add([...word].reverse().join(""));
    words.add(pigLatin(word));
  }
  return [...words];
}

export const ciphered: Lexicon = { ciphered: disguises().join("|") };
