/**
 * `pnpm e2e:knot` (beside e2e/knot.test.ts, which drives the skill on a real gateway): the built program against fake
 * servers on the real protocols, as its own process, with figures against goals.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { configSchema } from "../packages/knot-eval-skill/src/config/schema.ts";
import { planTasks } from "../packages/knot-eval-skill/src/eval/key.ts";
import { buildResults } from "../packages/knot-eval-skill/src/results/build.ts";
import type { AnswerRecord } from "../packages/knot-eval-skill/src/results/schema.ts";
import { KeywordMatcher } from "../packages/knot-eval-skill/src/scoring/matcher.ts";
import { seededRandom } from "../packages/knot-eval-skill/src/stats/random.ts";
import { startFakeKnot } from "../packages/knot-eval-skill/src/testing/fake-knot.ts";
import { startFakeLlm } from "../packages/knot-eval-skill/src/testing/fake-llm.ts";
import { startFakeMcp } from "../packages/knot-eval-skill/src/testing/fake-mcp.ts";
import {
  HANDBOOK,
  handbookAnswer,
  handbookWriter,
  USELESS_DOCUMENTS,
} from "../packages/knot-eval-skill/src/testing/handbook.ts";
import { TEST_TOKENS } from "../packages/knot-eval-skill/src/testing/workspace.ts";
import { type Check, holds, printVerdict } from "./verdict.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const cli = path.join(root, "packages/knot-eval-skill/dist/cli.mjs");
const checks: Check[] = [];
const check = (text: string, ok: boolean) => void checks.push(holds(text, ok));

interface Run {
  code: number | null;
  output: string;
  seconds: number;
  /** Peak resident memory in MB. */
  peakMb: number;
}

function start(args: string[], cwd: string, preload: string): ChildProcess {
  return spawn(process.execPath, ["--import", preload, cli, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...TEST_TOKENS, PEAK_FILE: path.join(cwd, ".peak") },
  });
}

async function run(args: string[], cwd: string, preload: string): Promise<Run> {
  const started = performance.now();
  const child = start(args, cwd, preload);
  let output = "";
  child.stdout?.on("data", (part: Buffer) => {
    output += part.toString();
  });
  child.stderr?.on("data", (part: Buffer) => {
    output += part.toString();
  });
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  const peak = path.join(cwd, ".peak");
  return {
    code,
    output,
    seconds: (performance.now() - started) / 1000,
    peakMb: existsSync(peak) ? Number(readFileSync(peak, "utf8")) / 1024 : Number.NaN,
  };
}

function writeConfig(
  dir: string,
  knot: string,
  mcp: string,
  llm: string,
  extra: Record<string, unknown> = {},
): void {
  const config = {
    agent: {
      knot_url: knot,
      agent_id: "a1",
      username: "tester",
      api_token_env: "KNOT_TOKEN",
      model: "m",
      temperature: 0.3,
      agent_name: "制度问答助手",
      kb_mcp: { url: mcp, api_token_env: "MCP_TOKEN", knowledge_uuid: "kb-1" },
      llm: { base_url: llm, api_key_env: "LLM_KEY", model: "writer" },
    },
    report: { question_source: "员工手册（测试）" },
    qa_gen: {
      doc_names: [...HANDBOOK.map((e) => e.document.title), ...USELESS_DOCUMENTS.map((d) => d.title)],
    },
    ...extra,
  };
  writeFileSync(path.join(dir, "eval_config.yaml"), JSON.stringify(config, null, 2));
}

/** Plays the reviewing agent: confirms every automatic grade, flips none. */
function judge(dir: string): number {
  const pending = JSON.parse(readFileSync(path.join(dir, "pending_ai_review.json"), "utf8")) as {
    items: { q_id: string; auto_grade: string; auto_attribution: string }[];
  };
  const verdicts = pending.items.map((item) => ({
    q_id: item.q_id,
    final_grade: item.auto_grade,
    flipped_from_auto: false,
    flip_reason: "",
    semantic_match_summary: "自动评分成立",
    missing_facts: [],
    extra_facts: [],
    hallucination: false,
    hallucination_evidence: "",
    recommended_attribution: item.auto_attribution,
    attribution_evidence: "",
    confidence: 0.9,
    reviewer_notes: "",
  }));
  writeFileSync(path.join(dir, "ai_review_results.json"), JSON.stringify(verdicts));
  return verdicts.length;
}

