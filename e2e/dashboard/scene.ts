/** Two tabs of one signed-in browser before a real gateway. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Locator, Page } from "playwright-core";
import type { Watch } from "../../packages/clawxrouter/src/web/app/testing/browser.ts";
import type { Gateway } from "../harness/index.ts";

export interface Scene {
  gateway: Gateway;
  browser: Browser;
  page: Page;
  /** What `page` must not do, gathered from its first request on. */
  watch: Watch;
  /** Another tab, open all the time. */
  second: Page;
  /** Path of clawxrouter.json. */
  file: () => string;
  onDisk: () => Promise<object>;
}

export function makeScene(parts: Pick<Scene, "gateway" | "browser" | "page" | "watch" | "second">): Scene {
  const file = () => path.join(parts.gateway.stateDir, "clawxrouter.json");
  return { ...parts, file, onDisk: async () => JSON.parse(await readFile(file(), "utf8")) as object };
}

export function button(on: Page, name: string): Locator {
  return on.getByRole("button", { name, exact: true });
}

/** The control of a label, not the list of chips beside it. */
export function field(on: Page, label: string): Locator {
  return on.getByLabel(label, { exact: true }).and(on.locator("input, select, textarea")).first();
}

export function shows(on: Page, selector: string): Promise<void> {
  return on.locator(selector).first().waitFor({ timeout: 20_000 });
}

export async function choose(page: Page, language: "en" | "zh", theme: "light" | "dark"): Promise<void> {
  await page.getByRole("radio", { name: language === "en" ? "English" : "中文" }).check();
  await page.getByRole("radio", { name: theme === "light" ? /^(Light|浅色)$/ : /^(Dark|深色)$/ }).check();
}
