import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeKnot } from "../packages/knot-eval-skill/src/testing/fake-knot.ts";
import { startFakeLlm } from "../packages/knot-eval-skill/src/testing/fake-llm.ts";
import { startFakeMcp } from "../packages/knot-eval-skill/src/testing/fake-mcp.ts";
import {
  HANDBOOK,
  handbookAnswer,
  handbookWriter,
} from "../packages/knot-eval-skill/src/testing/handbook.ts";
import { makeWorkspace, TEST_TOKENS } from "../packages/knot-eval-skill/src/testing/workspace.ts";
import { type Gateway, type ProtocolRequest, type Reply, root, startGateway } from "./harness/index.ts";

/**
 * The skill on a real OpenClaw: installed from its folder, ready with only `node`, and a scripted model that does what
 * SKILL.md says, taking every command from the text of SKILL.md as the host showed it.
 */

const skillSource = path.join(root, "packages", "knot-eval-skill");
const CLI = path.join(skillSource, "dist", "cli.mjs");
const closers: (() => Promise<void>)[] = [];
let gateway: Gateway;
let failed = true;
let work: string;

function configFor(urls: { knot: string; mcp: string; llm: string }): Record<string, unknown> {
  return {
    agent: {
      knot_url: urls.knot,
      agent_id: "handbook-agent",
      username: "tester",
      api_token_env: "KNOT_TOKEN",
      model: "test-model",
      temperature: 0.3,
      agent_name: "制度问答助手",
      kb_mcp: { url: urls.mcp, api_token_env: "MCP_TOKEN", knowledge_uuid: "kb-1" },
      llm: { base_url: urls.llm, api_key_env: "LLM_KEY", model: "writer" },
    },
    report: { question_source: "员工手册（测试）" },
    qa_gen: { doc_names: HANDBOOK.map((entry) => entry.document.title) },
  };
}

beforeAll(async () => {
  execFileSync(process.execPath, [path.join(root, "scripts", "build.ts"), "knot-eval-skill"], { cwd: root });
  const knot = await startFakeKnot({
    answers: (question) => handbookAnswer(question),
    token: TEST_TOKENS.KNOT_TOKEN,
  });
  const mcp = await startFakeMcp({
    documents: HANDBOOK.map((entry) => entry.document),
    token: TEST_TOKENS.MCP_TOKEN,
    knowledgeUuid: "kb-1",
  });
  const llm = await startFakeLlm(handbookWriter);
  closers.push(knot.close, mcp.close, llm.close);
  gateway = await startGateway({
    env: { ...TEST_TOKENS },
    beforeStart: async (g) => {
      await g.cli(["skills", "install", skillSource], { check: true });
      work = path.join(g.stateDir, "workspace", "knot-eval");
      await mkdir(work, { recursive: true });
      // JSON is YAML too.
      writeFileSync(
        path.join(work, "eval_config.yaml"),
        JSON.stringify(configFor({ knot: knot.url, mcp: mcp.url, llm: llm.url }), null, 2),
      );
    },
  });
});

afterAll(async () => {
  await gateway?.close(failed);
  for (const close of closers) await close();
});

/** Commands of SKILL.md as the model received the file: every line of its bash blocks, with {baseDir} filled in. */
function commandsIn(text: string, baseDir: string): string[] {
  return [...text.matchAll(/```bash\n([\s\S]*?)```/g)]
    .flatMap((m) => (m[1] ?? "").trim().split("\n"))
    .map((line) => line.replaceAll("{baseDir}", baseDir));
}

function toolTexts(request: ProtocolRequest): string[] {
  return request.texts.filter((t) => t.role === "tool").map((t) => t.text);
}

const verdictFor = (item: { q_id: string; auto_grade: string; auto_attribution: string | null }) => ({
  q_id: item.q_id,
  final_grade: item.auto_grade,
  flipped_from_auto: false,
  flip_reason: "",
  semantic_match_summary: `逐要点核对 ${item.q_id}：自动评分成立`,
  missing_facts: ["见缺失关键词"],
  extra_facts: [],
  hallucination: false,
  hallucination_evidence: "",
  recommended_attribution: item.auto_attribution ?? "C2",
  attribution_evidence: "检索切片",
  confidence: 0.9,
  reviewer_notes: "",
});

