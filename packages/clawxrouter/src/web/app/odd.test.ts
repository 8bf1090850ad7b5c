/** What a real Chromium makes of odd data: thousands of sessions, sealed keys, other scripts, other time zones. */
import { describe, expect, it } from "vitest";
import { overflow, violations } from "./testing/browser.ts";
import { labOfFile, visit } from "./testing/pages.ts";
import { SESSION_KEYS } from "./testing/sample.ts";

const LONG = 60_000;
const lab = labOfFile();
const SEALED = SESSION_KEYS[1] ?? "";

describe("a session that is named after a person", () => {
  it(
    "shows the kind of what is hidden, and the whole on request, for a while",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "sessions");
      const item = page.locator(".session-list a", { hasText: "telegram" });
      expect(await item.textContent()).toContain("PHONE Qk3");
      expect(await item.textContent()).not.toContain("xxxx");
      await item.click();
      const head = page.locator(".timeline-head h2");
      await head.getByRole("button", { name: "Reveal" }).click();
      await expect.poll(() => head.textContent()).toContain("agent:main:telegram:direct:4711");
      await head.getByRole("button", { name: "Hide" }).click();
      expect(await head.textContent()).not.toContain("4711");
      await visit(page, `detections?session=${encodeURIComponent(SEALED)}`);
      expect(await page.locator("main").textContent()).toContain("[PHONE Qk3]");
      expect(await page.locator("main").textContent()).not.toContain("xxxx");
      await page.context().close();
    },
    LONG,
  );
});

describe("names and texts of any script and length", () => {
  it.each(["light", "dark"] as const)(
    "neither break the page nor turn what stands beside them around, in %s, at 360 pixels",
    async (colorScheme) => {
      const gateway = await lab.gateway();
      const odd = [
        "agent:main:مجموعة:سرية",
        `agent:main:${"👨‍👩‍👧‍👦".repeat(40)}`,
        `agent:main:${"w".repeat(400)}`,
        "agent:main:\u202eevil\u202c:x",
        "agent:main:a\nb\u0000c",
      ];
      for (const [i, detection] of gateway.state.events.detections.entries()) {
        detection.session = odd[i % odd.length] ?? null;
        detection.tool = i % 2 === 0 ? (odd[2] ?? null) : null;
        detection.reason = `rule ${odd[(i + 1) % odd.length]}; ${"长".repeat(300)}`;
        detection.provider = "w".repeat(120);
        detection.model = `${"m".repeat(120)}/مرحبا`;
        detection.said = [{ text: `${"👍🏽".repeat(300)} ${"ا".repeat(500)} ${"x".repeat(900)}` }];
      }
      const { page, watch } = await lab.open(gateway, "overview", {
        colorScheme,
        viewport: { width: 360, height: 740 },
      });
      for (const place of [
        "sessions",
        `sessions?key=${encodeURIComponent(odd[0] ?? "")}`,
        "detections",
        "overview",
      ]) {
        await visit(page, place);
        if (place === "detections") await page.locator(".log-row").first().click();
        expect(await overflow(page), place).toBeLessThanOrEqual(0);
        expect(await violations(page), place).toEqual([]);
      }
      expect(watch.faults).toEqual([]);
      await page.context().close();
    },
    LONG,
  );

  it(
    "heads of rows in tables are read as words on a phone",
    async () => {
      const { page } = await lab.open(await lab.gateway(), "overview", {
        viewport: { width: 360, height: 740 },
      });
      const heights = await page
        .locator("main table th[scope=row]")
        .evaluateAll((heads) => heads.map((head) => [head.textContent, head.getBoundingClientRect().height]));
      expect(heights.length).toBeGreaterThan(5);
      for (const [name, height] of heights) expect(height, String(name)).toBeLessThan(90);
      await page.context().close();
    },
    LONG,
  );
});

describe("a log that grows while it is looked at", () => {
  it(
    "loses nothing while more of it is loaded",
    async () => {
      const gateway = await lab.gateway({ turns: 200 });
      const { page } = await lab.open(gateway, "detections");
      await page.locator(".live.on").waitFor();
      const rows = page.locator(".log-row");
      const shown = await rows.count();
      let go = () => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      await page.route(/\/api\/detections\?.*cursor/, async (route) => {
        const answer = await route.fetch();
        await held;
        await route.fulfill({ response: answer });
      });
      const asked = page.waitForRequest(/cursor/);
      await page.getByRole("button", { name: "Show more" }).click();
      await asked;
      for (let i = 0; i < 3; i += 1) gateway.happen();
      await expect.poll(() => rows.count()).toBe(shown + 3);
      go();
      await expect.poll(() => rows.count()).toBe(2 * shown + 3);
      await page.context().close();
    },
    LONG,
  );

  it(
    "does not grow without an end, and what was let go of can be loaded again",
    async () => {
      const gateway = await lab.gateway({ turns: 10 });
      const { page } = await lab.open(gateway, "detections");
      await page.locator(".live.on").waitFor();
      const rows = page.locator(".log-row");
      for (let i = 0; i < 520; i += 1) gateway.happen();
      await expect.poll(() => rows.count(), { timeout: 20_000 }).toBe(500);
      await page.getByRole("button", { name: "Show more" }).click();
      await expect.poll(() => rows.count()).toBe(530);
      await page.context().close();
    },
    LONG,
  );
});

describe("in another time zone", () => {
  it(
    "the chart asks for days as the browser's clock has them",
    async () => {
      const gateway = await lab.gateway();
      const { page } = await lab.open(gateway, "config", { timezoneId: "Asia/Kolkata" });
      const asked = page.waitForRequest((request) => request.url().includes("/hourly"));
      await visit(page, "overview?days=7");
      const { searchParams } = new URL((await asked).url());
      expect(searchParams.get("step")).toBe("day");
      expect(searchParams.get("zone")).toMatch(/^Asia\/(?:Kolkata|Calcutta)$/);
      await page.context().close();
    },
    LONG,
  );
});
