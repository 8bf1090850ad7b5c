/** Changing prompts, cost and any setting through the page; files and history. */
import { describe, expect, it } from "vitest";
import { button, labOfFile, saved, until, visit } from "./testing/pages.ts";

const LONG = 60_000;
const lab = labOfFile();

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
