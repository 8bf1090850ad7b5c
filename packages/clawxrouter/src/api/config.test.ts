import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfigFile } from "../config-file/file.ts";
import { Engine } from "../engine/engine.ts";
import { RouterApi, VersionConflict } from "./index.ts";

let dir: string;
let engine: Engine;
let api: RouterApi;
const file = () => path.join(dir, "clawxrouter.json");

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-api-"));
  writeFileSync(
    file(),
    JSON.stringify({
      privacy: { proxyPort: 21_555 },
      managed: { upstreams: { cloud: { baseUrl: "https://api.example/v1", api: "openai-completions" } } },
    }),
  );
  const silent = { info: () => {}, warn: () => {}, error: () => {} };
  engine = new Engine({ stateDir: dir, hostConfig: () => ({}), log: silent });
  api = new RouterApi(engine);
});
afterEach(async () => {
  await engine.stop();
  rmSync(dir, { recursive: true, force: true });
});

describe("changing the settings through the API", () => {
  it("takes effect at once, keeps what setup wrote, and can be undone", () => {
    const before = api.config.read();
    expect(before.raw).toEqual({ privacy: { proxyPort: 21_555 } });
    api.config.write(
      { privacy: { proxyPort: 21_556, rules: { keywords: { S3: ["蓝鲸"] } } } },
      before.version,
    );
    expect(engine.config().privacy.proxyPort).toBe(21_556);
    expect(engine.detector().detectByRules("蓝鲸计划").level).toBe("S3");
    expect(JSON.parse(readFileSync(file(), "utf8"))).toHaveProperty("managed.upstreams.cloud");
    api.config.undo();
    expect(engine.config().privacy.proxyPort).toBe(21_555);
    expect(engine.config().managed.upstreams.cloud?.baseUrl).toBe("https://api.example/v1");
  });

  it.each([
    ["gone", () => rmSync(file())],
    ["empty", () => writeFileSync(file(), "")],
  ])("keeps what setup wrote when it saves while the file is %s", (_, lose) => {
    engine.config();
    lose();
    api.config.write({ privacy: { proxyPort: 21_557 } }, api.config.read().version);
    expect(JSON.parse(readFileSync(file(), "utf8"))).toHaveProperty("managed.upstreams.cloud");
    // Another process, e.g. the CLI that is to take setup back.
    const { managed } = readConfigFile(file());
    expect(managed.upstreams.cloud?.baseUrl).toBe("https://api.example/v1");
  });

  it("refuses a stale version, a bad document, and upstreams from outside", () => {
    const { version } = api.config.read();
    expect(() => api.config.write({ privacy: { proxyPort: 0 } }, version)).toThrow("/privacy/proxyPort");
    api.config.write({ privacy: {} }, version);
    expect(() => api.config.write({ privacy: {} }, version)).toThrow(VersionConflict);
    api.config.write(
      {
        privacy: {},
        managed: { upstreams: { cloud: { baseUrl: "https://evil.example/v1", api: "openai-completions" } } },
      },
      api.config.read().version,
    );
    expect(engine.config().managed.upstreams.cloud?.baseUrl).toBe("https://api.example/v1");
  });

  it("refuses code that the file on disk does not name (case: module-data-url)", () => {
    for (const module of ["data:text/javascript,0", "http://evil.example/x.js", "/tmp/x.js"]) {
      const { version } = api.config.read();
      expect(() =>
        api.config.write({ privacy: { localModel: { enabled: true, type: "custom", module } } }, version),
      ).toThrow("on disk");
      expect(() =>
        api.config.write({ privacy: { routers: { x: { type: "custom", module } } } }, version),
      ).toThrow("on disk");
    }
  });

  it("prompts have fixed names (case: prompt-name)", () => {
    for (const name of ["../../x", "/etc/passwd", "detection-system.md", ""])
      expect(() => api.savePrompt(name, "x"), name).toThrow("no prompt of this name");
    expect(api.savePrompt("detection-system", "mine")).toMatchObject({ edited: true, text: "mine" });
    expect(api.resetPrompt("detection-system")).toMatchObject({ edited: false });
    expect(() => api.savePrompt("detection-system", " ")).toThrow("empty");
  });
});
