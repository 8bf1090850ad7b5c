import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";

const CMRC = fileURLToPath(
  new URL("../../../shared/data/retrieval-zh/cmrc2018_dev.json.gz", import.meta.url),
);

/** One paragraph of CMRC 2018 with the questions it answers. */
export interface Paragraph {
  id: string;
  title: string;
  text: string;
  questions: string[];
}

/** CMRC 2018 development data, or undefined where it is not at hand (it is not part of this repository). */
export function cmrc(): Paragraph[] | undefined {
  if (!existsSync(CMRC)) return undefined;
  const raw = JSON.parse(gunzipSync(readFileSync(CMRC)).toString("utf8")) as {
    context_id: string;
    context_text: string;
    title: string;
    qas: { query_text: string }[];
  }[];
  return raw.map((p) => ({
    id: p.context_id,
    title: p.title,
    text: p.context_text,
    questions: p.qas.map((q) => q.query_text),
  }));
}

/** The lines of a JSONL file beside this one. */
export function lines<T>(name: string): T[] {
  const text = readFileSync(new URL(name, import.meta.url), "utf8");
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);
}
