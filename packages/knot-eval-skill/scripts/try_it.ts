/**
 * Tries the skill without an account: starts a stand-in agent, knowledge base and model on this machine, writes an
 * eval_config.yaml for them, and waits until Ctrl-C.
 *
 *   node scripts/try_it.ts [folder]        default: ./knot-try
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { startFakeKnot } from "../src/testing/fake-knot.ts";
import { startFakeLlm } from "../src/testing/fake-llm.ts";
import { startFakeMcp } from "../src/testing/fake-mcp.ts";
import { HANDBOOK, handbookAnswer, handbookWriter, USELESS_DOCUMENTS } from "../src/testing/handbook.ts";

const folder = path.resolve(process.argv[2] ?? "knot-try");
const token = "try-it";
const documents = [...HANDBOOK.map((entry) => entry.document), ...USELESS_DOCUMENTS];
const knot = await startFakeKnot({ answers: handbookAnswer, token, delayMs: 150 });
const mcp = await startFakeMcp({ documents, token, knowledgeUuid: "kb-1" });
const llm = await startFakeLlm(handbookWriter);
const config = path.join(folder, "eval_config.yaml");
mkdirSync(folder, { recursive: true });
if (existsSync(config)) {
  console.error(`${config} is there already: name another folder`);
  process.exitCode = 2;
} else {
  writeFileSync(
    config,
    `# Stand-in servers of scripts/try_it.ts; they live until its Ctrl-C.
agent:
  knot_url: "${knot.url}"
  agent_id: "handbook-agent"
  username: "tester"
  api_token_env: KNOT_API_TOKEN
  model: "stand-in"
  temperature: 0.3
  agent_name: "制度问答助手"
  kb_mcp:
    url: "${mcp.url}"
    api_token_env: KNOT_MCP_TOKEN
    knowledge_uuid: "kb-1"
  llm:
    base_url: "${llm.url}"
    api_key_env: LLM_API_KEY
    model: "stand-in"
report:
  question_source: "员工手册（示例）"
qa_gen:
  doc_names: ${JSON.stringify(documents.map((document) => document.title))}
`,
  );
  const cli = path.resolve(import.meta.dirname, "..", "dist", "cli.mjs");
  console.log(`Stand-in agent, knowledge base and model are running. In another terminal:

  cd ${folder}
  export KNOT_API_TOKEN=${token} KNOT_MCP_TOKEN=${token} LLM_API_KEY=${token}
  node ${cli} doctor
  node ${cli} --stage gen,eval,ai_review
  node ${cli} --stage render,export

Ctrl-C ends them.`);
  await new Promise<void>((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
}
await Promise.all([knot.close(), mcp.close(), llm.close()]);
