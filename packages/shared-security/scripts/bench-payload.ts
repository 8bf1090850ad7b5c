/**
 * What a 200 kB conversation costs: walking, judging, matching against a vault, rewriting. Run:
 * `node packages/shared-security/scripts/bench-payload.ts`. Text: the documentation in node_modules/openclaw.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import {
  detect,
  detectPayload,
  type Finding,
  type LeafFindings,
  openPayload,
  restoreStream,
  Vault,
  VerdictCache,
  viewsOf,
} from "../src/index.ts";

const DOCS = path.resolve(import.meta.dirname, "../../../node_modules/openclaw/docs/plugins");
const RUNS = 60;

function conversation(messages: number, size: number): unknown {
  const docs = readdirSync(DOCS)
    .filter((name) => name.endsWith(".md"))
    .map((name) => readFileSync(path.join(DOCS, name), "utf8"))
    .join("\n");
  const turn = (i: number): unknown => {
    const text = docs.slice(i * size, (i + 1) * size);
    const args = JSON.stringify({ path: `/notes/${i}`, content: text });
    switch (i % 4) {
      case 0:
        return { role: "user", content: text };
      case 1:
        return {
          role: "assistant",
          content: null,
          tool_calls: [{ id: `call_${i}`, type: "function", function: { name: "write", arguments: args } }],
        };
      case 2:
        return {
          role: "tool",
          tool_call_id: `call_${i - 1}`,
          content: JSON.stringify({ lines: text.split("\n") }),
        };
      default:
        return { role: "assistant", content: [{ type: "text", text }] };
    }
  };
  return { model: "some-model", messages: Array.from({ length: messages }, (_, i) => turn(i)) };
}

function measure(name: string, work: () => unknown, runs = RUNS): void {
  const times: number[] = [];
  for (let i = 0; i < runs; i++) {
    const started = performance.now();
    work();
    times.push(performance.now() - started);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(2).padStart(8);
  console.log(`${name.padEnd(46)}${at(0)}${at(0.5)}${at(0.95)}`);
}

const body = JSON.stringify(conversation(95, 2000));
const parsed: unknown = JSON.parse(body);
const vault = new Vault();
for (let i = 0; i < 5000; i++) vault.tokenise(`user${i}@mail-${i}.example`, "EMAIL", "S2", "s");
const cache = new VerdictCache<readonly Finding[]>();
const payload = openPayload(parsed, "openai-chat");
const judge = (): LeafFindings =>
  detectPayload(payload, (view) => [
    ...cache.get(view.text, "1", (text) => detect(text)),
    ...vault.findKnown(view.text),
  ]);

console.log(
  `${(body.length / 1000).toFixed(0)} kB, ${payload.leaves.length} texts in ${viewsOf(payload).length} views, ${vault.size} known values; ms`,
);
console.log(`${"".padEnd(46)}${"min".padStart(8)}${"p50".padStart(8)}${"p95".padStart(8)}`);
measure("JSON.parse", () => JSON.parse(body));
measure("walk", () => openPayload(parsed, "openai-chat"));
measure("judge by all rules, nothing cached", () => detectPayload(payload, (view) => detect(view.text)));
measure("match 5,000 known values", () => {
  for (const view of viewsOf(payload)) vault.findKnown(view.text);
});
measure("next turn: parse, walk, cached verdicts, match", () => {
  const next = openPayload(JSON.parse(body), "openai-chat");
  return detectPayload(next, (view) => [
    ...cache.get(view.text, "1", (text) => detect(text)),
    ...vault.findKnown(view.text),
  ]);
});
const findings = judge();
measure("rewrite", () =>
  payload.rewrite((leaf) =>
    vault.replaceFindings(leaf.text, findings.get(leaf) ?? [], { session: "s", ownTokens: "keep" }),
  ),
);
measure("restore 200 kB in deltas of 12 characters", () => {
  const stream = restoreStream(vault, { session: "s" });
  for (let at = 0; at < body.length; at += 12) stream.push(body.slice(at, at + 12));
  return stream.end();
});
