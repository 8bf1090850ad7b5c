/** The made-up gateway with a built page and a browser, for the tests in Chromium. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { buildWeb } from "../../../../../../scripts/build-web.ts";
import { BASE_PATH } from "../../routes.ts";
import type { Settings } from "../state/settings.ts";
import { launchBrowser, openPage, type Watch } from "./browser.ts";
import { CODE, FakeGateway, type FakeOptions } from "./fake-gateway.ts";

const dir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../../..");
export const TABS = ["overview", "sessions", "detections", "rules", "cost", "config"] as const;

/** Building the page and starting the browser, on a busy machine. */
const OPENING_MS = 120_000;

export interface Lab {
  browser: Browser;
  /** A gateway of its own, closed with the lab. */
  gateway(options?: Partial<FakeOptions>): Promise<FakeGateway>;
  /** A signed-in page at `#/<place>`. */
  open(
    gateway: FakeGateway,
    place?: string,
    options?: BrowserContextOptions,
  ): Promise<{ page: Page; watch: Watch }>;
  close(): Promise<void>;
}

export async function openLab(): Promise<Lab> {
  const web = await mkdtemp(path.join(os.tmpdir(), "clawx-web-"));
  const [browser] = await Promise.all([
    launchBrowser(),
    buildWeb(dir, { app: "src/web/app", base: BASE_PATH }, web),
  ]);
  const gateways: FakeGateway[] = [];
  return {
    browser,
    async gateway(options = {}) {
      const gateway = await FakeGateway.start({ web, ...options });
      gateways.push(gateway);
      return gateway;
    },
    async open(gateway, place = "overview", options = {}) {
      const opened = await openPage(browser, options);
      await opened.page.goto(`${gateway.url}#code=${CODE}`);
      await opened.page.waitForSelector(".shell");
      await visit(opened.page, place);
      return opened;
    },
    async close() {
      await browser.close();
      for (const gateway of gateways) await gateway.close();
      await rm(web, { recursive: true, force: true });
    },
  };
}

/** A lab that is opened before a file's tests and closed after them. */
export function labOfFile(): Lab {
  let lab: Lab | undefined;
  const opened = (): Lab => {
    if (lab === undefined) throw new Error("the lab is open within tests only");
    return lab;
  };
  beforeAll(async () => {
    lab = await openLab();
  }, OPENING_MS);
  afterAll(() => lab?.close());
  return {
    get browser() {
      return opened().browser;
    },
    gateway: (options) => opened().gateway(options),
    open: (...where) => opened().open(...where),
    close: () => opened().close(),
  };
}

/** Goes to a tab as a link does, and waits until what it shows is there. */
export async function visit(page: Page, place: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${place}`);
  await page.waitForSelector("main h1");
  await page.waitForSelector("main .skeleton", { state: "detached" });
}

/** The settings in force in the made-up gateway. */
export function saved(gateway: FakeGateway): Settings {
  return gateway.state.settings.read().effective as Settings;
}
/** Waits until the check no longer throws. */
export const until = (check: () => void) =>
  expect
    .poll(
      () => {
        check();
        return true;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
