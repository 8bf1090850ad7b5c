import { describe, expect, it } from "vitest";
import { makeScrubber } from "./secrets.ts";

describe("taking tokens out of a text", () => {
  const token = ["ab+c/d", '"e\\f', "==ghijk"].join("");
  const scrub = makeScrubber({ agentToken: token });

  it.each([
    ["as it is", token],
    ["in JSON", JSON.stringify({ said: token })],
    ["in an address", `https://login.invalid/?t=${encodeURIComponent(token)}`],
    ["in Base64", `Basic ${Buffer.from(token).toString("base64")}`],
    ["in URL-safe Base64", Buffer.from(token).toString("base64url")],
  ])("%s", (_, text) => {
    expect(scrub(`a ${text} b`)).toMatch(/^a .*\[REDACTED\].* b$/);
    expect(scrub(text)).not.toContain(encodeURIComponent(token));
    expect(scrub(text)).not.toContain("ghijk");
  });

  it("leaves a text without one alone, and very short values too", () => {
    expect(scrub("无关的文字")).toBe("无关的文字");
    expect(makeScrubber({ agentToken: "ab" })("ab cab")).toBe("ab cab");
  });
});
