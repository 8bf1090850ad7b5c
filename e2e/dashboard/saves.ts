/** Every kind of save: seen by a second tab, there after a reload and after a restart of the gateway. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { button, field, type Scene, shows } from "./scene.ts";
import { addressOf, openFolds, visit } from "./stage.ts";

export function describeSaves(scene: () => Scene): void {
  describe("each save is seen by a second tab and survives a reload and a restart of the gateway", () => {
    it("keywords, patterns, tools and detectors", async () => {
      const { page, second, onDisk } = scene();
      await visit(page, "rules");
      await visit(second, "rules");
      await openFolds(second);
      await page.getByText("Patterns, tools, paths and detectors").click();
      await field(page, "S3 keywords: local model only").fill("蓝鲸计划");
      await page.keyboard.press("Enter");
      await field(page, "S2 tool names").fill("crm_lookup");
      await page.keyboard.press("Enter");
      await page.getByLabel("S2 patterns: New pattern").fill("(unclosed");
      await page.keyboard.press("Enter");
      await page
        .getByText(/not valid/)
        .first()
        .waitFor();
      expect(await button(page, "Save privacy router").isDisabled()).toBe(true);
      await page.getByLabel("S2 patterns: Pattern 2").fill("(?i)bluewhale-\\d+");
      await expect.poll(() => button(page, "Save privacy router").isEnabled()).toBe(true);
      await page
        .locator(".detectors > li", { hasText: "Outbound" })
        .getByRole("button", { name: "LLM classifier" })
        .click();
      await button(page, "Save privacy router").click();
      await page.getByText("Saved. In force now.").waitFor();
      await shows(second, ".chip:has-text('蓝鲸计划')");
      await shows(second, ".chip:has-text('crm_lookup')");
      expect(await onDisk()).toMatchObject({
        privacy: { checkpoints: { outbound: ["ruleDetector", "localModelDetector"] } },
      });
    });

    it("a router of one's own and its place in the order", async () => {
      const { page, second, onDisk } = scene();
      await field(page, "New router's name").fill("content-filter");
      await button(page, "Add router").click();
      await shows(second, ".router:has-text('content-filter')");
      const stage = page.getByRole("region", { name: "User message" });
      await stage.getByRole("button", { name: /^Move content-filter, place/ }).focus();
      await page.keyboard.press("ArrowUp");
      await button(page, "Save execution order").click();
      await expect.poll(onDisk).toMatchObject({
        privacy: { pipeline: { onUserMessage: ["privacy", "content-filter", "token-saver"] } },
      });
      await shows(second, ".stage:has-text('User message') li:nth-child(2):has-text('content-filter')");
    });

    it("a prompt", async () => {
      const { page, second } = scene();
      const prompt = page.locator(".prompt", { hasText: "Detection prompt" });
      const old = await prompt.getByRole("textbox").inputValue();
      await prompt.getByRole("textbox").fill(`${old}\nBe strict.`);
      await prompt.getByRole("button", { name: "Save prompt" }).click();
      await page.getByText("Prompt saved. In force now.").waitFor();
      const other = second.locator(".prompt", { hasText: "Detection prompt" }).getByRole("textbox");
      await expect.poll(() => other.inputValue(), { timeout: 20_000 }).toContain("Be strict.");
    });

    it("tiers, prices and budget, replayed before", async () => {
      const { page, second } = scene();
      await visit(page, "cost");
      await visit(second, "cost");
      await field(page, "Model for Research").selectOption({ label: "cloud/kimi-k2.5" });
      await field(page, "Input price of cloud/glm-5").fill("0.9");
      await field(page, "Output price of cloud/glm-5").fill("3");
      await field(page, "A day").fill("4");
      await button(page, "Replay").click();
      await page.getByText(/messages would go to another model/).waitFor({ timeout: 30_000 });
      await button(page, "Save cost settings").click();
      await expect.poll(() => field(second, "A day").inputValue(), { timeout: 20_000 }).toBe("4");
      expect(await field(second, "Input price of cloud/glm-5").inputValue()).toBe("0.9");
    });

    it("any setting under Config, with undo", async () => {
      const { page, second } = scene();
      await visit(page, "config");
      await visit(second, "config");
      for (const tab of [page, second]) await tab.getByPlaceholder("Find a setting").fill("retentionDays");
      const days = (on: Page) => on.getByLabel("Days events are kept");
      await days(page).fill("0");
      await button(page, "Save settings").click();
      await page
        .getByText(/\/dashboard\/retentionDays/)
        .first()
        .waitFor();
      await days(page).fill("30");
      await button(page, "Save settings").click();
      await expect.poll(() => days(second).inputValue(), { timeout: 20_000 }).toBe("30");
      await button(page, "Undo the last change").click();
      await expect.poll(() => days(second).inputValue(), { timeout: 20_000 }).toBe("90");
      await days(page).fill("45");
      await button(page, "Save settings").click();
      await expect.poll(() => days(second).inputValue(), { timeout: 20_000 }).toBe("45");
    });

    const all = async (on: Page) => {
      await visit(on, "rules");
      await openFolds(on);
      for (const text of ["蓝鲸计划", "crm_lookup"]) await shows(on, `.chip:has-text('${text}')`);
      expect(await on.getByLabel("S2 patterns: Pattern 2").inputValue()).toBe("(?i)bluewhale-\\d+");
      const toggle = on.locator(".detectors > li", { hasText: "Outbound" });
      expect(await toggle.getByRole("button", { name: "LLM classifier" }).getAttribute("aria-pressed")).toBe(
        "true",
      );
      await shows(on, ".router:has-text('content-filter')");
      await shows(on, ".stage:has-text('User message') li:nth-child(2):has-text('content-filter')");
      const prompt = on.locator(".prompt", { hasText: "Detection prompt" });
      expect(await prompt.getByRole("textbox").inputValue()).toContain("Be strict.");
      await visit(on, "cost");
      await expect.poll(() => field(on, "Model for Research").inputValue()).toContain("kimi-k2.5");
      expect(await field(on, "Output price of cloud/glm-5").inputValue()).toBe("3");
      expect(await field(on, "A day").inputValue()).toBe("4");
      await visit(on, "config");
      await on.getByPlaceholder("Find a setting").fill("retentionDays");
      expect(await on.getByLabel("Days events are kept").inputValue()).toBe("45");
    };

    it("all of it after a reload", async () => {
      const { page } = scene();
      await page.reload();
      await shows(page, ".shell");
      await all(page);
    });

    it("all of it after a restart of the gateway, without signing in again", async () => {
      const { page, second, gateway, watch } = scene();
      await gateway.restart();
      await page.goto(addressOf(gateway));
      await shows(page, ".shell");
      await all(page);
      // The tab that stayed open finds the way back by itself.
      await expect.poll(() => second.locator(".live.on").count(), { timeout: 30_000 }).toBe(1);
      watch.faults.length = 0;
    });
  });
}
