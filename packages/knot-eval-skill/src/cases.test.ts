import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readRun } from "./agui/run.ts";
import { main } from "./cli/main.ts";
import { markdownToHtml } from "./report/markdown.ts";
import { EmptyKeywordError, KeywordMatcher } from "./scoring/matcher.ts";
import { coveredMean } from "./stats/intervals.ts";
import { makeWorkspace, type Workspace } from "./testing/workspace.ts";

/**
 * The handed cases (../shared/cases/knot.jsonl): each line names a kind of fault seen in public tools. A line
 * without a test here fails the suite.
 */

const file = new URL("../../../../shared/cases/knot.jsonl", import.meta.url);

interface Case {
  id: string;
  given: string;
  right: string;
}

const utf8 = new TextEncoder();
const done = 'data: {"type":"RUN_FINISHED"}\n\n';
const content = (delta: string) => `data: {"type":"TEXT_MESSAGE_CONTENT","delta":${JSON.stringify(delta)}}`;
const read = (text: string) => readRun(utf8.encode(text));
const hits = (keyword: string, answer: string) => {
  const matcher = new KeywordMatcher();
  return "hit" in matcher.match(keyword, matcher.prepareAnswer(answer));
};

async function inWorkspace(
  run: (w: Workspace) => Promise<void>,
  options: Parameters<typeof makeWorkspace>[0],
): Promise<void> {
  const workspace = await makeWorkspace(options);
  try {
    await run(workspace);
  } finally {
    await workspace.close();
  }
}

const TESTS: Record<string, () => void | Promise<void>> = {
  "utf8-split": async () => {
    const { RunReader } = await import("./agui/run.ts");
    const reader = new RunReader({ answerMessages: "last" });
    const bytes = utf8.encode(`${content("好")}\n\n${done}`);
    const at = bytes.indexOf(0xe5) + 1;
    reader.push(bytes.slice(0, at));
    reader.push(bytes.slice(at));
    expect(reader.finish().answer).toBe("好");
  },
  crlf: () =>
    expect(read(`${content("好")}\r\n\r\ndata: {"type":"RUN_FINISHED"}\r\n\r\n`)).toMatchObject({
      status: "ok",
      answer: "好",
    }),
  "one-lf": () =>
    expect(read(`${content("好")}\n${content("的")}\ndata: {"type":"RUN_FINISHED"}\n`)).toMatchObject({
      status: "ok",
      answer: "好的",
    }),
  "ping-first": () =>
    expect(read(`: ping\n\n${content("好")}\n\n${done}`)).toMatchObject({ status: "ok", answer: "好" }),
  "run-error": () => {
    const outcome = read(`${content("好")}\n\ndata: {"type":"RUN_ERROR","message":"quota"}\n\n`);
    expect(outcome.status).toBe("error");
    expect(outcome.error).toContain("quota");
  },
  "error-then-finished": () =>
    expect(read(`data: {"type":"RUN_ERROR","message":"quota"}\n\n${done}`)).toMatchObject({
      status: "error",
      error: "quota",
    }),
  "http200-json-error": () =>
    inWorkspace(
      async (w) => {
        expect(await main(["--config", w.config, "--stage", "eval"], w.context)).toBe(3);
        expect(w.results().items[0]).toMatchObject({
          final_grade: "ERROR",
          error: expect.stringContaining("no permission") as unknown,
        });
      },
      {
        questions: 1,
        answers: () => ({ http: { status: 200, body: '{"msg":"no permission","code":190004}' } }),
      },
    ),
  nan: () => expect(coveredMean([1, Number.NaN])).toEqual({ mean: 1, n: 1, total: 2, coverage: 0.5 }),
  "empty-keyword": async () => {
    expect(() => hits("，。", "随便")).toThrow(EmptyKeywordError);
    await inWorkspace(
      async (w) => {
        expect(await main(["--config", w.config, "--stage", "eval"], w.context)).toBe(2);
        expect(w.notes()).toContain("Q001");
        expect(w.knot.requests).toHaveLength(0);
      },
      { questions: 1, keywords: ["\u200b——"] },
    );
  },
  "digit-boundary": () => expect(hits("70", "170")).toBe(false),
  negation: () => expect(hits("支持X", "不支持X")).toBe(false),
  "resume-three-equal": () =>
    inWorkspace(
      async (w) => {
        const one = { q_id: "Q1", question: "相同的问题？", keywords: ["好"] };
        w.writeQuestions([one]);
        expect(await main(["--config", w.config, "--stage", "eval"], w.context)).toBe(0);
        expect(w.knot.requests).toHaveLength(1);
        w.writeQuestions([one, one, one]);
        expect(await main(["--config", w.config, "--stage", "eval"], w.context)).toBe(0);
        expect(w.knot.requests).toHaveLength(3);
        expect(w.results().items.map((i) => i.final_grade)).toEqual(["PASS", "PASS", "PASS"]);
      },
      { questions: 1, answers: () => ({ text: "好" }) },
    ),
  "exit-code": () =>
    inWorkspace(
      async (w) => {
        expect(await main(["--config", w.config, "--stage", "eval", "--fail-under", "95%"], w.context)).toBe(
          1,
        );
        expect(w.results().items.filter((i) => i.final_grade === "PASS")).toHaveLength(28);
        expect(w.notes()).toMatch(/28 of 31/);
      },
      { questions: 31, answers: (q) => ({ text: /问题 (1|2|3)？/.test(q) ? "不知道这个" : "好" }) },
    ),
  "all-404": () =>
    inWorkspace(
      async (w) => {
        expect(await main(["--config", w.config, "--stage", "eval"], w.context)).toBe(3);
        expect(w.notes()).toMatch(/0 scored of 4: coverage 0\.0 %/);
        expect(w.results().items.every((i) => i.final_grade === "ERROR")).toBe(true);
      },
      { questions: 4, answers: () => ({ http: { status: 404, body: '{"msg":"not found"}' } }) },
    ),
  redirect: () =>
    inWorkspace(
      async (w) => {
        expect(await main(["--config", w.config, "--stage", "eval"], w.context)).toBe(3);
        expect(w.results().items[0]?.error).toMatch(/redirect .* refused/);
      },
      {
        questions: 1,
        answers: () => ({
          http: { status: 307, body: "", headers: { location: "http://127.0.0.1:9/elsewhere" } },
        }),
      },
    ),
  "cjk-bold": () => expect(markdownToHtml("**具体：**与其说")).toBe("<p><strong>具体：</strong>与其说</p>\n"),
};

const cases = existsSync(file)
  ? readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Case)
  : undefined;

describe("handed cases", () => {
  if (!cases)
    console.warn("../shared/cases/knot.jsonl is not there: the built-in list of cases is run without it");

  it.skipIf(!cases)("every handed case has a test", () => {
    expect(cases?.map((c) => c.id).filter((id) => !(id in TESTS))).toEqual([]);
  });

  for (const [id, run] of Object.entries(TESTS)) {
    const handed = cases?.find((c) => c.id === id);
    it(`${id}${handed ? `: ${handed.given} -> ${handed.right}` : ""}`, run);
  }
});
