import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type Gateway, type Reply, startGateway } from "./harness/index.ts";

/** Reminders and extraction over a whole session, on a real gateway with a scripted model. */

const NOTICE = "💡 KnowHub 知识库已启用";
const PERIODIC = "💡 提醒：如果遇到复杂问题";
const EXTRACTION = "You extract reusable experience";
const SECRET = ["hunter", "2", "correct", "horse"].join("-");

interface Body {
  messages: { role: string; content: unknown }[];
  tools?: unknown;
}

vi.setConfig({ testTimeout: 400_000 });

let gateway: Gateway;
let failed = false;

beforeAll(async () => {
  gateway = await startGateway({ plugins: { "knowhub-plugin": { enableServerExtraction: true } } });
});
afterEach(({ task }) => {
  if (task.result?.state === "fail") failed = true;
});
afterAll(async () => {
  await gateway?.close(failed);
});

function cloud() {
  const { cloud: server } = gateway.models;
  if (!server) throw new Error("no cloud model");
  return server;
}

function textOf(content: unknown): string {
  return typeof content === "string" ? content : JSON.stringify(content ?? "");
}

/** Requests of agent runs (not titles, recaps or our own extraction), in order. */
function agentCalls(): Body[] {
  return cloud()
    .requests.filter((r) => r.url.endsWith("/chat/completions"))
    .map((r) => r.json as Body)
    .filter((body) => body.tools !== undefined && !JSON.stringify(body.messages[0]).includes(EXTRACTION));
}

/** What is new in a request: the last words of the user and everything after them; or only what follows a tool call. */
function newPart({ messages }: Body): string {
  const texts = messages.map((m) => ({ role: m.role, text: textOf(m.content) }));
  const afterTool = texts.findLastIndex((t) => t.role === "assistant");
  const user = texts.findLastIndex(
    (t) => t.role === "user" && !t.text.includes("BEGIN_OPENCLAW_INTERNAL_CONTEXT"),
  );
  return texts
    .slice(Math.max(user, afterTool + 1))
    .map((t) => t.text)
    .join("\n");
}

/** One turn in which the model calls kb_search so many times before it answers. */
async function turn(session: string, text: string, searches: number): Promise<void> {
  let left = searches;
  const off = cloud().script((request, recorded): Reply | undefined => {
    if (request.kind !== "chat") return undefined;
    if (recorded.body.includes(EXTRACTION)) {
      return {
        text: JSON.stringify([
          { task: "凭证过期", content: "长任务每个分片前刷新凭证", types: ["strategy"], score: 4 },
        ]),
      };
    }
    if (request.tools.length === 0) return { text: "a title" };
    if (left > 0) {
      left -= 1;
      return { toolCalls: [{ name: "kb_search", arguments: { query: `词 ${left}` } }] };
    }
    return { text: "好的" };
  });
  try {
    const result = await gateway.turn(session, text);
    expect(result.error).toBe("");
  } finally {
    off();
  }
}

it("a reminder at model calls 3, 6 and 9 over several turns, the notice once, always the same bytes", async () => {
  cloud().reset();
  await turn("r", "第一个问题", 1); // calls 1, 2
  await turn("r", "第二个问题", 0); // call 3
  await turn("r", "第三个问题", 2); // calls 4, 5, 6
  await turn("r", "第四个问题", 1); // calls 7, 8
  await turn("r", "第五个问题", 0); // call 9
  const calls = agentCalls();
  expect(calls).toHaveLength(9);
  const periodic = calls.flatMap((body, i) => (newPart(body).includes(PERIODIC) ? [i + 1] : []));
  expect(periodic).toEqual([3, 6, 9]);
  const notice = calls.flatMap((body, i) => (newPart(body).includes(NOTICE) ? [i + 1] : []));
  expect(notice).toEqual([1]);
  const blocks = calls.flatMap(
    (body) => newPart(body).match(/<knowhub-reminder>.*?<\/knowhub-reminder>/gs) ?? [],
  );
  expect(new Set(blocks.map((b) => b.replaceAll("\\n", "\n"))).size).toBe(2);
  // The system prompt, the long part of the cached prefix, is never touched.
  expect(calls.map((body) => textOf(body.messages[0]?.content)).join()).not.toContain("knowhub-reminder");
  const kept = calls
    .at(-1)
    ?.messages.slice(0, -3)
    .filter((m) => textOf(m.content).includes(PERIODIC)).length;
  console.log(
    `figure: reminders at calls ${periodic.join(", ")} of ${calls.length}; ${kept} earlier ones still in the last request's history`,
  );
});

