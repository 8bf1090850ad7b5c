/** The page before the real server and engine, without a host: what both agree on is more than the contract's types. */
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb } from "../../../../../scripts/build-web.ts";
import { issueCode } from "../auth/one-time.ts";
import { BASE_PATH } from "../routes.ts";
import { type Served, serveDashboard } from "../testing/serve.ts";
import { launchBrowser, openPage, violations, type Watch } from "./testing/browser.ts";
import { button, TABS, visit } from "./testing/pages.ts";

const LONG = 60_000;
// Made up, and built from parts so that no scanner takes this file for a leak.
const PHONE = `138${"0013".repeat(2)}`;
const AWS = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;
const SESSION = "agent:main:dashboard";

let served: Served;
let close: () => Promise<void>;
let page: Page;
let watch: Watch;

async function turn(text: string, runId: string): Promise<void> {
  await served.engine.router.decide({
    runId,
    sessionKey: SESSION,
    agentId: "main",
    prompt: text,
    currentModel: { provider: "cloud", model: "main" },
  });
}

beforeAll(async () => {
  const dir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
  const web = await mkdtemp(path.join(os.tmpdir(), "clawx-web-"));
  const [browser] = await Promise.all([
    launchBrowser(),
    buildWeb(dir, { app: "src/web/app", base: BASE_PATH }, web),
  ]);
  served = await serveDashboard({}, web);
  close = async () => {
    await browser.close();
    await served.close();
    await rm(web, { recursive: true, force: true });
  };
  await turn(`请打电话 ${PHONE} 给王伟。${"It is about the order of last week. ".repeat(40)}`, "r1");
  await turn(`the key is ${AWS}`, "r2");
  await turn("What is the difference between TCP and UDP?", "r3");
  ({ page, watch } = await openPage(browser));
  await page.goto(`${served.origin}${BASE_PATH}#code=${issueCode(served.engine.dataDir)}`);
  await page.waitForSelector(".shell");
}, LONG);
afterAll(async () => {
  await close?.();
});

describe("the page before the real server", () => {
  it(
    "shows every tab without a private value, a fault or an accessibility violation",
    async () => {
      for (const tab of TABS) {
        await visit(page, tab === "sessions" ? `sessions?key=${encodeURIComponent(SESSION)}` : tab);
        if (tab === "sessions") await page.waitForSelector(".step");
        if (tab === "detections") await page.locator(".log-row").first().click();
        await page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true");
        const text = await page.locator("main").textContent();
        for (const value of [PHONE, AWS]) expect(text, tab).not.toContain(value);
        expect(await violations(page), tab).toEqual([]);
      }
      expect(await page.locator(".section > summary").allTextContents()).toEqual([
        "Privacy",
        "Cost",
        "Dashboard",
      ]);
      expect(watch.faults).toEqual([]);
    },
    LONG,
  );

  it(
    "imports a file after it showed a fault by its line and what changes",
    async () => {
      await visit(page, "config");
      await button(page, "Edit as text").click();
      const text = page.getByLabel("clawxrouter.json", { exact: true });
      const whole = JSON.parse(await text.inputValue()) as { privacy: object };
      await text.fill(
        JSON.stringify({ ...whole, privacy: { ...whole.privacy, s2Policy: "elsewhere" } }, null, 2),
      );
      await page.getByText(/\/privacy\/s2Policy, line \d+: /).waitFor();
      await text.fill(JSON.stringify({ ...whole, privacy: { ...whole.privacy, failClosed: "S3" } }, null, 2));
      await page.getByText("1 setting changes").waitFor();
      await button(page, "Import").click();
      await expect.poll(() => served.engine.config().privacy.failClosed).toBe("S3");
    },
    LONG,
  );

  it(
    "corrects a verdict by a rule that holds the value only as its hash",
    async () => {
      await visit(page, "detections?level=S2");
      await page.locator(".log-row").first().click();
      await button(page, "This was wrong").click();
      await page.getByLabel("A value is not private").check();
      await page.locator(".preview .changes").waitFor();
      await button(page, "Change the rules").click();
      await expect
        .poll(() => served.engine.config().privacy.rules.allow)
        .toEqual([expect.stringMatching(/^sha256:/)]);
    },
    LONG,
  );

  it("made no fault of its own in any of it", () => {
    expect(watch.faults).toEqual([]);
    expect([...watch.hosts]).toEqual([new URL(served.origin).host]);
  });
});
