import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { BUILT_IN_RULES } from "../src/rules/index.ts";
import type { Rule } from "../src/rules/rule.ts";

/**
 * Writes `docs/rules.md`, the table of all built-in rules: `node packages/shared-security/scripts/rules-table.ts`.
 * Examples stay in the code, put together at run time, so that the page itself never looks like a leak to a scanner.
 */
export const RULES_PAGE = resolve(import.meta.dirname, "../../../docs/rules.md");

const SHOWN_KEYWORDS = 4;

/** The page as Markdown. */
export function renderRules(rules: readonly Rule[]): string {
  const families = Map.groupBy(rules, (rule) => rule.id.slice(0, rule.id.indexOf("/")));
  const sections = [...families].map(([family, members]) =>
    [
      `## ${family}`,
      "",
      "| Rule | Type | Level | Sure | Looked at where | Defined in |",
      "|---|---|---|---|---|---|",
      ...members.map(row),
    ].join("\n"),
  );
  return `${[
    "# Rules",
    `Made from the code by \`node packages/shared-security/scripts/rules-table.ts\`; a test fails when it is out of date. ${rules.length} rules in ${families.size} families.`,
    "A rule id goes into `disabledRules`, a family as `family/*`. *Level*: S2 is replaced before a cloud model sees it, S3 stays with the local model. *Sure*: 1 for a checksum or a format nobody else uses, less for a shape that needs its context; `minConfidence` (0.5) cuts off below.",
    ...sections,
  ].join("\n\n")}\n`;
}

function row(rule: Rule): string {
  const cells = [
    `\`${rule.id}\``,
    rule.type,
    rule.level,
    String(rule.confidence),
    trigger(rule),
    rule.source,
  ];
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|").replaceAll("\n", " ")).join(" | ")} |`;
}

function trigger(rule: Rule): string {
  if (rule.keywords === "number") return "numbers";
  const shown = rule.keywords
    .slice(0, SHOWN_KEYWORDS)
    .map((keyword) => `\`${keyword.replaceAll("`", "'")}\``);
  const more = rule.keywords.length - shown.length;
  return more > 0 ? `${shown.join(" ")} and ${more} more` : shown.join(" ");
}

if (import.meta.main) {
  writeFileSync(RULES_PAGE, renderRules(BUILT_IN_RULES));
  console.log(`${RULES_PAGE}: ${BUILT_IN_RULES.length} rules`);
}
