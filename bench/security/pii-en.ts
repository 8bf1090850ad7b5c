import { atLeast, atMost, share } from "../verdict.ts";
import { type LabelledText, sharedLines } from "./data.ts";
import { OPENCLAW, OURS } from "./peers.ts";
import { piiRow, scorePii } from "./pii.ts";
import type { BenchPart } from "./types.ts";

const DATA = "pii-en/presidio-synth.dev.jsonl";
const TYPES = new Set([
  "CREDIT_CARD",
  "PHONE_NUMBER",
  "EMAIL_ADDRESS",
  "IBAN_CODE",
  "US_SSN",
  "IP_ADDRESS",
  "US_DRIVER_LICENSE",
]);

const part: BenchPart = {
  title: "English structured PII",
  needs: [DATA],
  async run() {
    const samples = sharedLines<LabelledText>(DATA);
    const ours = await scorePii(OURS, samples, TYPES);
    return {
      rows: [piiRow(OURS, ours), piiRow(OPENCLAW, await scorePii(OPENCLAW, samples, TYPES))],
      checks: [
        atLeast("English PII, recall", share(ours.found, ours.wanted), 95, "%"),
        atLeast("English PII, precision", share(ours.right, ours.findings), 99, "%"),
        atMost("English PII, non-PII words changed", ours.words, 3, ""),
      ],
    };
  },
};

export default part;
