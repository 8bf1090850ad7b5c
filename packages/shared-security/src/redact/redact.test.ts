import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detect } from "../detect/detect.ts";
import { BUILT_IN_RULES } from "../rules/index.ts";
import { redactMessage, redactSensitiveInfo } from "./message.ts";
import { redact, replaceFindings } from "./redact.ts";

const EXAMPLES = BUILT_IN_RULES.flatMap((rule) => [...rule.examples.ok, ...rule.examples.ng]);

const anyText = fc
  .array(fc.oneof(fc.constantFrom(...EXAMPLES), fc.string({ unit: "binary", maxLength: 30 })), {
    maxLength: 8,
  })
  .map((parts) => parts.join(" "));

describe("redact", () => {
  it("names the type in place of the value and keeps the rest", () => {
    const { text, findings } = redact("打 13800138000 或 mail alice@corp.io");
    expect(text).toBe("打 [REDACTED:PHONE] 或 mail [REDACTED:EMAIL]");
    expect(findings.map((finding) => finding.type)).toEqual(["PHONE", "EMAIL"]);
  });

  it("takes out exactly the spans: putting the values back gives the text, for 10,000 texts", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const findings = detect(text);
        expect(replaceFindings(text, findings, (finding) => finding.value)).toBe(text);
        const kept = replaceFindings(text, findings, () => "\u0000");
        expect(kept.split("\u0000").length - 1).toBeGreaterThanOrEqual(findings.length);
      }),
      { numRuns: 10_000 },
    );
  }, 120_000);

  const data = resolve(import.meta.dirname, "../../../../../shared/data/pii-en/presidio-synth.dev.jsonl");
  it.skipIf(!existsSync(data))(`does so on ${data} too`, () => {
    for (const line of readFileSync(data, "utf8").trim().split("\n")) {
      const { text } = JSON.parse(line) as { text: string };
      expect(replaceFindings(text, detect(text), (finding) => finding.value)).toBe(text);
    }
  });
});

describe("redactMessage", () => {
  const message = {
    role: "user",
    id: "13800138000",
    content: [
      { type: "text", text: "call 13800138000" },
      { type: "tool_result", tool_call_id: "call_1", content: [{ type: "text", text: "alice@corp.io" }] },
    ],
  };

  it("strict: every string of the content, nested ones too; structure and ids stay", () => {
    expect(redactMessage(message, "strict")).toEqual({
      role: "user",
      content: [
        { type: "text", text: "call [REDACTED:PHONE]" },
        {
          type: "tool_result",
          tool_call_id: "call_1",
          content: [{ type: "text", text: "[REDACTED:EMAIL]" }],
        },
      ],
    });
  });

  it("strict: numbers, property names, JSON in strings and what a name gives away", () => {
    const content = [
      {
        type: "tool_use",
        id: "call_1",
        input: { phone: 13800138000, "alice.wu@corp.io": true, password: "hunter2x" },
      },
      { type: "text", text: '{"password":"hunter2x","n":13800138000}' },
    ];
    const kept = JSON.stringify(redactMessage({ role: "user", content }, "strict"));
    for (const gone of ["13800138000", "alice.wu", "hunter2x"]) expect(kept).not.toContain(gone);
    expect(kept).toContain('"id":"call_1"');
  });

  it("relaxed: role and content as they are, nothing else", () => {
    expect(redactMessage(message, "relaxed")).toEqual({ role: "user", content: message.content });
  });

  it("follows the policy, and ends on endless nesting", () => {
    expect(
      redactMessage({ role: "user", content: "a@corp.io" }, "strict", { levels: { EMAIL: "S1" } }).content,
    ).toBe("a@corp.io");
    let content: unknown = "alice@corp.io";
    for (let depth = 0; depth < 5_000; depth++) content = [content];
    expect(JSON.stringify(redactMessage({ role: "user", content }, "strict"))).not.toContain("alice");
  });
});

describe("redactSensitiveInfo", () => {
  it.each([
    ["/Users/alice/dev", "alice"],
    ["C:\\Users\\bob\\x", "bob"],
    ["mail alice@corp.io", "alice@corp.io"],
    ["call 905-674-3793", "905-674-3793"],
    [`key sk-${"a1B2c3D4".repeat(5)}`, "a1B2c3D4a1B2"],
    [`Bearer ${"a1B2c3D4".repeat(5)}`, "a1B2c3D4a1B2"],
    ["host 10.1.2.3", "10.1.2.3"],
    ["export NAME_SECRET=aB3dE6gH9jK2mN5pQ8rS", "aB3dE6gH9jK2mN5pQ8rS"],
  ])("%s", (text, gone) => expect(redactSensitiveInfo(text)).not.toContain(gone));
});
