import { describe, expect, it } from "vitest";
import { ConfigError, parseConfig } from "./config.ts";

/** The issues that settings have, as `path: message`. */
function issues(raw: unknown): string[] {
  try {
    parseConfig(raw);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.issues.map((issue) => `${issue.path}: ${issue.message}`);
  }
}

describe("settings", () => {
  it("have defaults that need no network and extract nothing", () => {
    expect(parseConfig(undefined)).toMatchObject({
      apiUrl: "",
      reminderMode: "normal",
      enableServerExtraction: false,
      privacyMode: "strict",
      extractionTrigger: "agent_end",
      language: "zh",
      autoRecall: false,
      serve: { enabled: false, port: 9999 },
    });
  });

  it("refuses unknown keys and wrong values, each with its path and what is allowed", () => {
    expect(issues({ reminderMod: "off" })[0]).toMatch(/^reminderMod: is not a setting; known: apiUrl, /);
    expect(issues({ reminderMode: "often" })).toEqual([
      'reminderMode: must be one of "off", "minimal", "normal", "aggressive"',
    ]);
    expect(issues({ searchDeadlineMs: 5 })).toEqual([
      "searchDeadlineMs: must be a whole number from 100 to 10000",
    ]);
    expect(issues({ enableServerExtraction: "yes" })).toEqual(["enableServerExtraction: must be a boolean"]);
    expect(issues({ serve: { prot: 1 } })[0]).toMatch(/^serve\.prot: /);
    expect(issues({ reminderMode: "often", language: "fr" })).toHaveLength(2);
  });

  it("refuses plain http to another machine unless told otherwise", () => {
    expect(issues({ apiUrl: "http://kb.example.com:9999" })[0]).toMatch(
      /^apiUrl: http:\/\/ to kb\.example\.com is refused: use https/,
    );
    expect(issues({ apiUrl: "http://kb.example.com:9999", allowInsecureRemote: true })).toEqual([]);
    for (const url of [
      "http://127.0.0.1:9999",
      "http://localhost:9999",
      "http://[::1]:9999",
      "https://kb.example.com/",
    ]) {
      expect(issues({ apiUrl: url })).toEqual([]);
    }
    expect(issues({ apiUrl: "http://127.0.0.1.evil.example" })).toHaveLength(1);
    expect(issues({ apiUrl: "kb.example.com" })[0]).toContain("is not a URL");
    expect(issues({ apiUrl: "ftp://kb.example.com" })[0]).toContain("https://");
    expect(issues({ apiUrl: "https://u:p@kb.example.com" })[0]).toContain("apiKey");
  });

  it("wants secrets as one line of text, resolved by the host", () => {
    expect(parseConfig({ apiUrl: "https://kb.example.com/", apiKey: "k" })).toMatchObject({
      apiUrl: "https://kb.example.com",
      apiKey: "k",
    });
    expect(issues({ apiKey: { source: "env", provider: "default", id: "KB_KEY" } })[0]).toContain(
      "did not resolve",
    );
    expect(issues({ apiKey: "a\r\nx: y" })).toEqual(["apiKey: must be one line"]);
  });
});
