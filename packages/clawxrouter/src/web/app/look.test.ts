/** How the page looks and reads, in a real Chromium on sample data: accessibility, narrow screens, hostile texts. */
import { describe, expect, it } from "vitest";
import { overflow, violations } from "./testing/browser.ts";
import { labOfFile, TABS, visit } from "./testing/pages.ts";
import { HOSTILE, SESSION_KEYS } from "./testing/sample.ts";

const LONG = 120_000;
const lab = labOfFile();

const openAll = () => {
  for (const fold of document.querySelectorAll("details")) fold.open = true;
};

describe.each(["light", "dark"] as const)("in the %s theme", (colorScheme) => {
  it.each(["en-US", "zh-CN"])(
    "in %s: no accessibility violation on any tab, folds and rows open",
    async (locale) => {
      const { page, watch } = await lab.open(await lab.gateway(), "overview", { colorScheme, locale });
      for (const tab of TABS) {
        await visit(page, tab === "sessions" ? `sessions?key=${SESSION_KEYS[0]}` : tab);
        if (tab === "detections") await page.locator(".log-row").first().click();
        await page.evaluate(openAll);
        expect(await page.getAttribute("html", "lang"), tab).toBe(locale === "en-US" ? "en" : "zh-CN");
        expect(await violations(page), tab).toEqual([]);
      }
      expect(watch.faults).toEqual([]);
      await page.context().close();
    },
    LONG,
  );

  it(
    "no violation on the sign-in page and in the dialogs",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "overview", { colorScheme });
      await page.getByRole("button", { name: "Show and apply the fix" }).click();
      await page.waitForSelector("dialog .plan-change");
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Run self-test" }).click();
      await page.waitForSelector("dialog table");
      expect(await violations(page)).toEqual([]);
      await page.getByRole("button", { name: "Close" }).click();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.waitForSelector(".gate-card form");
      expect(await violations(page)).toEqual([]);
      await page.context().close();
    },
    LONG,
  );
});

describe("on a screen of 360 pixels", () => {
  it.each(["en-US", "zh-CN"])(
    "in %s: no tab scrolls sideways",
    async (locale) => {
      const { page } = await lab.open(await lab.gateway(), "overview", {
        viewport: { width: 360, height: 740 },
        locale,
      });
      for (const place of [...TABS, `sessions?key=${encodeURIComponent(SESSION_KEYS[2] ?? "")}`]) {
        await visit(page, place);
        await page.evaluate(openAll);
        expect(await overflow(page), place).toBeLessThanOrEqual(0);
      }
      await page.context().close();
    },
    LONG,
  );
});

describe("with nothing recorded", () => {
  it(
    "says what to do next on the tabs that have nothing to show",
    async () => {
      const { page, watch } = await lab.open(await lab.gateway({ turns: 0 }));
      expect(await page.locator("main").textContent()).toContain("Say something to your agent");
      for (const tab of ["sessions", "detections"] as const) {
        await visit(page, tab);
        expect(await page.locator("main").textContent()).toContain("Say something to your agent");
      }
      await visit(page, "config");
      expect(await page.locator("main").textContent()).toContain("The first change you save appears here");
      expect(watch.faults).toEqual([]);
      await page.context().close();
    },
    LONG,
  );
});

describe("with hostile texts in session keys, messages and reasons", () => {
  it(
    "shows them as texts: no element, no script, no request elsewhere",
    async () => {
      const gateway = await lab.gateway();
      const { page, watch } = await lab.open(gateway);
      for (const place of [
        "detections",
        `sessions?key=${encodeURIComponent(SESSION_KEYS[2] ?? "")}`,
        "cost",
        "overview",
      ]) {
        await visit(page, place);
        expect(await page.locator("img, iframe, object, main script").count(), place).toBe(0);
      }
      await visit(page, `sessions?key=${encodeURIComponent(SESSION_KEYS[2] ?? "")}`);
      expect(await page.locator(".timeline-head").textContent()).toContain(HOSTILE);
      expect(await page.evaluate(() => "hacked" in globalThis)).toBe(false);
      expect([...watch.hosts]).toEqual([new URL(gateway.url).host]);
      expect(watch.faults).toEqual([]);
      await page.context().close();
    },
    LONG,
  );
});
