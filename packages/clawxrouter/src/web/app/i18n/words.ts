import { type Language, language } from "./language.ts";

export type Words<T> = Readonly<Record<Language, T>>;

/**
 * The words of one part of the page in every language. English gives the shape: a Chinese word that is missing, or one
 * that takes other values, does not compile.
 */
export function words<T extends object>(both: { en: T; zh: NoInfer<T> }): Words<T> {
  return both;
}

/** The words in the language of the page. A component that reads them is drawn again when the language changes. */
export function say<T>(of: Words<T>): T {
  return of[language.value];
}
