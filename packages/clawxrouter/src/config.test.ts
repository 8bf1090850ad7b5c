import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { generatedManifest } from "../scripts/manifest.ts";
import { parsePluginConfig } from "./config.ts";
import { TOOL_POLICY_ID } from "./hooks/tool-policy.ts";

const manifest = JSON.parse(readFileSync(new URL("../openclaw.plugin.json", import.meta.url), "utf8")) as {
  configSchema: unknown;
  contracts: { trustedToolPolicies: string[]; agentToolResultMiddleware: string[] };
};

describe("plugin settings", () => {
  it("are in the manifest as in the code (else: node packages/clawxrouter/scripts/manifest.ts)", () => {
    expect(manifest).toEqual(JSON.parse(generatedManifest()));
  });
  it("declare every contract that is registered", () => {
    expect(manifest.contracts.trustedToolPolicies).toEqual([TOOL_POLICY_ID]);
    expect(manifest.contracts.agentToolResultMiddleware).toEqual(["openclaw"]);
  });
  it("refuse what they do not know, with its path", () => {
    expect(() => parsePluginConfig({ port: 1 })).toThrow("plugins.entries.clawxrouter.config/port");
    expect(parsePluginConfig(undefined)).toEqual({});
  });
});
