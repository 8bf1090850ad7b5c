import { atLeast, atMost, type Check, share } from "../verdict.ts";
import { explain, percent, sharedLines } from "./data.ts";
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
  title: "Secrets",
  needs: [FIND, LEAVE],
  async run() {
    const find = sharedLines<Sample>(FIND);
    const leave = sharedLines<Sample>(LEAVE);
    // Some texts are in both sets, as one rule's example and another's counter-example: no detector can be right on them.
    const both = new Set(find.map((sample) => sample.text_base64));
    const clear = leave.filter((sample) => !both.has(sample.text_base64));
    const rows: Row[] = [];
    const checks: Check[] = [];
    for (const detector of [OURS, OPENCLAW, SECRETLINT]) {
      const found = await count(detector, find, false);
      const wrong = await count(detector, leave, true);
      if (detector === OURS) {
        checks.push(
          atLeast("Secrets, must-find", share(found, find.length), 90, "%"),
          atMost("Secrets, must-not-find", share(wrong, leave.length), 10, "%"),
        );
      }
      rows.push({
        detector: detector.name,
        "must-find": percent(found, find.length),
        "must-not-find": percent(wrong, leave.length),
        "must-not-find, not in both": percent(await count(detector, clear, undefined), clear.length),
      });
    }
    return { rows, checks };
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
