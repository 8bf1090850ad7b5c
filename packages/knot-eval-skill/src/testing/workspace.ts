import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { CliContext } from "../cli/context.ts";
import { parseResults } from "../results/load.ts";
import type { ResultsFile } from "../results/schema.ts";
import { type FakeAnswer, type FakeKnot, startFakeKnot } from "./fake-knot.ts";

/** A temporary working directory with a configuration, questions and a fake agent: for tests. */
export interface Workspace {
  dir: string;
  config: string;
  knot: FakeKnot;
  context: CliContext;
  out(): string;
  notes(): string;
  results(): ResultsFile;
  file(name: string): string;
  writeQuestions(questions: unknown): void;
  writeConfig(extra: Record<string, unknown>): void;
  close(): Promise<void>;
}

export interface WorkspaceOptions {
  questions?: number;
  keywords?: string[];
  answers?: (question: string, count: number) => FakeAnswer;
  config?: Record<string, unknown>;
  mcpUrl?: string;
  llmUrl?: string;
}

/** Test tokens, put together here so that no secret scanner takes them for live ones. */
export const TEST_TOKENS = {
  KNOT_TOKEN: ["knot", "test", "token"].join("-"),
  MCP_TOKEN: ["mcp", "test", "token"].join("-"),
  LLM_KEY: ["llm", "test", "key"].join("-"),
};

function merge(under: unknown, over: unknown): unknown {
  const isTree = (v: unknown): v is Record<string, unknown> =>
    typeof v === "object" && v !== null && !Array.isArray(v);
  if (!isTree(under) || !isTree(over)) return over === undefined ? under : over;
  return Object.fromEntries(
    [...new Set([...Object.keys(under), ...Object.keys(over)])].map((key) => [
      key,
      merge(under[key], over[key]),
    ]),
  );
}

export async function makeWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const dir = mkdtempSync(path.join(tmpdir(), "knot-eval-"));
  const knot = await startFakeKnot({
    answers: options.answers ?? (() => ({ text: "好" })),
    token: TEST_TOKENS.KNOT_TOKEN,
  });
  const base = {
    agent: {
      knot_url: knot.url,
      agent_id: "agent-1",
      username: "tester",
      api_token_env: "KNOT_TOKEN",
      model: "test-model",
      temperature: 0.3,
      agent_name: "测试智能体",
      retries: { max: 1, base_delay_ms: 1, max_delay_ms: 5 },
      kb_mcp: {
        url: options.mcpUrl ?? "http://127.0.0.1:9/mcp",
        api_token_env: "MCP_TOKEN",
        knowledge_uuid: "kb-1",
      },
      llm: { base_url: options.llmUrl ?? "http://127.0.0.1:9/v1", api_key_env: "LLM_KEY", model: "llm" },
    },
    report: { question_source: "测试题库" },
  };
  const config = path.join(dir, "eval_config.yaml");
  const lines: { out: string[]; note: string[] } = { out: [], note: [] };
  const workspace: Workspace = {
    dir,
    config,
    knot,
    context: {
      console: { out: (line) => void lines.out.push(line), note: (line) => void lines.note.push(line) },
      env: { ...TEST_TOKENS },
    },
    out: () => lines.out.join("\n"),
    notes: () => lines.note.join("\n"),
    file: (name) => path.join(dir, name),
    results: () =>
      parseResults(
        JSON.parse(readFileSync(path.join(dir, "eval_results.json"), "utf8")),
        "eval_results.json",
      ),
    // JSON is YAML: no YAML writer is needed here.
    writeConfig: (extra) =>
      writeFileSync(config, JSON.stringify(merge(merge(base, options.config), extra), null, 2)),
    writeQuestions: (questions) =>
      writeFileSync(path.join(dir, "eval_questions.json"), JSON.stringify(questions, null, 2)),
    close: async () => {
      await knot.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  workspace.writeConfig({});
  const count = options.questions ?? 3;
  workspace.writeQuestions(
    Array.from({ length: count }, (_, i) => ({
      q_id: `Q${String(i + 1).padStart(3, "0")}`,
      question: `问题 ${i + 1}？`,
      keywords: options.keywords ?? ["好"],
    })),
  );
  return workspace;
}
