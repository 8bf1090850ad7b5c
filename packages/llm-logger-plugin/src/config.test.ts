import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.ts";
import { buildManifest } from "./manifest.ts";

describe("config", () => {
  it("has the design's defaults", () => {
    expect(parseConfig(undefined)).toMatchObject({
      enabled: true,
      maxBodyBytes: 262_144,
      redactAuthorization: true,
      includeHooks: true,
      includeHttp: true,
      includeWebSocket: true,
      retentionDays: 30,
      retentionMaxBytes: 2 * 1024 ** 3,
    });
    expect(parseConfig({}).logFile).toBeUndefined();
  });

  it("refuses unknown keys by name", () => {
    expect(() => parseConfig({ maxBodyByte: 5, verbose: true })).toThrowError(
      /unknown key "maxBodyByte".*unknown key "verbose"/s,
    );
  });

  it("refuses wrong values by path and never prints them", () => {
    const secret = "not-a-number-but-perhaps-a-secret";
    try {
      parseConfig({ maxBodyBytes: secret, writeMode: "lazy" });
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ConfigError);
      expect((error as ConfigError).issues).toHaveLength(2);
      expect((error as ConfigError).message).toContain("maxBodyBytes");
      expect((error as ConfigError).message).toContain('"direct" or "batched"');
      expect((error as ConfigError).message).not.toContain(secret);
    }
  });

  it("keeps maxBodyBytes at 1024 or more", () => {
    expect(() => parseConfig({ maxBodyBytes: 1023 })).toThrow(/1024/);
    expect(parseConfig({ maxBodyBytes: 1024 }).maxBodyBytes).toBe(1024);
  });

  it("is the manifest's configSchema", () => {
    const file = path.resolve(import.meta.dirname, "../openclaw.plugin.json");
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(buildManifest())));
  });
});
