/**
 * The dashboard of a real gateway in a real Chromium: first visit by link, every tab, every kind of save over reload,
 * second tab and restart, two writers, both languages and themes, a phone, accessibility.
 *
 * With CLAWX_PICTURES=1 it also writes the pictures of the READMEs, docs/images/dashboard-*.png.
 */
import { execFileSync } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  launchBrowser,
  openPage,
  overflow,
  violations,
  type Watch,
} from "../packages/clawxrouter/src/web/app/testing/browser.ts";
import { oneTimeLink } from "./dashboard/client.ts";
import {
  addressOf,
  KEY_BODY,
  live,
  OTHER_PHONE,
  openFolds,
  openStage,
  PHONE,
  TABS,
  visit,
} from "./dashboard/stage.ts";
import { type Gateway, root } from "./harness/index.ts";

const PICTURES = process.env.CLAWX_PICTURES === "1";

describe("the dashboard", () => {
  let gateway: Gateway;
  let browser: Browser;
  let page: Page;
  let watch: Watch;
  /** A second tab of the same browser, open all the time. */
  let second: Page;
  let failed = false;

  const file = () => path.join(gateway.stateDir, "clawxrouter.json");
  const onDisk = async () => JSON.parse(await readFile(file(), "utf8")) as Record<string, never>;
  const button = (on: Page, name: string) => on.getByRole("button", { name, exact: true });
  const field = (on: Page, label: string) =>
    on.getByLabel(label, { exact: true }).and(on.locator("input, select, textarea")).first();
  const shows = (on: Page, selector: string) => on.locator(selector).first().waitFor({ timeout: 20_000 });
  const signIn = async () => {
    const opened = await openPage(browser, { viewport: { width: 1280, height: 860 } });
    await opened.page.goto(await oneTimeLink(gateway));
    await opened.page.waitForSelector(".shell");
    return opened;
  };

  beforeAll(async () => {
    [gateway, browser] = await Promise.all([openStage(), launchBrowser()]);
    await live(gateway);
  }, 300_000);
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
  });
  afterAll(async () => {
    await browser?.close();
    await gateway?.close(failed);
  });

  it("without a session: a sign-in page and no data", async () => {
    const { page: stranger, watch: seen } = await openPage(browser);
    const asked: string[] = [];
    stranger.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await stranger.goto(addressOf(gateway));
    await stranger.getByText("openclaw clawxrouter dashboard").waitFor();
    expect(asked.filter((name) => name.includes("/api/"))).toEqual([
      expect.stringMatching(/\/api\/session$/),
    ]);
    expect(await violations(stranger)).toEqual([]);
    expect([...seen.hosts]).toEqual([new URL(gateway.url).host]);
    await field(stranger, "Gateway token").fill("not-the-token");
    await stranger.keyboard.press("Enter");
    await stranger.getByRole("alert").waitFor();
    await field(stranger, "Gateway token").fill(gateway.token);
    await stranger.keyboard.press("Enter");
    await shows(stranger, ".shell");
    await stranger.context().close();
  });

  it("the link of the command line opens it; its code stays in no address; it works once", async () => {
    const link = await oneTimeLink(gateway);
    ({ page, watch } = await openPage(browser, { viewport: { width: 1280, height: 860 } }));
    await page.goto(link);
    await shows(page, ".posture");
    expect(page.url()).not.toContain("code=");
    const { page: late } = await openPage(browser);
    await late.goto(link);
    await late.getByText("This link was used already or is too old").waitFor();
    await late.context().close();
    second = await page.context().newPage();
    await second.goto(addressOf(gateway));
    await shows(second, ".shell");
    second.setDefaultTimeout(15_000);
    page.setDefaultTimeout(15_000);
  });

  it("the first content is there within a second, the numbers soon after", async () => {
    const paints: number[] = [];
    const numbers: number[] = [];
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      await page.goto(addressOf(gateway));
      await shows(page, ".figures");
      numbers.push(performance.now() - started);
      paints.push(
        await page.evaluate<number>("performance.getEntriesByName('first-contentful-paint')[0].startTime"),
      );
    }
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[2] ?? Number.NaN;
    console.log(
      `first content ${median(paints).toFixed(0)} ms, numbers ${median(numbers).toFixed(0)} ms (medians of 5 loads)`,
    );
    expect(median(paints)).toBeLessThan(1_000);
  });

  it("every tab shows what happened, and no private value", async () => {
    await visit(page, "overview");
    await expect.poll(() => page.locator(".figure").first().textContent()).toMatch(/Messages from you7/);
    await visit(page, "sessions");
    expect(await page.locator(".session-list li").count()).toBeGreaterThanOrEqual(3);
    for (const key of ["agent:main:support", "agent:main:keys"]) {
      await visit(page, `sessions?key=${encodeURIComponent(key)}`);
      await shows(page, ".step");
      await openFolds(page);
      const text = (await page.locator("main").textContent()) ?? "";
      expect(text).not.toContain(PHONE);
      expect(text).not.toContain(KEY_BODY);
      expect(text).toContain(key.endsWith("support") ? "[REDACTED:" : "Nothing. It stayed on this machine.");
    }
    await visit(page, "detections?level=S3");
    await shows(page, ".log-row");
    await visit(page, "rules");
    await visit(page, "cost");
    await expect.poll(() => field(page, "Model for Simple").inputValue()).toContain("glm-4.5-air");
    await visit(page, "config");
    await shows(page, ".section");
    expect(await page.locator(".section > summary").allTextContents()).toEqual([
      "Privacy",
      "Cost",
      "Dashboard",
    ]);
  });

  it("a private text is shown when the user asks for it, and that is written down", async () => {
    await visit(page, "detections?level=S2&checkpoint=onUserMessage");
    await page.locator(".log-row").first().click();
    await page.getByRole("button", { name: "Reveal" }).click();
    await expect.poll(() => page.locator(".quote").first().textContent()).toContain(PHONE);
    await page.getByRole("button", { name: "Hide" }).click();
    await visit(page, "config");
    await shows(page, "th:has-text('Original revealed')");
  });

  it("the test panel asks the real pipeline", async () => {
    await visit(page, "rules");
    await field(page, "Text to test").fill(`send it to ${PHONE}`);
    await button(page, "Run test").first().click();
    const result = page.locator(".result").first();
    await result.waitFor();
    expect(await result.textContent()).toMatch(/S2 Sensitive/);
    expect(await result.locator("mark").first().textContent()).toContain(PHONE);
    expect(await result.textContent()).toContain("[REDACTED:");
  });

  it("a turn appears in an open session by itself", async () => {
    await visit(second, "sessions?key=agent%3Amain%3Awriting");
    await shows(second, ".turn");
    const before = await second.locator(".turn").count();
    const result = await gateway.turn("writing", "And HTTP 404?");
    expect(result.ok, result.error).toBe(true);
    await expect.poll(() => second.locator(".turn").count(), { timeout: 20_000 }).toBeGreaterThan(before);
  });

  describe("each save is seen by a second tab and survives a reload and a restart of the gateway", () => {
    it("keywords, patterns, tools and detectors", async () => {
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
      const prompt = page.locator(".prompt", { hasText: "Detection prompt" });
      const old = await prompt.getByRole("textbox").inputValue();
      await prompt.getByRole("textbox").fill(`${old}\nBe strict.`);
      await prompt.getByRole("button", { name: "Save prompt" }).click();
      await page.getByText("Prompt saved. In force now.").waitFor();
      const other = second.locator(".prompt", { hasText: "Detection prompt" }).getByRole("textbox");
      await expect.poll(() => other.inputValue(), { timeout: 20_000 }).toContain("Be strict.");
    });

    it("tiers, prices and budget, replayed before", async () => {
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
      await page.reload();
      await shows(page, ".shell");
      await all(page);
    });

    it("all of it after a restart of the gateway, without signing in again", async () => {
      await gateway.restart();
      await page.goto(addressOf(gateway));
      await shows(page, ".shell");
      await all(page);
      // The tab that stayed open finds the way back by itself.
      await expect.poll(() => second.locator(".live.on").count(), { timeout: 30_000 }).toBe(1);
      watch.faults.length = 0;
    });
  });

  it("two writers of one list are asked, and both together keeps what each did", async () => {
    await visit(page, "rules");
    await visit(second, "rules");
    for (const [tab, word] of [
      [page, "mine-word"],
      [second, "their-word"],
    ] as const) {
      await field(tab, "S2 keywords: redact, then cloud").fill(word);
      await tab.keyboard.press("Enter");
    }
    await button(second, "Save privacy router").click();
    await second.getByText("Saved. In force now.").waitFor();
    await button(page, "Save privacy router").click();
    await page.getByRole("dialog").waitFor();
    expect(await violations(page)).toEqual([]);
    await button(page, "Save the choice").click();
    await expect.poll(async () => JSON.stringify(await onDisk())).toMatch(/"their-word","mine-word"/);
    await shows(second, ".chip:has-text('mine-word')");
  });

  it("an edit on disk appears; a broken file is named with its line and the old settings stay", async () => {
    await visit(page, "rules");
    const good = await readFile(file(), "utf8");
    const changed = JSON.parse(good) as { privacy: { rules: { keywords: { S2: string[] } } } };
    changed.privacy.rules.keywords.S2.push("from-disk");
    await writeFile(file(), JSON.stringify(changed, null, 2));
    await shows(page, ".chip:has-text('from-disk')");
    await visit(page, "config");
    await writeFile(
      file(),
      JSON.stringify(changed, null, 2).replace(/"proxyPort": \d+/, '"proxyPort": "no"'),
    );
    await page.getByText("The file on disk is not valid").waitFor({ timeout: 20_000 });
    expect(await page.locator(".invalid-file").textContent()).toMatch(/line \d+/);
    await writeFile(file(), JSON.stringify(changed, null, 2));
    await page.getByText("The file on disk is not valid").waitFor({ state: "detached", timeout: 20_000 });
  });

  it("'this was wrong' shows what it changes before it changes it", async () => {
    await visit(page, "detections?level=S2&checkpoint=onUserMessage");
    await page.locator(".log-row").first().click();
    await button(page, "This was wrong").click();
    await page.getByLabel("A value is not private").check();
    await page.locator(".preview .changes").waitFor({ timeout: 20_000 });
    expect(await page.locator(".preview").textContent()).toContain("/privacy/rules/allow");
    expect(await page.locator("dialog").textContent()).not.toContain(PHONE);
    await button(page, "Change the rules").click();
    await page.getByText("corrected").waitFor();
    expect(JSON.stringify(await onDisk())).not.toContain(PHONE);
  });

  it("the self-test runs from the page", async () => {
    await visit(page, "overview");
    await button(page, "Run self-test").click();
    await page.getByRole("dialog").waitFor({ timeout: 60_000 });
    expect(await page.getByRole("dialog").textContent()).toContain("The self-test found no leak");
    await page.getByRole("dialog").getByRole("button", { name: "Close" }).click();
  });

  it.each([
    ["en", "light"],
    ["en", "dark"],
    ["zh", "light"],
    ["zh", "dark"],
  ] as const)(
    "in %s, %s: no accessibility violation on any tab, nothing asked of another host",
    async (language, theme) => {
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

  it("signing out ends it, in every tab", async () => {
    await choose(page, "en", "light");
    await button(page, "Sign out").click();
    await page.getByText("With a one-time link").waitFor();
    await second.getByText("With a one-time link").waitFor({ timeout: 20_000 });
  });

  it.runIf(PICTURES)("pictures for the READMEs", async () => {
    const { page: camera } = await signIn();
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
});

async function choose(page: Page, language: "en" | "zh", theme: "light" | "dark"): Promise<void> {
  await page.getByRole("radio", { name: language === "en" ? "English" : "中文" }).check();
  await page.getByRole("radio", { name: theme === "light" ? /^(Light|浅色)$/ : /^(Dark|深色)$/ }).check();
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
