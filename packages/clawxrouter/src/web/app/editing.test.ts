/** Changing settings through the page: saves, two writers, order by keyboard and by drag, patterns. */
import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { button, labOfFile, saved, until } from "./testing/pages.ts";

const LONG = 60_000;
const lab = labOfFile();

async function addKeyword(page: Page, level: "S2" | "S3", word: string): Promise<void> {
  const label = level === "S2" ? "S2 keywords: redact, then cloud" : "S3 keywords: local model only";
  await page.getByLabel(label, { exact: true }).and(page.locator("input")).first().fill(word);
  await page.keyboard.press("Enter");
}

describe("the rules", () => {
  it(
    "a keyword is saved, is in force, and a second tab shows it by itself",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      const other = await lab.open(gateway, "rules");
      await addKeyword(page, "S3", "蓝鲸计划");
      await button(page, "Save privacy router").click();
      await until(() => expect(saved(gateway).privacy.rules.keywords.S3).toContain("蓝鲸计划"));
      await other.page.waitForSelector(".chip:has-text('蓝鲸计划')");
      await page.getByText("Saved. In force now.").waitFor();
      await page.context().close();
      await other.page.context().close();
    },
    LONG,
  );

  it(
    "two writers of the same list are asked; both together keeps what each did",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      const other = await lab.open(gateway, "rules");
      await addKeyword(page, "S2", "mine");
      await addKeyword(other.page, "S2", "theirs");
      await button(other.page, "Save privacy router").click();
      await until(() => expect(saved(gateway).privacy.rules.keywords.S2).toContain("theirs"));
      await button(page, "Save privacy router").click();
      await page.getByRole("dialog").waitFor();
      expect(saved(gateway).privacy.rules.keywords.S2).not.toContain("mine");
      await button(page, "Save the choice").click();
      await until(() =>
        expect(saved(gateway).privacy.rules.keywords.S2.slice(-2)).toEqual(["theirs", "mine"]),
      );
      await page.context().close();
      await other.page.context().close();
    },
    LONG,
  );

  it(
    "two writers of different settings do not get in each other's way, even without a live connection",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      // This page does not hear of the other's change: the save meets a version that is gone.
      await page.route("**/activity-stream*", (route) => route.abort());
      gateway.cutStreams();
      await addKeyword(page, "S2", "mine");
      const { version, raw } = gateway.state.settings.read();
      gateway.state.settings.write({ ...raw, tokenSaver: { judge: "embedded" } }, version);
      await button(page, "Save privacy router").click();
      await until(() => expect(saved(gateway).privacy.rules.keywords.S2).toContain("mine"));
      expect(saved(gateway).tokenSaver.judge).toBe("embedded");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.context().close();
    },
    LONG,
  );

  it(
    "a pattern is judged while it is typed, and a bad one cannot be saved",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      await page.getByText("Patterns, tools, paths and detectors").click();
      await page.getByLabel("S2 patterns: New pattern").fill("(unclosed");
      await page.keyboard.press("Enter");
      await page.getByText(/not valid at character/).waitFor();
      expect(await button(page, "Save privacy router").isDisabled()).toBe(true);
      await page.getByLabel("S2 patterns: Pattern 2").fill("bluewhale-\\d+");
      await page.getByLabel("Sample text").fill("see bluewhale-7 and bluewhale-8");
      await page.getByText("2 hits in the sample").waitFor();
      await button(page, "Save privacy router").click();
      await until(() => expect(saved(gateway).privacy.rules.patterns.S2).toContain("bluewhale-\\d+"));
      await page.context().close();
    },
    LONG,
  );

  it(
    "detectors are toggled and tools added",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      await page.getByText("Patterns, tools, paths and detectors").click();
      const outbound = page.locator(".detectors > li", { hasText: "Outbound" });
      await outbound.getByRole("button", { name: "LLM classifier" }).click();
      await page.getByLabel("S3 tool names", { exact: true }).and(page.locator("input")).fill("pay_invoice");
      await page.keyboard.press("Enter");
      await button(page, "Save privacy router").click();
      await until(() =>
        expect(saved(gateway).privacy.checkpoints.outbound).toEqual(["ruleDetector", "localModelDetector"]),
      );
      expect(saved(gateway).privacy.rules.tools.S3.tools).toContain("pay_invoice");
      await page.context().close();
    },
    LONG,
  );
});

