import { atMost } from "../verdict.ts";
import { type CleanFile, cleanFiles, explain } from "./data.ts";
import { type Detector, OPENCLAW, OURS, SECRETLINT } from "./peers.ts";
import type { BenchPart, Row } from "./types.ts";

/** Families whose findings count as personal data; all others are secrets. */
const PII_FAMILIES = new Set(["contact", "identity", "finance", "network", "files", "business"]);

const MB = 1_000_000;

const part: BenchPart = {
  title: "Clean code and docs of node_modules/openclaw",
  needs: [],
  async run() {
    const rows: Row[] = [];
    let bytes = 0;
    let spans = 0;
    let lines = 0;
    for (const kind of ["code", "docs"] as const) {
      const files = cleanFiles(kind);
      const ours = await score(OURS, files);
      bytes += ours.bytes;
      spans += ours.spans;
      lines += ours.lines;
      rows.push(row(OURS, kind, ours));
      // The peers work on strings line by line or slowly: a tenth of the files is enough for them.
      const sample = files.filter((_file, index) => index % 10 === 0);
      for (const peer of [OPENCLAW, SECRETLINT]) rows.push(row(peer, kind, await score(peer, sample)));
    }
    const megabytes = bytes / MB;
    return {
      rows,
      checks: [
        atMost("Clean code and docs, PII spans a MB", spans / megabytes, 2, ""),
        atMost("Clean code and docs, secret lines a MB", lines / megabytes, 3, ""),
      ],
    };
  },
};

interface CleanScore {
  readonly bytes: number;
  /** Findings of personal data. */
  readonly spans: number;
  /** Lines in which a secret was found. */
  readonly lines: number;
}

async function score(detector: Detector, files: readonly CleanFile[]): Promise<CleanScore> {
  let bytes = 0;
  let spans = 0;
  const lines = new Set<string>();
  for (const { path, text } of files) {
    bytes += Buffer.byteLength(text);
    for (const [offset, part] of pieces(detector, text)) {
      for (const found of await detector.find(part)) {
        const start = offset + found.start;
        const value = part.slice(found.start, found.end);
        if (PII_FAMILIES.has(found.label.split("/")[0] as string)) {
          spans++;
          if (detector === OURS) explain(`pii ${found.label} ${value} | ${path} | ${around(text, start)}`);
        } else {
          lines.add(`${path}:${text.lastIndexOf("\n", start)}`);
          if (detector === OURS)
            explain(`secret ${found.label} ${value.slice(0, 80)} | ${path} | ${around(text, start)}`);
        }
      }
    }
  }
  return { bytes, spans, lines: lines.size };
}

function row(detector: Detector, kind: string, { bytes, spans, lines }: CleanScore): Row {
  const megabytes = bytes / MB;
  return {
    detector: detector.name,
    kind,
    MB: megabytes.toFixed(1),
    "PII spans/MB": (spans / megabytes).toFixed(2),
    "secret lines/MB": (lines / megabytes).toFixed(2),
  };
}

/** OpenClaw's redactor says only that something changed, so it gets the lines one by one. */
function pieces(detector: Detector, text: string): Iterable<[number, string]> {
  if (detector !== OPENCLAW) return [[0, text]];
  let offset = 0;
  return text.split("\n").map((line) => {
    const piece: [number, string] = [offset, line];
    offset += line.length + 1;
    return piece;
  });
}

function around(text: string, position: number): string {
  return JSON.stringify(text.slice(Math.max(0, position - 60), position + 80));
}

export default part;
