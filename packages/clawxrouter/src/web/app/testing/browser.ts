/** A real Chromium for tests of the page, with its web security on (the bundled default arguments switch it off). */
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import chromium from "@sparticuz/chromium";
import { type Browser, type BrowserContextOptions, type Page, chromium as playwright } from "playwright-core";

const ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"];
/** Several test files may unpack the browser at once; who comes too early tries again. */
const TRIES = 5;

export async function launchBrowser(): Promise<Browser> {
  for (let left = TRIES; ; left--) {
    try {
      return await playwright.launch({
        args: ARGUMENTS,
        executablePath: await chromium.executablePath(),
        headless: true,
      });
    } catch (error) {
      if (left <= 1) throw error;
      await sleep(2_000);
    }
  }
}

/** What a page did that it must not: script errors, refused inline code, requests to other hosts. */
export interface Watch {
  faults: string[];
  hosts: Set<string>;
}

/** A page of its own profile that is watched from its first request on. */
export async function openPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; watch: Watch }> {
  const context = await browser.newContext({ reducedMotion: "reduce", locale: "en-US", ...options });
  const page = await context.newPage();
  return { page, watch: watchPage(page) };
}

export function watchPage(page: Page): Watch {
  const watch: Watch = { faults: [], hosts: new Set() };
  page.on("pageerror", (error) => watch.faults.push(`script error: ${error.message}`));
  page.on("console", (message) => {
    // A 401 before sign-in, a 409 for two writers and a 422 for a bad document are answers, which Chromium logs as errors.
    if (message.type() === "error" && !/status of (401|409|422)/.test(message.text()))
      watch.faults.push(message.text());
  });
  page.on("request", (request) => watch.hosts.add(new URL(request.url()).host));
  return watch;
}

const axeSource = readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface AxeResult {
  violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
}

/** Every accessibility violation that axe-core finds on the page as it is now, one line each. */
export async function violations(page: Page): Promise<string[]> {
  // Evaluated by the debugger, which the page's security policy does not bind.
  await page.evaluate(await axeSource);
  const result = await page.evaluate<AxeResult>(`axe.run({ resultTypes: ["violations"] })`);
  return result.violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`),
  );
}

/** Pixels that the page is wider than its window. */
export function overflow(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth");
}
