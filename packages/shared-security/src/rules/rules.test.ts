import { describe, expect, it } from "vitest";
import { detect } from "../detect/detect.ts";
import { BUILT_IN_RULES } from "./index.ts";

/** Everything off but one rule, so that an example cannot pass by another's help. */
function findOnly(id: string, text: string): string[] {
  const disabledRules = BUILT_IN_RULES.map((rule) => rule.id).filter((other) => other !== id);
  return detect(text, { disabledRules, minConfidence: 0 }).map((finding) => finding.value);
}

describe.each(BUILT_IN_RULES.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  it("has examples, a source and a well-formed id", () => {
    expect(rule.examples.ok.length).toBeGreaterThan(0);
    expect(rule.examples.ng.length).toBeGreaterThan(0);
    expect(rule.source).not.toBe("");
    expect(id).toMatch(/^[a-z-]+\/[a-z0-9-]+$/);
    expect(rule.type).toMatch(/^[A-Z][A-Z0-9_]*$/);
  });

  it.each(rule.examples.ok)("finds %s", (text) => {
    expect(findOnly(id, text)).not.toEqual([]);
  });

  it.each(rule.examples.ng)("leaves %s", (text) => {
    expect(findOnly(id, text)).toEqual([]);
  });
});
