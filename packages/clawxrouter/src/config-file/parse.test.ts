import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { editConfigFile, readConfigFile } from "./file.ts";
import { locate } from "./locate.ts";
import { ConfigError, defaultConfig, parseConfig } from "./parse.ts";

function faultsOf(text: string) {
  try {
    parseConfig(text, "clawxrouter.json");
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("no error was thrown");
}

describe("clawxrouter.json", () => {
  it("fills every default of the design", () => {
    const config = defaultConfig();
    expect(config.privacy.proxyPort).toBe(8403);
    expect(config.privacy.s2Policy).toBe("proxy");
    expect(config.privacy.pipeline.onUserMessage).toEqual(["privacy", "token-saver"]);
    expect(config.privacy.routers.privacy).toMatchObject({ enabled: true, type: "builtin", weight: 90 });
    expect(config.privacy.routers["token-saver"]).toMatchObject({ weight: 40 });
    expect(config.privacy.checkpoints.onUserMessage).toEqual(["ruleDetector", "localModelDetector"]);
    expect(config.privacy.rules.tools.S3.paths).toContain("~/.ssh");
    expect(config.tokenSaver.tiers.SIMPLE.model).toBe("glm-4.5-air");
    expect(config.tokenSaver.cacheTtlMs).toBe(300_000);
  });

  it("keeps the built-in routers when the file lists only its own", () => {
    const config = parseConfig('{"privacy":{"routers":{"content-filter":{"weight":60}}}}', "f");
    expect(Object.keys(config.privacy.routers).sort()).toEqual(["content-filter", "privacy", "token-saver"]);
    expect(config.privacy.routers["content-filter"]).toMatchObject({
      enabled: true,
      type: "configurable",
      keywords: { S2: [], S3: [] },
    });
  });

  it("names every fault with path and line", () => {
    const text =
      '{\n  "privacy": {\n    "proxyPort": 99999,\n    "s2Policy": "cloud",\n    "proxyprot": 1\n  }\n}';
    const error = faultsOf(text);
    const byPath = Object.fromEntries(error.faults.map((f) => [f.path, f.line]));
    expect(byPath).toEqual({ "/privacy/proxyPort": 3, "/privacy/s2Policy": 4, "/privacy/proxyprot": 5 });
    expect(error.message).toContain("one of: proxy, local");
  });

  it("names the line of a syntax error and quotes no content", () => {
    const secret = `hunter${"2".repeat(12)}`;
    const error = faultsOf(`{\n "privacy": {\n "x": "${secret}" oops\n}}`);
    expect(error.faults[0]?.line).toBe(3);
    expect(error.message).not.toContain(secret);
  });

  it("locates nested members, elements and missing ones", () => {
    const text = '{\n"a": [1,\n {"b": "}",\n "c": 2}],\n"d": 3}';
    expect(locate(text, "/a/1/c")).toBe(4);
    expect(locate(text, "/d")).toBe(5);
    expect(locate(text, "/a/1/zz")).toBe(3);
    expect(locate(text, "")).toBe(1);
  });
});

describe("the file on disk", () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(path.join(os.tmpdir(), "clawx-config-"));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  it("is written 0600, keeps what the edit does not touch, and stays as it was after a bad edit", () => {
    const file = path.join(dir, "clawxrouter.json");
    writeFileSync(file, '{"privacy":{"localHosts":["gpu.lan"]}}');
    const config = editConfigFile(file, (raw) => {
      (raw.privacy as Record<string, unknown>).proxyPort = 9000;
    });
    expect(config.privacy.proxyPort).toBe(9000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const before = readFileSync(file, "utf8");
    expect(JSON.parse(before)).toEqual({ privacy: { localHosts: ["gpu.lan"], proxyPort: 9000 } });
    expect(() =>
      editConfigFile(file, (raw) => {
        raw.privacy = { proxyPort: "no" };
      }),
    ).toThrow(ConfigError);
    expect(readFileSync(file, "utf8")).toBe(before);
  });

  it("means all defaults when absent", () => {
    expect(readConfigFile(path.join(dir, "none.json"))).toEqual(defaultConfig());
  });
});
