import { setupInChinese } from "../../chinese/setup-notes.ts";
import { language } from "./language.ts";

/** What setup says of its own steps, in the language of the page; the gateway writes it in English. */
export function setupText(note: string): string {
  return language.value === "zh" ? setupInChinese(note) : note;
}
