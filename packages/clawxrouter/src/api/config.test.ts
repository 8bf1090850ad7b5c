import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfigFile } from "../config-file/file.ts";
import { Engine } from "../engine/engine.ts";
import { RouterApi, VersionConflict } from "./index.ts";
import { KEPT } from "./secrets.ts";

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

  it("a step back can be taken back, the next one goes further, and nothing is lost on the way", () => {
    const port = () => engine.config().privacy.proxyPort;
    const write = (proxyPort: number) => api.config.write({ privacy: { proxyPort } }, api.config.version());
    for (const proxyPort of [21_601, 21_602, 21_603]) write(proxyPort);
    api.config.undo();
    expect(port()).toBe(21_602);
    api.config.undo();
    expect(port()).toBe(21_601);
    const undone = api.config.history().filter((entry) => entry.undone);
    expect(undone).toHaveLength(2);
    // The first one taken back is the older entry: 21 603.
    api.config.undo(undone[1]?.id);
    expect(port()).toBe(21_603);
    api.config.undo();
    expect(port()).toBe(21_555);
    expect(api.config.read().canUndo).toBe(false);
    expect(() => api.config.undo()).toThrow(/no earlier version/);
    const left = api.config.history().map(({ id }) => {
      const text = readFileSync(path.join(engine.dataDir, "config-history", id), "utf8");
      return (JSON.parse(text) as { privacy: { proxyPort: number } }).privacy.proxyPort;
    });
    expect(new Set(left)).toEqual(new Set([21_601, 21_602, 21_603]));
  });

  it("versions keep their order when the clock is set back", () => {
    const write = (proxyPort: number) => api.config.write({ privacy: { proxyPort } }, api.config.version());
    write(21_611);
    vi.useFakeTimers({ now: Date.now() - 86_400_000, toFake: ["Date"] });
    try {
      write(21_612);
      write(21_613);
    } finally {
      vi.useRealTimers();
    }
    api.config.undo();
    expect(engine.config().privacy.proxyPort).toBe(21_612);
    api.config.undo();
    expect(engine.config().privacy.proxyPort).toBe(21_611);
  });

  it("an edit on disk that is broken is kept when it is undone, and is nothing to go back to", () => {
    api.config.write({ privacy: { proxyPort: 21_621 } }, api.config.version());
    writeFileSync(file(), '{ "privacy": { "proxyPort": 21622, } }');
    api.config.undo();
    const [broken] = api.config.history().filter((entry) => entry.undone);
    expect(readFileSync(path.join(engine.dataDir, "config-history", broken?.id ?? ""), "utf8")).toContain(
      "21622",
    );
    expect(() => api.config.undo(broken?.id)).toThrow(/not valid/);
  });

  it("saving what is there already is no change", () => {
    const { raw, version } = api.config.read();
    expect(api.config.write(raw, version).version).toBe(version);
    expect(api.config.history()).toEqual([]);
  });

  it("the stand-in of a key is not saved as if it were one", () => {
    const raw = { privacy: { routers: { mine: { type: "configurable", options: { token: KEPT } } } } };
    expect(api.config.validate(raw)).toEqual([
      expect.objectContaining({ path: "/privacy/routers/mine/options/token" }),
    ]);
    expect(() => api.config.write(raw, api.config.version())).toThrow(/not valid/);
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