async function tenQuestions(base: string, preload: string): Promise<void> {
  console.log("\nTen questions, from documents to HTML (zero network delay)");
  const dir = mkdtempSync(path.join(base, "ten-"));
  const knot = await startFakeKnot({ answers: handbookAnswer, token: TEST_TOKENS.KNOT_TOKEN });
  const mcp = await startFakeMcp({
    documents: [...HANDBOOK.map((e) => e.document), ...USELESS_DOCUMENTS],
    token: TEST_TOKENS.MCP_TOKEN,
    knowledgeUuid: "kb-1",
  });
  const llm = await startFakeLlm(handbookWriter);
  writeConfig(dir, knot.url, mcp.url, llm.url);
  const doctor = await run(["doctor"], dir, preload);
  check(
    `doctor: exit ${doctor.code}, ${doctor.output.match(/\[ok\]/g)?.length ?? 0} checks ok`,
    doctor.code === 0,
  );
  const first = await run(["--stage", "all", "--record"], dir, preload);
  const judged = judge(dir);
  const second = await run(["--stage", "merge_review,render,export"], dir, preload);
  const seconds = first.seconds + second.seconds;
  const results = JSON.parse(readFileSync(path.join(dir, "eval_results.json"), "utf8")) as {
    items: { final_grade: string }[];
  };
  check(
    `gen to HTML in ${seconds.toFixed(1)} s, goal < 60 s (10 questions: ${results.items.length}, reviewed ${judged})`,
    first.code === 0 && second.code === 0 && seconds < 60 && results.items.length === 10,
  );
  check(
    "every output is there",
    [
      "eval_questions.json",
      "eval_results.json",
      "eval_report.md",
      "eval_report.html",
      "eval_results.csv",
      "eval_junit.xml",
    ].every((f) => existsSync(path.join(dir, f))),
  );
  const perSession = mcp.calls.filter((c) => c.method === "tools/call").map((c) => c.session);
  check(
    `one tools/call a session: ${perSession.length} calls in ${new Set(perSession).size} sessions`,
    perSession.length === new Set(perSession).size,
  );
  const before = readFileSync(path.join(dir, "eval_results.json"), "utf8");
  await Promise.all([knot.close(), mcp.close(), llm.close()]);
  const again = await run(
    ["--stage", "eval", "--replay", "streams", "--questions", "eval_questions.json", "--out", "again"],
    dir,
    preload,
  );
  const strip = (text: string) =>
    (JSON.parse(text) as { items: Record<string, unknown>[] }).items.map(
      ({ key, answer, keyword_rate, auto_grade, latency_ms, usage, chunks }) => ({
        key,
        answer,
        keyword_rate,
        auto_grade,
        latency_ms,
        usage,
        chunks,
      }),
    );
  const equal =
    again.code === 0 &&
    JSON.stringify(strip(readFileSync(path.join(dir, "again", "eval_results.json"), "utf8"))) ===
      JSON.stringify(strip(before));
  check(
    `offline replay of the recorded streams gives the same answers, scores and times (exit ${again.code})`,
    equal,
  );
}

async function resume(base: string, preload: string): Promise<void> {
  console.log("\n500 questions, SIGKILL at random points");
  const dir = mkdtempSync(path.join(base, "resume-"));
  const count = 500;
  const knot = await startFakeKnot({
    answers: (question) => ({ text: `答复：${question} 好`, delayMs: 4 }),
    token: TEST_TOKENS.KNOT_TOKEN,
  });
  writeConfig(dir, knot.url, "http://127.0.0.1:9/mcp", "http://127.0.0.1:9/v1", { eval: { concurrency: 8 } });
  writeFileSync(
    path.join(dir, "eval_questions.json"),
    JSON.stringify(
      Array.from({ length: count }, (_, i) => ({
        q_id: `R${i}`,
        question: `第${i}号问题？`,
        keywords: ["好"],
      })),
    ),
  );
  const journal = path.join(dir, "eval_answers.jsonl");
  const onDisk = () =>
    new Set(
      (existsSync(journal) ? readFileSync(journal, "utf8") : "")
        .split("\n")
        .filter((l) => l.endsWith("}"))
        .map((l) => (JSON.parse(l) as { q_id: string }).q_id),
    );
  const kills: number[] = [];
  let askedAgain = 0;
  for (let round = 0; round < 3; round++) {
    const target = onDisk().size + 20 + Math.floor(Math.random() * 110);
    const child = start(["--stage", "eval"], dir, preload);
    const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
    while (onDisk().size < target && child.exitCode === null) await sleep(1);
    child.kill("SIGKILL");
    await ended;
    const kept = onDisk();
    kills.push(kept.size);
    // From now on no question whose answer is on disk may be asked.
    const from = knot.requests.length;
    const probe = () =>
      knot.requests.slice(from).filter((r) => kept.has(r.question.replace(/^第(\d+)号.*$/, "R$1"))).length;
    if (round === 2) {
      const last = await run(["--stage", "eval"], dir, preload);
      check(
        `after kills at ${kills.join(", ")} answers the run ends with exit ${last.code}`,
        last.code === 0,
      );
    }
    askedAgain += probe();
  }
  // Kills 1 and 2 are checked against everything asked later as well.
  const answered = onDisk();
  const results = JSON.parse(readFileSync(path.join(dir, "eval_results.json"), "utf8")) as {
    items: { q_id: string; final_grade: string }[];
  };
  const passed = results.items.filter((item) => item.final_grade === "PASS").length;
  const lines = readFileSync(journal, "utf8")
    .trim()
    .split("\n")
    .map((l) => (JSON.parse(l) as { q_id: string }).q_id);
  check(
    `none lost: ${passed} of ${count} scored, ${answered.size} in the journal`,
    passed === count && answered.size === count,
  );
  check(
    `none asked twice: ${askedAgain} questions asked again after their answer was on disk; ${lines.length - new Set(lines).size} double lines`,
    askedAgain === 0 && lines.length === new Set(lines).size,
  );
  check(
    `requests in all: ${knot.requests.length} (at most 8 in flight at each of 3 kills)`,
    knot.requests.length <= count + 24,
  );
  await knot.close();
}

