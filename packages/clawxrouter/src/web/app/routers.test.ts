/** The user's own routers in a real Chromium: made, filled, changed and taken away through the page. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { overflow, violations } from "./testing/browser.ts";
import { button, labOfFile, saved, until, visit } from "./testing/pages.ts";

const LONG = 60_000;
const lab = labOfFile();

async function addRouter(page: Page, id: string) {
  await page.getByLabel("New router's name").fill(id);
  await page.keyboard.press("Enter");
  const router = page.locator("details.router", { has: page.locator("summary", { hasText: id }) });
  await router.locator("summary", { hasText: id }).waitFor();
  return router;
}

describe("a router of one's own", () => {
  it(
    "is filled in, saved, and is as it was after a reload; one setting more keeps the others",
    async () => {
      const gateway = await lab.gateway();
      const { page, watch } = await lab.open(gateway, "rules");
      const router = await addRouter(page, "content-filter");
      const own = () => saved(gateway).privacy.routers["content-filter"];
      await until(() => expect(own()).toBeDefined());
      await router.getByLabel("Weight").fill("70");
      for (const [level, word] of [
        ["S2 keywords: redact, then cloud", "蓝鲸 <b>计划</b>"],
        ["S3 keywords: local model only", "مشروع سري 🚀"],
      ] as const) {
        await router.getByLabel(level, { exact: true }).and(page.locator("input")).fill(word);
        await page.keyboard.press("Enter");
      }
      await router
        .getByRole("textbox", { name: /^Prompt/ })
        .fill('Is it about {"x": 1}?\nAnswer S1, S2 or S3.');
      await router.getByLabel("Send to").selectOption({ index: 1 });
      await button(page, "Save router").click();
      await until(() => expect(own()?.weight).toBe(70));
      const first = structuredClone(own());
      expect(first).toMatchObject({
        keywords: { S2: ["蓝鲸 <b>计划</b>"], S3: ["مشروع سري 🚀"] },
        prompt: 'Is it about {"x": 1}?\nAnswer S1, S2 or S3.',
        target: { provider: expect.any(String), model: expect.any(String) },
      });

      await page.reload();
      await visit(page, "rules");
      await page.locator("details.router summary", { hasText: "content-filter" }).click();
      expect(await router.getByLabel("Weight").inputValue()).toBe("70");
      expect(await router.locator(".chip").allTextContents()).toEqual([
        expect.stringContaining("蓝鲸 <b>计划</b>"),
        expect.stringContaining("مشروع سري 🚀"),
      ]);
      await router.getByRole("switch").first().click();
      await button(page, "Save router").click();
      await until(() => expect(own()?.enabled).toBe(false));
      expect(own()).toEqual({ ...first, enabled: false });
      expect(await violations(page)).toEqual([]);
      expect(watch.faults).toEqual([]);
      await page.context().close();
    },
    LONG,
  );

  it(
    "cannot have a name that is taken or odd, nor a pattern that is refused",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      const name = page.getByLabel("New router's name");
      for (const bad of ["privacy", "Has Space", "__proto__", "../x", "-dash", "UPPER", "🚀"]) {
        await name.fill(bad);
        expect(await button(page, "Add router").isDisabled(), bad).toBe(true);
        await page.keyboard.press("Enter");
      }
      expect(Object.keys(saved(gateway).privacy.routers).sort()).toEqual(["privacy", "token-saver"]);
      await name.fill("");
      const router = await addRouter(page, "constructor");
      await router.getByLabel("S2 patterns", { exact: false }).and(page.locator("input")).first().fill("a(b");
      await page.keyboard.press("Enter");
      await expect.poll(() => button(page, "Save router").isDisabled()).toBe(true);
      await page.context().close();
    },
    LONG,
  );

  it(
    "is deleted only when that is confirmed, by keyboard, on a phone",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules", { viewport: { width: 360, height: 740 } });
      const router = await addRouter(page, "x".repeat(64));
      await until(() => expect(saved(gateway).privacy.pipeline.onUserMessage).toContain("x".repeat(64)));
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      const remove = router.getByRole("button", { name: "Delete router" });
      await remove.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor();
      expect(await overflow(page)).toBeLessThanOrEqual(0);
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(Object.keys(saved(gateway).privacy.routers)).toContain("x".repeat(64));
      await remove.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").getByRole("button", { name: "Delete router" }).focus();
      await page.keyboard.press("Enter");
      await until(() => expect(Object.keys(saved(gateway).privacy.routers)).not.toContain("x".repeat(64)));
      expect(saved(gateway).privacy.pipeline.onUserMessage).not.toContain("x".repeat(64));
      await page.context().close();
    },
    LONG,
  );
});