it("another session is told anew, and counts on its own", async () => {
  cloud().reset();
  await turn("r2", "你好", 0);
  expect(newPart(agentCalls()[0] as Body)).toContain(NOTICE);
});

it("20 turns inject the same bytes", async () => {
  cloud().reset();
  for (let i = 0; i < 20; i += 1) await turn("bytes", `问题 ${i}`, 0);
  const blocks = agentCalls().flatMap(
    (body) => newPart(body).match(/<knowhub-reminder>.*?<\/knowhub-reminder>/gs) ?? [],
  );
  expect(new Set(blocks.filter((b) => b.includes(PERIODIC))).size).toBe(1);
  expect(blocks.filter((b) => b.includes(PERIODIC))).toHaveLength(6);
  expect(blocks.filter((b) => b.includes(NOTICE))).toHaveLength(1);
  console.log(`figure: 20 turns, ${blocks.length} injected blocks, ${new Set(blocks).size} different texts`);
});

it("a heartbeat gets no reminder", async () => {
  cloud().reset();
  await gateway.cli(["system", "event", "--text", "check the mailbox", "--mode", "now"], { check: true });
  const end = Date.now() + 60_000;
  while (agentCalls().length === 0 && Date.now() < end)
    await new Promise((resolve) => setTimeout(resolve, 200));
  const calls = agentCalls();
  expect(calls.length).toBeGreaterThan(0);
  expect(JSON.stringify(calls.map((c) => c.messages))).not.toContain("knowhub-reminder");
});

it("extraction takes what is new, redacted, without anything of ours, and stores it once", async () => {
  cloud().reset();
  await turn("x", `我的密码: 请执行 export DB_PASSWORD=${SECRET} 然后上传`, 1);
  await turn("x", "第二轮：上传还是失败", 0);
  await waitFor(() => uploads().length >= 2);
  const [first = "", second = ""] = uploads();
  for (const upload of uploads()) {
    for (const ours of ["knowhub-reminder", NOTICE, PERIODIC, "kb_search", "未找到相关知识"])
      expect(upload).not.toContain(ours);
    expect(upload).not.toContain(SECRET);
  }
  expect(first).toContain("export DB_PASSWORD=");
  expect(first).toContain("[REDACTED:");
  expect(second).toContain("第二轮");
  expect(second).not.toContain("export DB_PASSWORD=");
  const list = await gateway.cli(["knowhub", "list", "--json"], { check: true });
  const { results } = JSON.parse(list.stdout) as { results: { task: string }[] };
  expect(results.filter((r) => r.task === "凭证过期")).toHaveLength(1);
  const report = JSON.parse(
    (await gateway.cli(["knowhub", "redactions", "--json"], { check: true })).stdout,
  ) as { findings: Record<string, number> }[];
  expect(report.some((entry) => Object.keys(entry.findings).length > 0)).toBe(true);
  console.log(`figure: ${uploads().length} uploads, 0 of them with a reminder or the secret; 1 item stored`);
});

function uploads(): string[] {
  return cloud()
    .requests.filter((r) => r.body.includes(EXTRACTION))
    .map((r) => textOf((r.json as Body).messages.slice(1)))
    .filter((text) => text.includes("上传"));
}

async function waitFor(holds: () => boolean, ms = 30_000): Promise<void> {
  const end = Date.now() + ms;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`not within ${ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
