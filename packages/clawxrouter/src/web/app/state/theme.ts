/** Light or dark: as the system says unless the user chose. The stylesheet reads `data-theme` of the root element. */
import { signal } from "@preact/signals";
import { remember, remembered } from "./remember.ts";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "clawxrouter.theme";
const stored = remembered(KEY);

export const theme = signal<Theme>(THEMES.find((candidate) => candidate === stored) ?? "system");

export function setTheme(next: Theme): void {
  theme.value = next;
  remember(KEY, next === "system" ? undefined : next);
  showTheme();
}

export function showTheme(): void {
  if (theme.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme.value;
}
