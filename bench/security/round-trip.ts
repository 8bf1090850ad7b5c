import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import {
  BUILT_IN_RULES,
  detect,
  redactStream,
  restoreStream,
  type TextStream,
  Vault,
} from "../../packages/shared-security/src/index.ts";
import { atLeast, atMost } from "../verdict.ts";
import { explain, SHARED } from "./data.ts";
import type { BenchPart, Row } from "./types.ts";

const FOLDERS = ["pii-en", "pii-zh", "secrets", "injection", "routing"];
const RANDOM_TEXTS = 10_000;
const SEED = 20261130;
const SESSION = "bench";

/** Cuts are these lengths in turn, over and over. */
interface Sample {
  readonly text: string;
  readonly cuts: readonly number[];
}

const part: BenchPart = {
  title: "Round trip: restore(redact(x)) = x, whole, and both ways in pieces",
  needs: FOLDERS,
  async run() {
    const rows: Row[] = [];
    const data = dataTexts().map((text, index) => ({ text, cuts: [1 + (index % 7), 3, 1, 11] }));
    const fromData = count("texts of ../shared/data", data, rows);
    const random = count(
      "random texts",
      fc.sample(randomSample, { numRuns: RANDOM_TEXTS, seed: SEED }),
      rows,
    );
    return {
      rows,
      checks: [
        atLeast("Round trip, random texts and splits tried", random.texts, RANDOM_TEXTS, ""),
        atMost("Round trip, random texts not restored", random.failed, 0, ""),
        atLeast("Round trip, texts of the data tried", fromData.texts, 2_500, ""),
        atMost("Round trip, texts of the data not restored", fromData.failed, 0, ""),
      ],
    };
  },
};

/** Tries every sample against one vault; a text counts as failed when any of the three ways does not give it back. */
function count(kind: string, samples: readonly Sample[], rows: Row[]): { texts: number; failed: number } {
  const vault = new Vault();
  let failed = 0;
  let values = 0;
  let whole = 0;
  let restored = 0;
  let redacted = 0;
  for (const { text, cuts } of samples) {
    const findings = detect(text);
    values += findings.length;
    const sent = vault.replaceFindings(text, findings, { session: SESSION });
    const isWhole = vault.restore(sent, { session: SESSION }) === text;
    const isRestored = run(restoreStream(vault, { session: SESSION }), sent, cuts) === text;
    const inPieces = run(
      redactStream(detect, (part, found) => vault.replaceFindings(part, found, { session: SESSION })),
      text,
      cuts,
    );
    const isRedacted = vault.restore(inPieces, { session: SESSION }) === text;
    if (!isWhole) whole++;
    if (!isRestored) restored++;
    if (!isRedacted) redacted++;
    if (!isWhole || !isRestored || !isRedacted) {
      failed++;
      explain(`not restored ${JSON.stringify(text.slice(0, 300))} ${JSON.stringify(cuts)}`);
    }
  }
  rows.push({
    kind,
    texts: samples.length,
    "private values": values,
    "not restored whole": whole,
    "not restored from pieces": restored,
    "not redacted in pieces": redacted,
  });
  return { texts: samples.length, failed };
}

function run(stream: TextStream, text: string, cuts: readonly number[]): string {
  let out = "";
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = cuts[turn % cuts.length] ?? 1;
    out += stream.push(text.slice(at, at + length));
    at += length;
  }
  return out + stream.end();
}

/** Texts of any characters with private values, look-alikes of placeholders and parts of both. */
const randomSample: fc.Arbitrary<Sample> = fc.record({
  text: fc
    .array(
      fc.oneof(
        fc.constantFrom(...BUILT_IN_RULES.flatMap((rule) => rule.examples.ok)),
        fc.string({ unit: "binary", maxLength: 12 }),
        fc.constantFrom(
          "[REDACTED:PHONE_1]",
          "[PRIVATE:API_KEY_2]",
          "[REDACTED::PHONE_1]",
          "[REDACTED:EMAIL_",
          "%5BREDACTED%3APHONE_1%5D",
          "\\[REDACTED:PHONE\\_1\\]",
          "[",
          "]",
          ":",
          "\\",
          "，",
          "\n",
        ),
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join("")),
  cuts: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }),
});

/** Every string of the development data; what is stored as base64 as the text it is. */
function dataTexts(): string[] {
  return FOLDERS.flatMap((folder) =>
    globSync("*.{json,jsonl}", { cwd: join(SHARED, folder) })
      .sort()
      .flatMap((name) => {
        const content = readFileSync(join(SHARED, folder, name), "utf8");
        const lines = name.endsWith(".json") ? [content] : content.split("\n").filter((line) => line !== "");
        return lines.flatMap((line) => stringsOf(JSON.parse(line)));
      }),
  );
}

function stringsOf(value: unknown, key?: string): string[] {
  if (typeof value === "string")
    return [key === "text_base64" ? Buffer.from(value, "base64").toString("utf8") : value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => stringsOf(item, name));
}

export default part;
