import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { startFakeKnot } from "../../packages/knot-eval-skill/src/testing/fake-knot.ts";
import type { Step, Tour } from "./context.ts";

const run = promisify(execFile);

/** The fake agent's answers: three right, one half right, one wrong, so that the report has something to show. */
const ANSWERS: Record<string, string> = {
  S001: "未休年假最多结转5天，须在次年3月31日前使用完毕。",
  S002: "出差结束后 30 天以内在报销系统提交，并上传电子发票。",
  S003: "VPN 支持手机令牌登录。",
  S004: "单笔采购超过 5万元 时，须取得至少三家供应商的报价并比价。",
  S005: "会议室请联系前台预订。",
};

interface SampleQuestion {
  q_id: string;
  question: string;
  expected_docs: string[];
}

/** Where the host put the skill: what a user would run, not our source folder. */
async function installedSkill(tour: Tour): Promise<string> {
  const folder = path.resolve("packages/knot-eval-skill");
  await tour.gateway.cli(["skills", "install", folder, "--force"], { check: true });
  const { stdout } = await tour.gateway.cli(["skills", "info", "knot-agent-eval", "--json"], { check: true });
  const info = JSON.parse(stdout.slice(stdout.indexOf("{"))) as { baseDir?: string; filePath?: string };
  return info.baseDir ?? path.dirname(info.filePath ?? "");
}

const evaluate: Step = {
  title: (tour) => tour.say("评测：5 道题，一份 HTML 报告", "An evaluation: 5 questions, one HTML report"),
  async run(tour) {
    const skill = await installedSkill(tour);
    const questions = JSON.parse(
      await readFile(path.resolve("packages/knot-eval-skill/samples/questions.json"), "utf8"),
    ) as SampleQuestion[];
    const knot = await startFakeKnot({
      answers: Object.fromEntries(
        questions.map((q) => [
          q.question,
          {
            text: ANSWERS[q.q_id] ?? "",
            chunks: q.expected_docs.map((d) => ({
              chunk_title: d,
              chunk_content: ANSWERS[q.q_id] ?? "",
              doc_id: d,
              chunk_index: 0,
            })),
          },
        ]),
      ),
    });
    try {
      const dir = path.join(tour.gateway.home, "evaluation");
      await mkdir(dir, { recursive: true });
      await writeFile(path.join(dir, "eval_questions.json"), JSON.stringify(questions));
      await writeFile(path.join(dir, "eval_config.yaml"), config(knot.url, tour));
      const { stdout } = await run(
        process.execPath,
        [
          path.join(skill, "dist", "cli.mjs"),
          "--config",
          "eval_config.yaml",
          "--stage",
          "eval,render,export",
        ],
        { cwd: dir, env: { ...process.env, TOUR_KNOT_TOKEN: "tour", NO_COLOR: "1" } },
      );
      tour.screen.says("knot-agent-eval", stdout.trim().split("\n").slice(-8).join("\n"), "green", 8);
      const report = path.join(tour.outputDir, "eval_report.html");
      const made = path.join(dir, "eval_report.html");
      if (existsSync(made)) await copyFile(made, report);
      tour.screen.says(tour.say("报告", "report"), report, "cyan");
      return [
        {
          ok: knot.requests.length === questions.length,
          text: tour.say(`问了 ${knot.requests.length} 道题`, `asked ${knot.requests.length} questions`),
        },
        {
          ok: existsSync(made) && questions.every((q) => readFileSync(made, "utf8").includes(q.question)),
          text: tour.say("报告里有每一道题", "the report holds every question"),
        },
      ];
    } finally {
      await knot.close();
    }
  },
};

function config(url: string, tour: Tour): string {
  return `agent:
  knot_url: ${url}
  agent_id: "tour-agent"
  username: tour
  api_token_env: TOUR_KNOT_TOKEN
  model: tour-model
  temperature: 0.3
  agent_name: ${tour.say("示例智能体", "Sample agent")}
  kb_mcp:
    url: ${url}/mcp
    api_token_env: TOUR_KNOT_TOKEN
    knowledge_uuid: "tour"
  llm:
    base_url: ${url}/v1
    api_key_env: TOUR_KNOT_TOKEN
    model: tour-model
report:
  question_source: ${tour.say("随技能附带的示例题", "the skill's sample questions")}
`;
}

export const evaluationSteps: Step[] = [evaluate];
