/** Child of a test: uses a knowledge base in a folder that its user cannot write; prints what works. */
import { parseConfig } from "../config.ts";
import { KnowHub } from "../service/knowhub.ts";

const [stateDir = ""] = process.argv.slice(2);
const hub = new KnowHub(stateDir, { info() {}, warn() {} });
const backend = hub.backend(parseConfig({}));
const { items } = await backend.search({ query: "任务", topK: 5, minScore: 1 });
const actor = { kind: "agent" as const, agentId: "main", session: "s" };
const save = await backend.save({ task: "a", content: "b", types: ["tool"], tags: {} }, actor).then(
  () => "saved",
  (error: unknown) => String(error),
);
console.log(JSON.stringify({ readOnly: hub.readOnly, found: items.length, save }));
