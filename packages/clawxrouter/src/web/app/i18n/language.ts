/** The language of the page: the user's choice, else the browser's first language that there are words for. */
import { computed, signal } from "@preact/signals";
import { remember, remembered } from "../state/remember.ts";

export const LANGUAGES = ["en", "zh"] as const;
export type Language = (typeof LANGUAGES)[number];

const KEY = "clawxrouter.language";

function isLanguage(value: unknown): value is Language {
  return LANGUAGES.some((language) => language === value);
}

/** The first of `wanted` (BCP 47 tags, best first) that there are words for; English when there is none. */
export function preferredLanguage(wanted: readonly string[]): Language {
  for (const tag of wanted) {
    const primary = tag.toLowerCase().split("-")[0];
    if (isLanguage(primary)) return primary;
  }
  return "en";
}

const stored = remembered(KEY);
export const language = signal<Language>(
  isLanguage(stored) ? stored : preferredLanguage(navigator.languages ?? [navigator.language]),
);

export function setLanguage(next: Language): void {
  remember(KEY, next);
  language.value = next;
}

/** What the gateway's settings ask for (`dashboard.language`); the user's own choice in this browser wins. */
export function suggestLanguage(suggested: Language): void {
  if (!isLanguage(remembered(KEY))) language.value = suggested;
}

/** BCP 47 tag for `Intl` and for the `lang` attribute. */
export const locale = computed(() => (language.value === "zh" ? "zh-CN" : "en"));
