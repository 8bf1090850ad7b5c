import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { detect } from "../src/index.ts";
import { BUILT_IN_RULES } from "../src/rules/index.ts";
import { secretlint } from "./secretlint.ts";

const DATA = resolve(import.meta.dirname, "../../../../shared/data/secrets/must-find.dev.jsonl");

/** What secretlint reports and no finding of ours touches. */
async function onlySecretlint(text: string): Promise<string[]> {
  const ours = detect(text);
  const theirs = await secretlint(text);
  return theirs
    .filter((message) => !ours.some((finding) => finding.start < message.end && message.start < finding.end))
    .map((message) => `${message.label}: ${text.slice(message.start, message.end)}`);
}

describe("secretlint as a second opinion", () => {
  it("reports nothing in our examples that we miss", async () => {
    for (const rule of BUILT_IN_RULES) {
      for (const text of rule.examples.ok)
        expect(await onlySecretlint(text), `${rule.id} ${text}`).toEqual([]);
    }
  }, 60_000);

  it.skipIf(!existsSync(DATA))(
    `reports nothing in ${DATA} that we miss${existsSync(DATA) ? "" : " (absent: skipped)"}`,
    async () => {
      for (const line of readFileSync(DATA, "utf8").trim().split("\n")) {
        const { text_base64: encoded } = JSON.parse(line) as { text_base64: string };
        expect(await onlySecretlint(Buffer.from(encoded, "base64").toString("utf8"))).toEqual([]);
      }
    },
    60_000,
  );
});
