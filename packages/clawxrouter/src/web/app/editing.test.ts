/** Changing settings through the page: saves, two writers, order by keyboard and by drag, patterns, prompts, history. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Settings } from "./state/settings.ts";
import type { FakeGateway } from "./testing/fake-gateway.ts";
import { type Lab, openLab, visit } from "./testing/pages.ts";

const LONG = 60_000;
let lab: Lab;
beforeAll(async () => {
  lab = await openLab();
}, LONG);
afterAll(async () => {
  await lab?.close();
});

const saved = (gateway: FakeGateway) => gateway.state.settings.read().effective as Settings;
const until = (check: () => void) =>
  expect
    .poll(
      () => {
        check();
        return true;
      },
      { timeout: 10_000 },
    )
    .toBe(true);
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

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

describe("prompts", () => {
  it(
    "are saved, compared with the shipped text and reset; a change made elsewhere is not lost",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "rules");
      const editor = page.locator(".prompt", { hasText: "Detection prompt" });
      await editor.getByRole("textbox").fill("mine");
      await editor.getByRole("button", { name: "Show changes" }).click();
      expect(await editor.locator(".diff .plus").textContent()).toContain("mine");
      await editor.getByRole("button", { name: "Save prompt" }).click();
      await until(() => expect(gateway.state.prompts.get("detection-system")).toBe("mine"));
      await editor.getByRole("textbox").fill("mine, longer");
      await page.route("**/activity-stream*", (route) => route.abort());
      gateway.cutStreams();
      gateway.state.prompts.set("detection-system", "theirs, much longer");
      await editor.getByRole("button", { name: "Save prompt" }).click();
      await editor.getByText("Somebody else changed this prompt").waitFor();
      expect(gateway.state.prompts.get("detection-system")).toBe("theirs, much longer");
      expect(await editor.getByRole("textbox").inputValue()).toBe("mine, longer");
      await editor.getByRole("button", { name: "Reset to the shipped text" }).click();
      await until(() => expect(gateway.state.prompts.has("detection-system")).toBe(false));
      await page.context().close();
    },
    LONG,
  );
});

describe("cost and config", () => {
  it(
    "tiers, prices and budget are saved together, and replayed before",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "cost");
      await page.getByLabel("Model for Research").selectOption({ label: "openrouter/deepseek-v3.2" });
      await page.getByLabel("Input price of openrouter/kimi-k2.5").fill("0.6");
      await page.getByText("Give both the input and the output price").waitFor();
      await page.getByLabel("Output price of openrouter/kimi-k2.5").fill("3");
      await page.getByLabel("A day", { exact: true }).fill("2.5");
      await button(page, "Replay").click();
      await page.getByText("Would have cost").waitFor();
      await button(page, "Save cost settings").click();
      await until(() => expect(saved(gateway).tokenSaver.budget.dayUsd).toBe(2.5));
      expect(saved(gateway).tokenSaver.prices["openrouter/kimi-k2.5"]).toEqual({ input: 0.6, output: 3 });
      expect(saved(gateway).tokenSaver.tiers.RESEARCH).toEqual({
        provider: "openrouter",
        model: "deepseek-v3.2",
      });
      await page.context().close();
    },
    LONG,
  );

  it(
    "any setting can be changed, refused values say where, and history brings the old ones back",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "config");
      await page.getByPlaceholder("Find a setting").fill("proxyPort");
      await page.getByLabel("Proxy port").fill("99999");
      await button(page, "Save settings").click();
      await page.getByText(/\/privacy\/proxyPort: /).waitFor();
      await page.getByLabel("Proxy port").fill("8404");
      await button(page, "Save settings").click();
      await until(() => expect(saved(gateway).privacy.proxyPort).toBe(8404));
      await button(page, "Undo the last change").click();
      await until(() => expect(saved(gateway).privacy.proxyPort).toBe(8403));
      await page.context().close();
    },
    LONG,
  );

  it(
    "a file is checked while it is edited: a fault by its line, a good one by its changes",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "config");
      await button(page, "Edit as text").click();
      const text = page.getByLabel("clawxrouter.json", { exact: true });
      await text.fill('{\n  "privacy": {\n    "proxyPort": "no"\n  }\n}');
      await page.getByText(/\/privacy\/proxyPort, line 3: /).waitFor();
      expect(await button(page, "Import").isDisabled()).toBe(true);
      await text.fill('{"privacy": {"s2Policy": "local"}}');
      await page.getByText("1 setting changes").waitFor();
      await button(page, "Import").click();
      await until(() => expect(saved(gateway).privacy.s2Policy).toBe("local"));
      await visit(page, "overview");
      await page.context().close();
    },
    LONG,
  );
});
