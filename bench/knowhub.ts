/**
 * bench:knowhub — finding, telling apart and speed, each figure against its goal.
 *
 *   node bench/knowhub.ts [--documents 100000]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { cmrc, lines } from "./knowhub/data.ts";
import { relations } from "./knowhub/relations.ts";
import { measure } from "./knowhub/retrieval.ts";
import { atLeast, atMost, type Check, printVerdict } from "./verdict.ts";

interface Scale {
  engine: string;
  documents: number;
  queries: number;
  fillSeconds: number;
  p50: number;
  p95: number;
  max: number;
  /** Processor time: what is left of p95 when other processes keep the machine busy. */
  cpuP95: number;
  rssGrowthMb: number;
  diskMb: number;
  loopDelayMaxMs: number;
}

const checks: Check[] = [];

const at = process.argv.indexOf("--documents");
const documents = at >= 0 ? Number(process.argv[at + 1]) : 100_000;

const paragraphs = cmrc();
if (paragraphs) {
  const queries = paragraphs.flatMap((p) => p.questions.map((query) => ({ query, want: p.id })));
  // The title is left out: a question names it, and finding a paragraph by its title is no test.
  const plain = measure(
    paragraphs.map((p) => ({ id: p.id, task: p.text.slice(0, 20), content: p.text })),
    queries,
  );
  checks.push(atLeast(`CMRC2018 Recall@5 (${plain.queries} questions)`, plain.recallAt5, 0.99, ""));
  checks.push(atLeast("CMRC2018 MRR", plain.mrr, 0.975, ""));
} else {
  console.log("skip  CMRC2018: ../shared/data/retrieval-zh is not here");
}

interface Item {
  id: string;
  task: string;
  content: string;
}
const labelled = (file: string) =>
  lines<{ q: string; want: string }>(file).map(({ q, want }) => ({ query: q, want }));

const items = lines<Item>("items.jsonl");
const paraphrased = labelled("queries.jsonl");
const para = measure(items, paraphrased);
checks.push(
  atLeast(
    `paraphrased queries Recall@5 (${para.queries} queries, ${items.length} items)`,
    para.recallAt5,
    0.85,
    "",
  ),
);
for (const { query, want } of para.missed) console.log(`        missed: ${query} (${want})`);
const itemsToo = lines<Item>("items-second.jsonl");
const asked = labelled("queries-second.jsonl");
const other = measure(itemsToo, asked);
checks.push(atLeast(`second reader's queries Recall@5 (${other.queries})`, other.recallAt5, 0.85, ""));
const mixed = measure([...items, ...itemsToo], asked);
console.log(
  `      among both readers' ${items.length + itemsToo.length} items: ${mixed.recallAt5.toFixed(4)} (${mixed.missed.length} missed)`,
);

const pairs = relations();
console.log(`      relations: ${pairs.pairs} pairs, ${pairs.right} told as labelled`);
for (const line of pairs.wrong) console.log(`        ${line}`);
checks.push(atLeast(`pairs for the relation rules`, pairs.pairs, 40, "x"));
checks.push(atMost("false merges", pairs.falseMerges, 0, "x"));
checks.push(atLeast("relation as labelled", pairs.right / pairs.pairs, 0.9, ""));
const second = relations("pairs-second.jsonl");
console.log(`      second reader's pairs: ${second.pairs}, ${second.right} told as labelled`);
checks.push(atMost("false merges, second reader's pairs", second.falseMerges, 0, "x"));

const sentences = (paragraphs?.map((p) => p.text) ?? items.map((i) => i.content))
  .flatMap((text) => text.split(/(?<=[。！？.])/))
  .filter((s) => s.length > 8);
const questions =
  paragraphs?.flatMap((p) => p.questions).filter((_, i) => i % 8 === 0) ?? paraphrased.map((p) => p.query);
const folder = mkdtempSync(path.join(os.tmpdir(), "kh-bench-"));
const input = path.join(folder, "input.json");
writeFileSync(input, JSON.stringify({ sentences, queries: questions }));
try {
  const results: Scale[] = [];
  for (const engine of ["knowhub", "minisearch"]) results.push(await scale(engine, input));
  console.log(`\n${documents} documents, ${questions.length} queries, best of three rounds, side by side:`);
  console.log("            fill s   p50 ms   p95 ms   max ms  cpu p95   RSS+ MB   disk MB");
  for (const r of results) {
    console.log(
      `${r.engine.padEnd(10)} ${[r.fillSeconds, r.p50, r.p95, r.max, r.cpuP95, r.rssGrowthMb, r.diskMb].map((n) => n.toFixed(1).padStart(8)).join(" ")}`,
    );
  }
  const [ours] = results;
  if (ours) {
    checks.push(atMost("p95 search", ours.p95, 40, "ms"));
    checks.push(atMost("peak RSS growth", ours.rssGrowthMb, 150, "MB"));
    console.log(
      `      longest the event loop was held while searching: ${ours.loopDelayMaxMs.toFixed(0)} ms`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

printVerdict(checks);

function scale(engine: string, file: string): Promise<Scale> {
  const script = fileURLToPath(new URL("../packages/knowhub-plugin/scripts/scale.ts", import.meta.url));
  return new Promise((resolve, reject) => {
    const child = spawn(
      process.execPath,
      ["--no-warnings", "--expose-gc", script, engine, String(documents), file],
      {
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    let out = "";
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
    });
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve(JSON.parse(out) as Scale);
      else reject(new Error(`${engine} ended with ${code}`));
    });
  });
}
