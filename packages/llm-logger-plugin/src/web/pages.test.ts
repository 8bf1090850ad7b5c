/** Both pages in a real Chromium, under their own security policies. */

import fs from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import chromium from "@sparticuz/chromium";
import { type Browser, type Page, chromium as playwright } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answering, type Lab, wireLab } from "../testing/wire-lab.ts";
import type { PageCall } from "./session-data.ts";
import { sessionPage } from "./session-page.ts";
import { handleStatusPage } from "./status-page.ts";

let browser: Browser;
let dir: string;
beforeAll(async () => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "llm-logger-pages-"));
  for (let left = 5; !browser; left--) {
    try {
      browser = await playwright.launch({
        args: ["--no-sandbox", "--disable-gpu"],
        executablePath: await chromium.executablePath(),
      });
    } catch (error) {
      // Another test file may be unpacking the browser just now.
      if (left <= 1) throw error;
      await new Promise((done) => setTimeout(done, 2000));
    }
  }
}, 60_000);
afterAll(async () => {
  await browser?.close();
  fs.rmSync(dir, { recursive: true, force: true });
});

async function open(url: string, width: number): Promise<{ page: Page; faults: string[]; asked: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 } });
  const page = await context.newPage();
  const faults: string[] = [];
  const asked: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  page.on("request", (request) => asked.push(request.url()));
  page.on("dialog", (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, faults, asked };
}
const overflow = (page: Page) =>
  page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth");

const EVIL = `</script><script>alert(1)</script><img src="https://evil.test/x" onerror="alert(2)"><!-- \u2028`;
function pageCall(index: number, fields: Partial<PageCall> = {}): PageCall {
  return {
    id: `id${index}${EVIL}`,
    at: Date.parse("2026-03-04T10:00:00Z") + index * 86_400_000,
    model: `m${EVIL}`,
    purpose: "turn",
    outcome: "ok",
    ok: true,
    status: 200,
    ttfbMs: 1,
    durationMs: 2,
    tokens: "1 + 0 cached → 2",
    cost: "$1",
    error: "",
    messages: [{ role: EVIL, text: `question ${index} ${EVIL}` }],
    answer: { text: `answer ${index} ${EVIL}`, thinking: EVIL, tools: [{ name: EVIL, args: EVIL }] },
    raw: [{ title: EVIL, text: `raw ${index} ${EVIL}` }],
    diff: { verdict: "changed", note: EVIL, before: EVIL, after: EVIL },
    ...fields,
  };
}

describe("the session page", () => {
  it("shows every text as text, asks nobody, works by keyboard, fits a phone", async () => {
    const none = pageCall(2, {
      outcome: "no_http",
      ok: false,
      answer: { text: "", thinking: "", tools: [] },
    });
    const file = path.join(dir, "page.html");
    fs.writeFileSync(
      file,
      sessionPage({ session: EVIL, generatedAt: "", calls: [pageCall(0), pageCall(1), none] }),
    );
    for (const width of [1200, 360]) {
      const { page, faults, asked } = await open(`file://${file}`, width);
      expect(await page.locator("#detail").textContent()).toContain(`answer 0 ${EVIL}`);
      expect(await page.locator("img").count()).toBe(0);
      await page.locator("[role=tab]").first().focus();
      for (const wanted of [`question 0 ${EVIL}`, "changed", `raw 0 ${EVIL}`, `answer 0 ${EVIL}`]) {
        await page.keyboard.press("ArrowRight");
        expect(await page.locator("#detail").textContent()).toContain(wanted);
        expect(await page.locator("[role=tab]:focus").getAttribute("aria-selected")).toBe("true");
      }
      await page.locator("#search").fill("ANSWER 1");
      expect(await page.locator(".row:visible").count()).toBe(1);
      expect(await page.locator("#count").textContent()).toBe("1 / 3");
      await page.locator("#search").fill("");
      expect(await page.locator(".row").nth(2).textContent()).toContain("未见流量");
      expect(await page.locator(".row time").nth(1).textContent()).toMatch(/2026/);
      expect(await overflow(page)).toBe(0);
      expect(faults).toEqual([]);
      expect(asked).toEqual([`file://${file}`]);
      await page.context().close();
    }
  }, 60_000);
});

describe("the status page", () => {
  let lab: Lab;
  let server: http.Server;
  let silent = false;
  beforeAll(async () => {
    lab = await wireLab({
      conversationAccess: false,
      config: { redactAuthorization: false },
      handler: answering((_, __, response) => response.end("{}")),
    });
    server = http.createServer((request, response) => {
      const status = structuredClone(lab.logger.status());
      if (silent) status.counters.callsUnmatched = 3;
      handleStatusPage(request, response, () => status);
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  });
  afterAll(async () => {
    server.close();
    await lab.close();
  });

  it("says first what is missing, in both languages, and fits a phone", async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    for (const [width, loud] of [
      [1200, false],
      [360, true],
    ] as const) {
      silent = loud;
      const { page, faults } = await open(url, width);
      expect(await page.locator("[role=alert]").count()).toBe(loud ? 1 : 0);
      const notes = await page.locator("main .notes").textContent();
      expect(notes).toContain("allowConversationAccess true");
      expect(notes).toContain("未授予会话访问权限");
      expect(notes).toContain("API keys in request headers are written to the log in clear text");
      expect(await overflow(page)).toBe(0);
      expect(faults.filter((fault) => !fault.includes("favicon"))).toEqual([]);
      await page.context().close();
    }
  }, 60_000);
});
