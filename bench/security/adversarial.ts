import fc from "fast-check";
import { ADVERSARIAL_SHAPES } from "../../packages/shared-security/src/detect/adversarial.ts";
import { BUILT_IN_RULES, detect } from "../../packages/shared-security/src/index.ts";
import type { BenchPart, Row } from "./types.ts";

const SIZE = 100_000;
const FUZZ_RUNS = 300;

/** Best of three, in ms of CPU: a pause of the machine is not the detector's. */
function time(text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    detect(text);
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1e3);
  }
  return best;
}

/** 100 KB of a few pieces over and over: keywords, starts and ends of examples, separators. */
const pieces = BUILT_IN_RULES.flatMap((rule) => [
  ...(rule.keywords === "number" ? [] : rule.keywords.slice(0, 3)),
  ...rule.examples.ok.flatMap((text) => [text, text.slice(0, -1), text.slice(0, text.length >> 1)]),
]);
const fuzz = fc
  .array(
    fc.oneof(
      fc.constantFrom(...pieces),
      fc.string({ maxLength: 6 }),
      fc.constantFrom(" ", "\n", "=", ":", "-", "1", '"'),
    ),
    {
      minLength: 1,
      maxLength: 6,
    },
  )
  .map((parts) => parts.join(""))
  .filter((unit) => unit !== "");

const part: BenchPart = {
  title: `Worst CPU time for ${SIZE / 1000} KB of text (goal: 50 ms at most)`,
  async run() {
    detect(BUILT_IN_RULES.flatMap((rule) => rule.examples.ok).join("\n"));
    const shapes = ADVERSARIAL_SHAPES.map(({ name, make }) => ({ name, ms: time(make(SIZE)) })).sort(
      (a, b) => b.ms - a.ms,
    );
    const rows: Row[] = shapes
      .slice(0, 5)
      .map(({ name, ms }) => ({ text: `shape: ${name}`, ms: ms.toFixed(1) }));
    rows.push({
      text: `all ${shapes.length} shapes, median`,
      ms: (shapes[shapes.length >> 1]?.ms ?? 0).toFixed(1),
    });
    let worst = { unit: "", ms: 0 };
    for (const unit of fc.sample(fuzz, { numRuns: FUZZ_RUNS, seed: 20261130 })) {
      const ms = time(unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE));
      if (ms > worst.ms) worst = { unit, ms };
    }
    rows.push({
      text: `worst of ${FUZZ_RUNS} fuzzed: ${JSON.stringify(worst.unit).slice(0, 80)}`,
      ms: worst.ms.toFixed(1),
    });
    return rows;
  },
};

export default part;