describe("knot-agent-eval in OpenClaw", () => {
  it("is installed from its folder and ready with only node", async () => {
    const info = await gateway.cli(["skills", "info", "knot-agent-eval", "--json"], { check: true });
    const skill = JSON.parse(info.stdout.slice(info.stdout.indexOf("{"))) as Record<string, unknown>;
    expect(skill).toMatchObject({ name: "knot-agent-eval", eligible: true });
    expect(JSON.stringify(skill.requirements ?? skill)).toContain("node");
    expect(String(skill.description).length).toBeLessThan(160);
    const folder = path.dirname(String(skill.filePath));
    for (const file of [
      "SKILL.md",
      "dist/cli.mjs",
      "prompts/qa_gen_prompt.md",
      "prompts/ai_review_prompt.md",
      "templates/report_template.j2",
      "references/attribution_taxonomy.md",
      "references/equivalent_map.json",
      "references/question_schema.md",
      "references/result_schema.md",
      "references/benchmark_thresholds.md",
      "config/eval_config.example.yaml",
    ]) {
      expect(existsSync(path.join(folder, file)), file).toBe(true);
    }
    expect(statSync(path.join(folder, "dist/cli.mjs")).size).toBeLessThan(1024 * 1024);
  });

  it("runs where it was installed, without any node_modules", async () => {
    const folder = path.join(gateway.stateDir, "workspace", "skills", "knot-agent-eval");
    const modules = path.join(folder, "node_modules");
    // The host copies the links of a checkout; the program must not need them.
    if (existsSync(modules)) execFileSync("rm", ["-rf", modules]);
    const help = execFileSync(process.execPath, [path.join(folder, "dist", "cli.mjs"), "--help"], {
      encoding: "utf8",
      cwd: work,
    });
    expect(help).toContain("--stage gen|eval|ai_review|merge_review|render|export|all");
    expect(readdirSync(work)).toEqual(["eval_config.yaml"]);
    expect(lstatSync(path.join(folder, "dist", "cli.mjs")).isFile()).toBe(true);
  });

  // In a process of its own with a deadline: a loop would hang this one.
  it.runIf(existsSync("/proc/self"))(
    "--out where no folder can be made: the program ends with exit code 2 and says what to do",
    async () => {
      const { config, close } = await makeWorkspace();
      for (const out of ["/proc", "/proc/no/such/folder"]) {
        const { status, stderr } = spawnSync(
          process.execPath,
          [CLI, "--config", config, "--stage", "render", "--out", out],
          {
            encoding: "utf8",
            timeout: 20_000,
            killSignal: "SIGKILL",
            env: { ...process.env, ...TEST_TOKENS },
          },
        );
        expect(stderr).toMatch(/Cannot use \/proc.*the folder cannot be made \(ENOENT\).*--out/);
        expect(status).toBe(2);
      }
      await close();
    },
  );

  it("gives the host's security audit nothing to say", async () => {
    const audit = await gateway.cli(["security", "audit", "--deep", "--json"]);
    const report = JSON.parse(audit.stdout.slice(audit.stdout.indexOf("{"))) as {
      findings: { checkId: string; title: string; detail: string }[];
    };
    const ours = report.findings.filter((f) => JSON.stringify(f).includes("knot-agent-eval"));
    expect(ours.map((f) => `${f.checkId}: ${f.detail}`)).toEqual([]);
  });

  it("a model that follows SKILL.md gets from doctor to a ten-question report", async () => {
    const { cloud } = gateway.models;
    if (!cloud) throw new Error("no cloud model");
    const seen: { outputs: string[]; listed: boolean } = { outputs: [], listed: false };
    let commands: string[] = [];
    cloud.script((request): Reply | undefined => {
      const everything = request.texts.map((t) => t.text).join("\n");
      const location = /([^\s<>"'`]*knot-agent-eval\/SKILL\.md)/.exec(everything)?.[1];
      const user = request.lastUserText;
      const tools = toolTexts(request);
      if (user.includes("评测制度问答助手")) {
        seen.listed ||= location !== undefined;
        if (!request.afterTool)
          return {
            toolCalls: [{ name: "read", arguments: { path: location?.replace(/^~/, gateway.home) ?? "" } }],
          };
        const skillText = tools.find((t) => t.includes("# Knot agent evaluation")) ?? "";
        commands = commandsIn(skillText, path.dirname(location?.replace(/^~/, gateway.home) ?? ""));
        const done = tools.length - 1;
        seen.outputs = tools.slice(1);
        // doctor, then gen, then eval,ai_review: the first three commands of the steps, in their order.
        const next = commands[done];
        if (done < 3 && next)
          return { toolCalls: [{ name: "exec", arguments: { command: next, workdir: work } }] };
        const file = path.join(work, "pending_ai_review.json");
        if (!existsSync(file)) return { text: `no pending file; the tools said:\n${tools.join("\n---\n")}` };
        const pending = JSON.parse(readFileSync(file, "utf8")) as { count: number };
        return { text: `即将对 ${pending.count} 道 PARTIAL/FAIL 题做 AI 复审，是否继续？(Y/n/skip)` };
      }
      if (user.trim().endsWith("Y")) {
        // The host puts context of its own after the user's words: count from those words on.
        const asked = request.texts.findLastIndex((t) => t.role === "user" && t.text.includes(user));
        const since = request.texts.slice(asked).filter((t) => t.role === "tool");
        const pending = JSON.parse(readFileSync(path.join(work, "pending_ai_review.json"), "utf8")) as {
          items: Parameters<typeof verdictFor>[0][];
        };
        if (since.length === 0)
          return {
            toolCalls: [
              {
                name: "write",
                arguments: {
                  path: path.join(work, "ai_review_results.json"),
                  content: JSON.stringify(pending.items.map(verdictFor), null, 2),
                },
              },
            ],
          };
        if (since.length === 1)
          return { toolCalls: [{ name: "exec", arguments: { command: commands[3] ?? "", workdir: work } }] };
        seen.outputs.push(...since.map((t) => t.text));
        return { text: "报告已生成：eval_report.html" };
      }
      return undefined;
    });
    const first = await gateway.turn("knot", "请评测制度问答助手", { timeoutMs: 90_000 });
    expect(first.text, `${first.error}\n${seen.outputs.join("\n---\n")}`).toMatch(
      /即将对 \d+ 道 PARTIAL\/FAIL 题做 AI 复审，是否继续/,
    );
    expect(seen.listed).toBe(true);
    expect(seen.outputs[0]).toMatch(/\[ok\] agent: 制度问答助手 answered/);
    expect(seen.outputs[0]).toMatch(/inputSchema/);
    expect(seen.outputs[0]).not.toContain("[FAIL]");
    expect(seen.outputs[1]).toMatch(/gen: 10 questions from 5 of 5 documents/);
    expect(seen.outputs[2]).toMatch(/10 scored of 10/);
    const second = await gateway.turn("knot", "Y", { timeoutMs: 90_000 });
    expect(second.text, second.error).toContain("报告已生成");
    const html = readFileSync(path.join(work, "eval_report.html"), "utf8");
    expect(html).toContain("制度问答助手");
    expect(readFileSync(path.join(work, "eval_report.md"), "utf8")).toContain("AI 复审");
    const everything = readdirSync(work)
      .filter((f) => statSync(path.join(work, f)).isFile())
      .map((f) => readFileSync(path.join(work, f), "utf8"))
      .join("\n");
    for (const token of Object.values(TEST_TOKENS)) expect(everything).not.toContain(token);
    // Nothing was written into the skill's folder.
    expect(
      readdirSync(path.join(gateway.stateDir, "workspace", "skills", "knot-agent-eval")).filter(
        (f) => f.startsWith("eval_") || f === "progress.json",
      ),
    ).toEqual([]);
    failed = false;
  });
});
