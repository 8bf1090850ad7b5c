import { absent, explain, percent, readSharedLines } from "./data.ts";
import { type Detector, OPENCLAW, OURS, SECRETLINT } from "./peers.ts";
import type { BenchPart, Row } from "./types.ts";

interface Sample {
  readonly rule: string;
  readonly text_base64: string;
}

const FIND = "secrets/must-find.dev.jsonl";
const LEAVE = "secrets/must-not-find.dev.jsonl";

/** The rule examples of two public secret scanners: a text counts as found when anything in it is. */
const part: BenchPart = {
  title: "Secrets (goal: must-find >= 90 %, must-not-find <= 10 %)",
  async run() {
    const find = readSharedLines<Sample>(FIND);
    const leave = readSharedLines<Sample>(LEAVE);
    if (find === undefined || leave === undefined) return absent(FIND);
    // Some texts are in both sets, as one rule's example and another's counter-example: no detector can be right on them.
    const both = new Set(find.map((sample) => sample.text_base64));
    const clear = leave.filter((sample) => !both.has(sample.text_base64));
    const rows: Row[] = [];
    for (const detector of [OURS, OPENCLAW, SECRETLINT]) {
      rows.push({
        detector: detector.name,
        "must-find": percent(await count(detector, find, false), find.length),
        "must-not-find": percent(await count(detector, leave, true), leave.length),
        "must-not-find, not in both": percent(await count(detector, clear, undefined), clear.length),
      });
    }
    return rows;
  },
};

/** @param foundIsWrong which outcome to explain; undefined for none. */
async function count(
  detector: Detector,
  samples: readonly Sample[],
  foundIsWrong: boolean | undefined,
): Promise<number> {
  let found = 0;
  for (const sample of samples) {
    const text = Buffer.from(sample.text_base64, "base64").toString("utf8");
    const spans = await detector.find(text);
    if (spans.length > 0) found++;
    if (detector === OURS && spans.length > 0 === foundIsWrong) {
      const what = spans.map((span) => `${span.label} ${text.slice(span.start, span.end)}`).join("; ");
      explain(
        `${foundIsWrong ? "false" : "missed"} ${sample.rule} ${JSON.stringify(text.slice(0, 240))} ${what}`,
      );
    }
  }
  return found;
}

export default part;