const HOSTILE = [
  '<script>globalThis.hacked = 1</script><img src=x onerror="globalThis.hacked=1">',
  "[点我](javascript:alert(1)) ![图](https://evil.invalid/p.png) | a | b |",
  '=HYPERLINK("http://evil.invalid","x")',
  "```\n</script><svg onload=alert(1)>\n```",
];

async function tenThousand(base: string, preload: string): Promise<void> {
  console.log("\n10,000 results: render and export");
  const dir = mkdtempSync(path.join(base, "large-"));
  writeConfig(dir, "http://127.0.0.1:9", "http://127.0.0.1:9/mcp", "http://127.0.0.1:9/v1");
  const config = configSchema.parse(JSON.parse(readFileSync(path.join(dir, "eval_config.yaml"), "utf8")));
  const random = seededRandom(11);
  const all = HANDBOOK.flatMap((entry) => entry.questions.map((q) => ({ ...q, entry })));
  const questions = Array.from({ length: 10_000 }, (_, i) => {
    const pick = all[i % all.length] as (typeof all)[number];
    return {
      q_id: `L${i}`,
      question: `${pick.question}（${i}）`,
      keywords: pick.keywords,
      expected_docs: [pick.entry.document.title],
      category: pick.category,
      reference_answer: pick.reference_answer,
    };
  });
  const tasks = planTasks(questions, config);
  const filler =
    "本条内容依据公司现行制度整理，具体办理流程、所需材料与时限请以系统中公布的最新版本为准，如有疑问可联系对应部门的负责人进行确认。".repeat(
      8,
    );
  const records = new Map<string, AnswerRecord>(
    tasks.map((task, i) => {
      const good = random() < 0.7;
      const { entry } = all[i % all.length] as (typeof all)[number];
      const answer = `${good ? (task.question.reference_answer ?? "") : HOSTILE[i % HOSTILE.length]}\n\n${filler}`;
      const chunks = entry.document.chunks.map((content, index) => ({
        title: entry.document.title,
        content: content + filler,
        docId: entry.document.docId,
        index,
      }));
      return [
        task.key,
        {
          key: task.key,
          q_id: task.question.q_id,
          repeat: 0,
          status: i % 97 === 0 ? "error" : "ok",
          answer,
          thinking_chars: 0,
          error: i % 97 === 0 ? "HTTP 503" : null,
          truncated: false,
          latency_ms: Math.round(800 + random() * 4_000),
          first_token_ms: 300,
          attempts: 1,
          http_status: 200,
          usage: { input: 900, output: 120, total: 1_020 },
          tools: [],
          chunks,
          finished_at: "2026-01-01T00:00:00.000Z",
        },
      ];
    }),
  );
  const results = buildResults(tasks, (key) => records.get(key), new KeywordMatcher(), config);
  writeFileSync(path.join(dir, "eval_results.json"), JSON.stringify(results));
  const done = await run(["--stage", "render,export"], dir, preload);
  const size = (name: string) => `${(readFileSync(path.join(dir, name)).length / 1e6).toFixed(0)} MB`;
  check(
    `exit ${done.code}, ${done.seconds.toFixed(1)} s, goal < 10 s (results ${size("eval_results.json")}, HTML ${size("eval_report.html")}, Markdown ${size("eval_report.md")})`,
    done.code === 0 && done.seconds < 10,
  );
  check(`peak memory ${done.peakMb.toFixed(0)} MB, goal < 600 MB`, done.peakMb < 600);
  const html = readFileSync(path.join(dir, "eval_report.html"), "utf8");
  const csv = readFileSync(path.join(dir, "eval_results.csv"), "utf8");
  check(
    "HTML holds exactly its own two scripts, no foreign image, no javascript: link",
    html.match(/<script/g)?.length === 2 && !/<img/i.test(html) && !/href="javascript:/i.test(html),
  );
  check("no CSV field begins with a formula sign", !/(?:^|,)"?[=+@]/m.test(csv));
}

execFileSync(process.execPath, [path.join(root, "scripts", "build.ts"), "knot-eval-skill"], {
  cwd: root,
  stdio: "inherit",
});
const base = mkdtempSync(path.join(tmpdir(), "knot-e2e-"));
try {
  const preload = path.join(base, "peak.mjs");
  writeFileSync(
    preload,
    'import { writeFileSync } from "node:fs"; process.on("exit", () => writeFileSync(process.env.PEAK_FILE, String(process.resourceUsage().maxRSS)));',
  );
  await tenQuestions(base, preload);
  await resume(base, preload);
  await tenThousand(base, preload);
} finally {
  rmSync(base, { recursive: true, force: true });
}
printVerdict(checks);
