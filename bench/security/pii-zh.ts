import { atLeast, atMost, share } from "../verdict.ts";
import { type LabelledText, percent, sharedLines } from "./data.ts";
import { type Detector, OPENCLAW, OURS } from "./peers.ts";
import { type PiiScore, scorePii } from "./pii.ts";
import type { BenchPart, Row } from "./types.ts";

const DATA = "pii-zh/zh-pii-mini.dev.jsonl";
const STRUCTURED = new Set(["PHONE_NUMBER", "CN_ID", "CN_USCC", "CREDIT_CARD", "EMAIL_ADDRESS"]);
const PERSON = new Set(["PERSON"]);
const ALL = new Set([...STRUCTURED, ...PERSON]);

interface ChineseScore {
  readonly structured: PiiScore;
  /** Recall over all findings, precision over those called a person. */
  readonly names: PiiScore;
  readonly all: PiiScore;
  readonly negatives: number;
  readonly negativesHit: number;
}

const part: BenchPart = {
  title: "Chinese PII",
  needs: [DATA],
  async run() {
    const samples = sharedLines<LabelledText>(DATA);
    const ours = await score(OURS, samples);
    const { structured, names } = ours;
    return {
      rows: [row(OURS, ours), row(OPENCLAW, await score(OPENCLAW, samples))],
      checks: [
        atLeast(
          "Chinese PII, checksummed types and mobiles, recall",
          share(structured.found, structured.wanted),
          100,
          "%",
        ),
        atMost(
          `Chinese PII, hard negatives hit (of ${ours.negatives})`,
          ours.negatives === 0 ? Number.NaN : ours.negativesHit,
          0,
          "",
        ),
        atLeast("Chinese person names in context, recall", share(names.found, names.wanted), 80, "%"),
        atLeast("Chinese person names in context, precision", share(names.right, names.findings), 95, "%"),
      ],
    };
  },
};

async function score(detector: Detector, samples: readonly LabelledText[]): Promise<ChineseScore> {
  const negatives = samples.filter((sample) => sample.spans.length === 0);
  let negativesHit = 0;
  for (const sample of negatives) if ((await detector.find(sample.text)).length > 0) negativesHit++;
  return {
    structured: await scorePii(detector, samples, STRUCTURED),
    names: await scorePii(detector, samples, PERSON, (span) => span.type === "PERSON"),
    all: await scorePii(detector, samples, ALL),
    negatives: negatives.length,
    negativesHit,
  };
}

function row(detector: Detector, { structured, names, all, negatives, negativesHit }: ChineseScore): Row {
  return {
    detector: detector.name,
    "structured recall": percent(structured.found, structured.wanted),
    "name recall": percent(names.found, names.wanted),
    "name precision": percent(names.right, names.findings),
    "precision of all": percent(all.right, all.findings),
    "hard negatives hit": `${negativesHit} of ${negatives}`,
  };
}

export default part;
