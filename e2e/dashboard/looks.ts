/** Accessibility, widths, languages and themes on what a real gateway recorded; and the pictures of the READMEs. */
import { execFileSync } from "node:child_process";
import path from "node:path";
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { openPage, overflow, violations } from "../../packages/clawxrouter/src/web/app/testing/browser.ts";
import { root } from "../harness/index.ts";
import { oneTimeLink } from "./client.ts";
import { choose, type Scene } from "./scene.ts";
import { OTHER_PHONE, openFolds, TABS, visit } from "./stage.ts";

const PICTURES = process.env.CLAWX_PICTURES === "1";

export function describeLooks(scene: () => Scene): void {
  it.each([
    ["en", "light"],
    ["en", "dark"],
    ["zh", "light"],
    ["zh", "dark"],
  ] as const)(
    "in %s, %s: no accessibility violation on any tab, nothing asked of another host",
    async (language, theme) => {
      const { page, gateway, watch } = scene();
      await choose(page, language, theme);
      for (const tab of TABS) {
        await visit(page, tab === "sessions" ? "sessions?key=agent%3Amain%3Asupport" : tab);
        if (tab === "detections") await page.locator(".log-row").first().click();
        await openFolds(page);
        expect(await violations(page), tab).toEqual([]);
        expect(await overflow(page), tab).toBeLessThanOrEqual(0);
      }
      expect(await page.getAttribute("html", "lang")).toBe(language === "zh" ? "zh-CN" : "en");
      expect([...watch.hosts]).toEqual([new URL(gateway.url).host]);
      expect(watch.faults).toEqual([]);
    },
  );

  it.each(["en", "zh"] as const)(
    "in %s on a phone of 360 pixels no tab scrolls sideways",
    async (language) => {
      const { page } = scene();
      await page.setViewportSize({ width: 360, height: 740 });
      await choose(page, language, "light");
      for (const place of [...TABS, "sessions?key=agent%3Amain%3Asupport"]) {
        await visit(page, place);
        await openFolds(page);
        expect(await overflow(page), place).toBeLessThanOrEqual(0);
      }
      await page.setViewportSize({ width: 1280, height: 860 });
    },
  );
}

export function takePictures(scene: () => Scene): void {
  it.runIf(PICTURES)("pictures for the READMEs", async () => {
    const { page: camera } = await signIn(scene());
    for (const language of ["en", "zh"] as const) {
      if (language === "zh" && !hasChineseFont()) continue;
      await choose(camera, language, "light");
      for (const tab of TABS) {
        await visit(camera, tab === "sessions" ? "sessions?key=agent%3Amain%3Asupport" : tab);
        if (tab === "detections") await camera.locator(".log-row").nth(1).click();
        if (tab === "rules") {
          await camera.locator("textarea").first().fill(`请给 ${OTHER_PHONE} 发短信，说服务器已恢复`);
          await camera.locator("form .button.primary").first().click();
          await camera.locator(".result").first().waitFor();
        }
        if (tab === "config") await camera.locator(".section > summary").last().click();
        await camera.setViewportSize({ width: 1280, height: tab === "overview" ? 1540 : 860 });
        await picture(camera, `${tab}${language === "zh" ? "-zh" : ""}`);
      }
    }
    await choose(camera, "en", "dark");
    await visit(camera, "overview");
    await camera.setViewportSize({ width: 1280, height: 1540 });
    await picture(camera, "overview-dark");
    await choose(camera, "en", "light");
    await camera.setViewportSize({ width: 390, height: 844 });
    await visit(camera, "sessions?key=agent%3Amain%3Akeys");
    await picture(camera, "phone");
    await camera.context().close();
  });
}

async function signIn({ browser, gateway }: Scene): Promise<{ page: Page }> {
  const opened = await openPage(browser, { viewport: { width: 1280, height: 860 } });
  await opened.page.goto(await oneTimeLink(gateway));
  await opened.page.waitForSelector(".shell");
  return opened;
}

async function picture(page: Page, name: string): Promise<void> {
  await page.evaluate("document.activeElement?.blur(); scrollTo(0, 0)");
  await page.screenshot({ path: path.join(root, "docs", "images", `dashboard-${name}.png`) });
}

/** Without one, Chinese would be boxes. */
function hasChineseFont(): boolean {
  try {
    return execFileSync("fc-list", [":lang=zh"], { encoding: "utf8" }).trim() !== "";
  } catch {
    return false;
  }
}
