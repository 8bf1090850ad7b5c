/** Coming in, looking around, staying live: sign-in, languages, themes, keyboard, streams, reveal, corrections. */
import { describe, expect, it } from "vitest";
import { openPage } from "./testing/browser.ts";
import { CODE, TOKEN } from "./testing/fake-gateway.ts";
import { labOfFile, visit } from "./testing/pages.ts";

const LONG = 60_000;
const lab = labOfFile();

describe("a visit without a session", () => {
  it(
    "shows the two ways in and asks for no data; a wrong token is refused, the right one lets in",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await openPage(lab.browser);
      await page.goto(gateway.url);
      await page.getByText("openclaw clawxrouter dashboard").waitFor();
      expect(gateway.asked.filter((path) => path.includes("/api/"))).toEqual([
        expect.stringMatching(/api\/session$/),
      ]);
      await page.getByLabel("Gateway token").fill("wrong");
      await page.keyboard.press("Enter");
      await page.getByRole("alert").waitFor();
      await page.getByLabel("Gateway token").fill(TOKEN);
      await page.keyboard.press("Enter");
      await page.waitForSelector(".shell");
      await page.context().close();
    },
    LONG,
  );

  it(
    "by a one-time link is let in, and the code is gone from the address and the history",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await openPage(lab.browser);
      await page.goto(`${gateway.url}#code=${CODE}`);
      await page.waitForSelector(".shell");
      expect(page.url()).not.toContain("code");
      await page.goBack().catch(() => null);
      expect(page.url()).not.toContain(CODE);
      await page.context().close();
    },
    LONG,
  );

  it(
    "by a used link says so and offers the other way",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await openPage(lab.browser);
      await page.goto(`${gateway.url}#code=used`);
      await page.getByText("This link was used already or is too old").waitFor();
      await page.getByLabel("Gateway token").waitFor();
      await page.context().close();
    },
    LONG,
  );

  it(
    "begins anew when the session ends",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway);
      await page.context().clearCookies();
      await visit(page, "detections").catch(() => {});
      await page.getByLabel("Gateway token").waitFor();
      await page.context().close();
    },
    LONG,
  );
});

describe("language and theme", () => {
  it(
    "follow the browser, can be chosen, and the choice outlives a reload",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "overview", { locale: "zh-CN", colorScheme: "dark" });
      await page.getByRole("heading", { name: "总览" }).waitFor();
      const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const dark = await background();
      await page.getByRole("radio", { name: "English" }).check();
      await page.getByRole("radio", { name: "Light" }).check();
      await page.reload();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(await background()).not.toBe(dark);
      await expect.poll(() => page.title()).toBe("Overview · ClawXRouter");
      await page.context().close();
    },
    LONG,
  );
});

describe("by keyboard", () => {
  it(
    "the content is two keys away, and a new tab takes the focus with it",
    async () => {
      const { page } = await lab.open(await lab.gateway());
      await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      expect(await page.evaluate(() => document.activeElement?.id)).toBe("content");
      await page.getByRole("link", { name: "Detections" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Detections" }).waitFor();
      await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("content");
      await page.context().close();
    },
    LONG,
  );

  it(
    "a dialog keeps the focus and gives it back",
    async () => {
      const { page } = await lab.open(await lab.gateway());
      const opener = page.getByRole("button", { name: "Show and apply the fix" });
      await opener.focus();
      await page.keyboard.press("Enter");
      await page.waitForSelector("dialog[open]");
      for (let step = 0; step < 6; step++) await page.keyboard.press("Tab");
      expect(
        await page.evaluate(
          () =>
            document.activeElement === document.body || document.activeElement?.closest("dialog") !== null,
        ),
      ).toBe(true);
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
      expect(await opener.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.context().close();
    },
    LONG,
  );
});

describe("live", () => {
  it(
    "a new detection comes to the top by itself, also after the connection was lost",
    async () => {
      const gateway = await lab.gateway({ turns: 3 });
      const { page } = await lab.open(gateway, "detections");
      await page.locator(".live.on").waitFor();
      const rows = page.locator(".log-row");
      expect(await rows.count()).toBe(3);
      gateway.happen();
      await expect.poll(() => rows.count()).toBe(4);
      gateway.cutStreams();
      await page.locator(".live.on").waitFor();
      await expect.poll(() => gateway.listeners).toBeGreaterThan(0);
      gateway.happen();
      await expect.poll(() => rows.count()).toBe(5);
      await page.context().close();
    },
    LONG,
  );

  it(
    "a session's timeline grows while it is looked at",
    async () => {
      const gateway = await lab.gateway({ turns: 2 });
      const { page } = await lab.open(gateway, "sessions?key=agent:main:main");
      await page.locator(".step").first().waitFor();
      const before = await page.locator(".step").count();
      await expect.poll(() => gateway.listeners).toBe(2);
      gateway.happen();
      await expect.poll(() => page.locator(".step").count()).toBe(before + 2);
      await page.context().close();
    },
    LONG,
  );
});

describe("private text", () => {
  it(
    "is hidden until it is revealed, and hidden again",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "detections?level=S2&checkpoint=onUserMessage");
      await page.locator(".log-row").first().click();
      const quote = page.locator(".quote").first();
      expect(await quote.textContent()).not.toContain("<phone>");
      await page.getByRole("button", { name: "Reveal" }).click();
      await expect.poll(() => quote.textContent()).toContain("<phone>");
      await page.getByRole("button", { name: "Hide" }).click();
      expect(await quote.textContent()).not.toContain("<phone>");
      await page.context().close();
    },
    LONG,
  );
});

describe("this was wrong", () => {
  it(
    "shows what a correction changes before it is made",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "detections?level=S2");
      await page.locator(".log-row").first().click();
      await page.getByRole("button", { name: "This was wrong" }).click();
      await page.getByLabel("A value is not private").check();
      await page.getByText(/Of the last 40 recorded texts, 3/).waitFor();
      await page.getByRole("button", { name: "Change the rules" }).click();
      await page.getByText("corrected").waitFor();
      expect(gateway.state.settings.read().raw).toHaveProperty("privacy.rules.allow");
      await page.context().close();
    },
    LONG,
  );

  it(
    "filters stand in the address, so that a filtered log can be linked to",
    async () => {
      const { page } = await lab.open(await lab.gateway(), "detections");
      await page.getByLabel("Level").selectOption("S3");
      await expect.poll(() => page.url()).toContain("level=S3");
      await page.getByLabel("Search").fill("nothing has this");
      await page.getByText("Nothing fits these filters").waitFor();
      await page.getByRole("button", { name: "Clear filters" }).first().click();
      await expect.poll(() => page.locator(".log-row").count()).toBeGreaterThan(10);
      await page.context().close();
    },
    LONG,
  );
});
