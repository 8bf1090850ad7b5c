/** Is a text in one of the two languages that the tier head was trained on. */
import type { Token } from "./text.ts";

const COMMON = new Set(
  (
    "the and or but if of to at for from with by is are were be been does did have has had can could " +
    "will would should what which who when where why how this that these those it its i im my you your we our us they " +
    "their she his not yes please than then there here all any some one two more about into out up down get " +
    "give make write find tell show put let need want help whats dont"
  ).split(" "),
);
/** Share of common English words from which a text counts as English. */
const ENGLISH = 0.15;
/** So few words are judged by the word groups alone. */
const FEW_WORDS = 4;
const SEVERAL_GROUPS = 3;
const OTHER_EAST_ASIAN = /[\u3040-\u30ff\uac00-\ud7af]/u;
const PLAIN = /^[a-z]+$/;

/**
 * @param tokens of the text
 * @param groupsMet word groups of the lexicon that were met in it
 */
export function isKnownLanguage(tokens: readonly Token[], groupsMet: number): boolean {
  let [words, common, plain, han] = [0, 0, 0, 0];
  for (const { text, kind } of tokens) {
    if (kind === "han") han += 1;
    if (kind !== "word") continue;
    if (OTHER_EAST_ASIAN.test(text)) return false;
    words += 1;
    if (PLAIN.test(text)) plain += 1;
    if (COMMON.has(text)) common += 1;
  }
  if (han > 0 && han * 3 >= words) return true;
  // Several word groups at once are not met by chance in another language.
  if ((words <= FEW_WORDS && groupsMet > 0) || groupsMet >= SEVERAL_GROUPS) return plain * 10 >= words * 9;
  return words > 0 && common / words >= ENGLISH;
}
