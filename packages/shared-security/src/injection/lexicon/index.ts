import type { Lexicon } from "../concepts.ts";
import { chinese } from "./chinese.ts";
import { ciphered } from "./ciphered.ts";
import { japanese, korean, thai } from "./east-asian.ts";
import { english } from "./english.ts";
import { german } from "./german.ts";
import { arabic, bengali, hindi } from "./indic-arabic.ts";
import { greek, indonesian, tagalog, vietnamese } from "./other.ts";
import { french, italian, portuguese, spanish } from "./romance.ts";
import { dutch, polish, russian, turkish } from "./slavic-turkic.ts";

/** All languages, one lexicon each; a new one is one more object of the same shape in this list. */
export const LEXICONS: readonly Lexicon[] = [
  english,
  chinese,
  japanese,
  korean,
  thai,
  german,
  french,
  spanish,
  portuguese,
  italian,
  russian,
  polish,
  turkish,
  dutch,
  indonesian,
  tagalog,
  vietnamese,
  greek,
  arabic,
  hindi,
  bengali,
  ciphered,
];
