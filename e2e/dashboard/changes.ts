/** Settings that change under the page: two writers, edits on disk, imports, the host's own settings, corrections. */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { violations } from "../../packages/clawxrouter/src/web/app/testing/browser.ts";
import { button, field, type Scene, shows } from "./scene.ts";
import { PHONE, visit } from "./stage.ts";

export function describeChanges(scene: () => Scene): void {
  it("two writers of one list are asked, and both together keeps what each did", async () => {
    const { page, second, onDisk } = scene();
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
    const { page, file } = scene();
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

  it("a file is imported after a look at what it changes", async () => {
    const { page, second, onDisk } = scene();
    await visit(page, "config");
    await button(page, "Edit as text").click();
    const text = field(page, "clawxrouter.json");
    const whole = JSON.parse(await text.inputValue()) as { privacy: object };
    await text.fill(
      JSON.stringify({ ...whole, privacy: { ...whole.privacy, s2Policy: "elsewhere" } }, null, 2),
    );
    await page.getByText(/\/privacy\/s2Policy, line \d+: /).waitFor();
    expect(await button(page, "Import").isDisabled()).toBe(true);
    await text.fill(JSON.stringify({ ...whole, privacy: { ...whole.privacy, failClosed: "S3" } }, null, 2));
    await page.getByText("1 setting changes").waitFor();
    await button(page, "Import").click();
    await expect.poll(onDisk).toMatchObject({ privacy: { failClosed: "S3" } });
    await visit(second, "config");
    await second.getByPlaceholder("Find a setting").fill("failClosed");
    await expect.poll(() => field(second, "When the local model does not answer").inputValue()).toBe("S3");
  });

  it("an unprotected provider turns the posture red, and the page's button mends it", async () => {
    const { page, gateway, watch } = scene();
    await visit(page, "overview");
    await shows(page, ".posture.good");
    await gateway.editConfig((config) => {
      const { providers } = config.models as { providers: Record<string, object> };
      providers.newcomer = {
        baseUrl: "http://newcomer.test:9/v1",
        apiKey: "made-up",
        api: "openai-completions",
        models: [{ id: "m", name: "m", contextWindow: 8_000, maxTokens: 1_000, input: ["text"] }],
      };
    });
    await page.locator(".posture.bad").waitFor({ timeout: 45_000 });
    expect(await page.locator(".posture-list").textContent()).toContain("newcomer");
    await button(page, "Show and apply the fix").first().click();
    await page.locator("dialog .plan-change").first().waitFor();
    expect(await page.locator("dialog").textContent()).toContain("/models/providers/newcomer/baseUrl");
    await button(page, "Make these changes").click();
    await page.locator(".posture.good").waitFor({ timeout: 45_000 });
    expect(await readFile(path.join(gateway.stateDir, "openclaw.json"), "utf8")).not.toContain(
      "newcomer.test",
    );
    await page.locator(".live.on").waitFor({ timeout: 30_000 });
    watch.faults.length = 0;
  });

  it("'this was wrong' shows what it changes before it changes it", async () => {
    const { page, onDisk } = scene();
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
}
