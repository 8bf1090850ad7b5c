/** Promises about the page's source and its build that hold for every file. */
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildWeb, type WebBuild } from "../../../../../scripts/build-web.ts";
import { BASE_PATH } from "../routes.ts";

const app = path.dirname(fileURLToPath(import.meta.url));
const dir = path.resolve(app, "../../..");
const MAX_GZIP_BYTES = 150 * 1024;

async function sources(): Promise<{ name: string; text: string }[]> {
  const names = (await readdir(app, { recursive: true })).filter((name) => /\.(tsx?|css|html)$/.test(name));
  const own = names.filter((name) => !name.startsWith("testing") && !name.endsWith(".test.ts"));
  return Promise.all(own.map(async (name) => ({ name, text: await readFile(path.join(app, name), "utf8") })));
}

describe("the page's source", () => {
  it("puts text on the page through text nodes only", async () => {
    const files = await sources();
    expect(files.length).toBeGreaterThan(80);
    for (const { name, text } of files)
      expect(text, name).not.toMatch(
        /dangerouslySetInnerHTML|innerHTML|outerHTML|insertAdjacentHTML|document\.write|createContextualFragment|DOMParser|\beval\(|new Function\b|srcdoc/,
      );
  });

  it("takes only types from the plugin's own code and the contract, so that none of it is bundled", async () => {
    for (const { name, text } of await sources()) {
      for (const [line] of text.matchAll(
        /^import (?!type ).*from "(?:\.\.\/)+(?:contract|config-file)[^"]*".*$/gm,
      ))
        expect(line, name).toBe("");
    }
  });

  it("has no file of more than 300 lines", async () => {
    for (const { name, text } of await sources())
      expect(text.split("\n").length, name).toBeLessThanOrEqual(300);
  });

  it("asks no other host for anything", async () => {
    for (const { name, text } of await sources())
      expect(text.replaceAll("http://www.w3.org/2000/svg", ""), name).not.toMatch(/https?:\/\/|@import url/);
  });
});

describe("the built page", () => {
  let out: string;
  let built: WebBuild;
  beforeAll(async () => {
    out = await mkdtemp(path.join(os.tmpdir(), "clawx-web-"));
    built = await buildWeb(dir, { app: "src/web/app", base: BASE_PATH }, out);
  }, 60_000);
  afterAll(async () => {
    await rm(out, { recursive: true, force: true });
  });

  it("weighs less than 150 kB by gzip", () => {
    expect(built.gzipBytes).toBeLessThan(MAX_GZIP_BYTES);
  });

  it("names its assets by hash, holds nothing inline, and bundles no server code", async () => {
    const html = await readFile(path.join(out, "index.html"), "utf8");
    const assets = await readdir(path.join(out, "assets"));
    for (const name of assets) expect(name).toMatch(/^[a-z]+-[A-Z0-9]{8}\.(js|css|svg)$/);
    const named = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1] ?? "");
    expect(named.sort()).toEqual(assets.map((name) => `${BASE_PATH}/assets/${name}`).sort());
    expect(html).not.toMatch(/<style|style="|\son\w+="|<script(?![^>]*\ssrc=)/);
    for (const input of built.inputs) expect(input).not.toMatch(/typebox|src\/(?!web)/);
  });
});
