import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { BUILT_IN_RULES } from "../src/rules/index.ts";
import { RULES_PAGE, renderRules } from "./rules-table.ts";

it("docs/rules.md is what the code says (else: node packages/shared-security/scripts/rules-table.ts)", () => {
  expect(readFileSync(RULES_PAGE, "utf8")).toBe(renderRules(BUILT_IN_RULES));
});

it("names every rule once", () => {
  const page = renderRules(BUILT_IN_RULES);
  for (const { id } of BUILT_IN_RULES) expect(page.split(`\`${id}\``)).toHaveLength(2);
});
