import { absent, type LabelledText, readSharedLines } from "./data.ts";
import { OPENCLAW, OURS } from "./peers.ts";
import { scorePii } from "./pii.ts";
import type { BenchPart, Row } from "./types.ts";

const DATA = "pii-zh/zh-pii-mini.dev.jsonl";
const STRUCTURED = new Set(["PHONE_NUMBER", "CN_ID", "CN_USCC", "CREDIT_CARD", "EMAIL_ADDRESS"]);
const ALL = new Set([...STRUCTURED, "PERSON"]);

const part: BenchPart = {
  title:
    "Chinese PII (goal: checksummed types and mobiles 100 %, 0 hard negatives; names in context 80 % at precision 95 %)",
  async run() {
    const samples = readSharedLines<LabelledText>(DATA);
    if (samples === undefined) return absent(DATA);
    const rows: Row[] = [];
    for (const detector of [OURS, OPENCLAW]) {
      const structured = await scorePii(detector, samples, STRUCTURED);
      const names = await scorePii(detector, samples, new Set(["PERSON"]));
      const all = await scorePii(detector, samples, ALL);
      const negatives = samples.filter((sample) => sample.spans.length === 0);
      let hit = 0;
      for (const sample of negatives) if ((await detector.find(sample.text)).length > 0) hit++;
      rows.push({
        detector: detector.name,
        "structured recall": structured.recall as string,
        "name recall": names.recall as string,
        precision: all.precision as string,
        "hard negatives hit": `${hit} of ${negatives.length}`,
      });
    }
    return rows;
  },
};

export default part;
