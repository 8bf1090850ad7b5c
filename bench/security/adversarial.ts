import fc from "fast-check";
import { ADVERSARIAL_SHAPES } from "../../packages/shared-security/src/detect/adversarial.ts";
import {
  BUILT_IN_RULES,
  detect,
  looksLikePromptInjection,
} from "../../packages/shared-security/src/index.ts";
import { atLeast, atMost, type Check } from "../verdict.ts";
import type { BenchPart, Row } from "./types.ts";

const SIZE = 100_000;
const FUZZ_RUNS = 300;
const MIN_SHAPES = 30;

const JUDGES: readonly (readonly [name: string, judge: (text: string) => unknown])[] = [
  ["detect", (text) => detect(text)],
  ["injection, user prompt", (text) => looksLikePromptInjection(text, "user-prompt")],
  ["injection, untrusted data", (text) => looksLikePromptInjection(text, "untrusted-data")],
];

/** Best of three, in ms of CPU: a pause of the machine is not the detector's. */
function time(judge: (text: string) => unknown, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 3; run++) {
    // Another text each time: what is known of the last one must not help.
    const fresh = Buffer.from(text + run).toString();
    const before = process.cpuUsage();
    judge(fresh);
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
    { minLength: 1, maxLength: 6 },
  )
  .map((parts) => parts.join(""))
  .filter((unit) => unit !== "")
  .map((unit) => ({ name: unit, text: unit.repeat(Math.ceil(SIZE / unit.length)).slice(0, SIZE) }));

const part: BenchPart = {
  title: `Worst CPU time for ${SIZE / 1000} KB of text`,
  needs: [],
  async run() {
    const rows: Row[] = [];
    const checks: Check[] = [atLeast("Adversarial shapes tried", ADVERSARIAL_SHAPES.length, MIN_SHAPES, "")];
    const shapes = ADVERSARIAL_SHAPES.map(({ name, make }) => ({ name, text: make(SIZE) }));
    const fuzzed = fc.sample(fuzz, { numRuns: FUZZ_RUNS, seed: 20261130 });
    const warmUp = BUILT_IN_RULES.flatMap((rule) => rule.examples.ok).join("\n");
    for (const [what, judge] of JUDGES) {
      for (let run = 0; run < 3; run++) judge(warmUp);
      for (const [kind, texts] of [
        ["shapes", shapes],
        ["fuzzed", fuzzed],
      ] as const) {
        const times = texts
          .map(({ name, text }) => ({ name, ms: time(judge, text) }))
          .sort((a, b) => b.ms - a.ms);
        for (const { name, ms } of times.slice(0, 3))
          rows.push({ what, text: `${kind}: ${JSON.stringify(name).slice(0, 80)}`, ms: ms.toFixed(1) });
        const median = times[times.length >> 1]?.ms ?? Number.NaN;
        rows.push({ what, text: `${kind}: median of ${times.length}`, ms: median.toFixed(1) });
        const worst = times[0]?.ms ?? Number.NaN;
        checks.push(atMost(`Worst of ${times.length} ${kind}, 100 KB, ${what}`, worst, 50, "ms"));
      }
    }
    return { rows, checks };
  },
};

export default part;
