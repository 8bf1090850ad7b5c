import { absent, type LabelledText, readSharedLines } from "./data.ts";
import { OPENCLAW, OURS } from "./peers.ts";
import { scorePii } from "./pii.ts";
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
  title: "English structured PII (goal: recall >= 95 %, precision >= 99 %, <= 3 non-PII words)",
  async run() {
    const samples = readSharedLines<LabelledText>(DATA);
    if (samples === undefined) return absent(DATA);
    return [await scorePii(OURS, samples, TYPES), await scorePii(OPENCLAW, samples, TYPES)];
  },
};

export default part;
