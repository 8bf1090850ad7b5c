/**
 * Runs the tour and photographs what it printed: `docs/images/tour.png` (the first steps; the rest would make the
 * picture unreadable).
 *
 *   node scripts/tour-picture.ts          runs the tour (a minute or two)
 *   node scripts/tour-picture.ts FILE     takes what a run with FORCE_COLOR=1 printed
 */
import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import chromium from "@sparticuz/chromium";
import { chromium as playwright } from "playwright-core";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const PALETTE: Record<string, string> = {
  "1": "font-weight:bold",
  "2": "opacity:.6",
  "31": "color:#ff7b72",
  "32": "color:#7ee787",
  "33": "color:#e3b341",
  "35": "color:#d2a8ff",
  "36": "color:#79c0ff",
};

/** What stands for the lock in a browser without an emoji font. */
const LOCK =
  '<svg width="13" height="14" viewBox="0 0 13 14" fill="#e3b341" style="vertical-align:-1px"><path d="M3 6V4a3.5 3.5 0 0 1 7 0v2h1v7H2V6zm1.6 0h3.8V4a1.9 1.9 0 0 0-3.8 0z"/></svg>';

const recorded = process.argv[2];
const output = recorded === undefined ? await runTour() : await readFile(recorded, "utf8");
const from = output.search(/[^\n]*1\/\d/);
const until = output.search(/[^\n]*5\/\d/);
const html = toHtml(output.slice(from, until));
const browser = await playwright.launch({
  args: chromium.args,
  executablePath: await chromium.executablePath(),
  headless: true,
});
try {
  const page = await browser.newPage({ viewport: { width: 1500, height: 200 }, deviceScaleFactor: 1.5 });
  await page.setContent(
    `<body style="margin:0;background:#0d1117"><pre id="t" style="margin:0;padding:20px;color:#c9d1d9;font:14px/1.5 monospace;white-space:pre-wrap">${html}</pre></body>`,
  );
  await mkdir(path.join(root, "docs", "images"), { recursive: true });
  await page.locator("#t").screenshot({ path: path.join(root, "docs", "images", "tour.png") });
} finally {
  await browser.close();
}

async function runTour(): Promise<string> {
  const child = spawn(process.execPath, ["demo/start.ts", "--exit", "--lang", "en"], {
    cwd: root,
    env: { ...process.env, FORCE_COLOR: "1" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
    process.stdout.write(chunk);
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  if (code !== 0) throw new Error(`the tour ended with ${String(code)}: no picture of a failure`);
  return output;
}

/** ANSI colours as spans. */
function toHtml(text: string): string {
  const escaped = text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c] ?? c);
  let open = 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
  const html = escaped.replace(/\x1b\[([\d;]*)m/g, (_, codes: string) => {
    const style = PALETTE[codes];
    if (style) {
      open++;
      return `<span style="${style}">`;
    }
    if (open === 0) return "";
    open--;
    return "</span>";
  });
  return html.replaceAll("🔒", LOCK) + "</span>".repeat(open);
}