describe("saving", () => {
  it(
    "keeps what is typed while it is under way",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      await page.route("**/api/config", async (route) => {
        if (route.request().method() === "POST") await addKeyword(page, "S2", "second");
        await route.continue();
      });
      await addKeyword(page, "S2", "first");
      await button(page, "Save privacy router").click();
      await until(() => expect(saved(gateway).privacy.rules.keywords.S2).toContain("first"));
      expect(saved(gateway).privacy.rules.keywords.S2).not.toContain("second");
      await page.getByText("Saved. In force now.").waitFor();
      await page.locator(".chip", { hasText: "second" }).waitFor();
      await button(page, "Save privacy router").click();
      await until(() =>
        expect(saved(gateway).privacy.rules.keywords.S2.slice(-2)).toEqual(["first", "second"]),
      );
      await page.context().close();
    },
    LONG,
  );
});

describe("routers", () => {
  it(
    "are added, ordered by keyboard and by drag, and deleted",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      for (const id of ["content-filter", "night-shift"]) {
        await page.getByLabel("New router's name").fill(id);
        await button(page, "Add router").click();
        await until(() => expect(saved(gateway).privacy.pipeline.onUserMessage).toContain(id));
      }
      const stage = page.getByRole("region", { name: "User message" });
      await stage.getByRole("button", { name: /^Move night-shift, place 4/ }).focus();
      await page.keyboard.press("ArrowUp");
      await page.keyboard.press("ArrowUp");
      await stage.getByRole("button", { name: /^Move night-shift, place 2/ }).waitFor();
      expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toContain(
        "night-shift",
      );
      await button(page, "Save execution order").click();
      const order = () => saved(gateway).privacy.pipeline.onUserMessage;
      await until(() => expect(order()).toEqual(["privacy", "night-shift", "token-saver", "content-filter"]));

      const from = await stage.getByRole("button", { name: /^Move content-filter, place/ }).boundingBox();
      const to = await stage.getByRole("button", { name: /^Move night-shift, place/ }).boundingBox();
      if (from === null || to === null) throw new Error("no handles");
      await page.mouse.move(from.x + 8, from.y + 12);
      await page.mouse.down();
      await page.mouse.move(to.x + 8, to.y + 12, { steps: 8 });
      await page.mouse.up();
      await button(page, "Save execution order").click();
      await until(() => expect(order()).toEqual(["privacy", "content-filter", "night-shift", "token-saver"]));

      await page.locator(".router", { hasText: "content-filter" }).locator("summary").first().click();
      await button(page, "Delete router").first().click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete router" }).click();
      await until(() => expect(Object.keys(saved(gateway).privacy.routers)).not.toContain("content-filter"));
      expect(order()).not.toContain("content-filter");
      await page.context().close();
    },
    LONG,
  );

  it(
    "the test panel shows the merged verdict, each router's own, and what is found",
    async () => {
      const { page } = await lab.open(await lab.gateway(), "rules");
      await page.getByLabel("Text to test").first().fill(`call ${"138"}00138000 now`);
      await button(page, "Run test").first().click();
      const result = page.locator(".result").first();
      await result.waitFor();
      expect(await result.textContent()).toMatch(/S2 Sensitive[\s\S]*contact\/phone-cn[\s\S]*privacy/);
      expect(await result.locator("mark").textContent()).toContain("13800138000");
      await page.context().close();
    },
    LONG,
  );
});
