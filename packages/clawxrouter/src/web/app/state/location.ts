/** Where the user is: `#/detections?level=S3`. The page itself has one address, so that the server knows only one. */
import { computed, signal } from "@preact/signals";

export const TABS = ["overview", "sessions", "detections", "rules", "cost", "config"] as const;
export type Tab = (typeof TABS)[number];

export interface Place {
  tab: Tab;
  params: Readonly<Record<string, string>>;
}

export function parsePlace(hash: string): Place {
  const [name = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const tab = TABS.find((candidate) => candidate === name) ?? "overview";
  return { tab, params: Object.fromEntries(new URLSearchParams(query)) };
}

export function hashOf(tab: Tab, params: Readonly<Record<string, string | undefined>> = {}): string {
  const given = Object.entries(params).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== "",
  );
  const query = new URLSearchParams(given).toString();
  return `#/${tab}${query === "" ? "" : `?${query}`}`;
}

const hash = signal(location.hash);
addEventListener("hashchange", () => {
  hash.value = location.hash;
});

export const place = computed(() => parsePlace(hash.value));

/** @param replace no new entry in the history: for a filter that changes while typing */
export function go(
  tab: Tab,
  params: Readonly<Record<string, string | undefined>> = {},
  replace = false,
): void {
  const next = hashOf(tab, params);
  if (replace) history.replaceState(history.state, "", next);
  else history.pushState(history.state, "", next);
  hash.value = next;
}
