/** Makes a ledger as a busy installation has it after its retention time: events of 89 days. */
import type { EndEvent, ForwardEvent } from "../../packages/clawxrouter/src/egress/types.ts";
import type { DecisionRow, Ledger } from "../../packages/clawxrouter/src/ledger/ledger.ts";

const DAY = 86_400_000;
const ENGLISH =
  "please review the quarterly report and send a summary to the team about deployment failures in staging while customer contract renewal budget invoice database migration latency grows again today".split(
    " ",
  );
const CHINESE = [
  "请把报告发给客户",
  "数据库迁移失败了",
  "明天下午三点开会",
  "合同金额需要确认",
  "服务器延迟升高",
  "帮我写一封邮件",
];
const RULES = [
  "contact/phone-cn-mobile",
  "contact/email",
  "credentials/aws-access-key-id",
  "user/keyword",
  "user/patterns.S3[0]",
  "network/private-ipv4",
];
const MODELS = [
  ["cloud", "glm-4.5-air"],
  ["cloud", "minimax-m2.5"],
  ["cloud", "deepseek-v3.2"],
  ["other", "glm-5"],
  ["local", "qwen3"],
] as const;

/** Numbers that are the same on every run (mulberry32). */
export function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export function decisionAt(i: number, at: number, random: () => number): DecisionRow {
  const r = random();
  const level = r < 0.8 ? "S1" : r < 0.95 ? "S2" : "S3";
  const rule = RULES[Math.floor(random() * RULES.length)] ?? "contact/email";
  const words = Array.from(
    { length: 8 + Math.floor(random() * 16) },
    () => ENGLISH[Math.floor(random() * ENGLISH.length)],
  );
  const [provider, model] = MODELS[Math.floor(random() * MODELS.length)] ?? MODELS[0];
  return {
    at,
    session: `agent:main:session-${Math.floor(random() * 4_000)}`,
    agent: "main",
    run: `run-${i}`,
    checkpoint:
      random() < 0.6 ? "onUserMessage" : random() < 0.5 ? "onToolCallExecuted" : "onToolCallProposed",
    level,
    action: level === "S1" ? "passthrough" : level === "S2" ? "transform" : "redirect",
    router: "privacy",
    route: level === "S1" ? "cloud" : level === "S2" ? "redacted" : "local",
    provider,
    model,
    tier: (["SIMPLE", "MEDIUM", "COMPLEX", "RESEARCH", "REASONING"] as const)[Math.floor(random() * 5)],
    tool: undefined,
    reason: level === "S1" ? "nothing private found" : `rule ${rule}`,
    degraded: undefined,
    ms: random() * 20,
    routers: [
      {
        router: "privacy",
        level,
        action: "passthrough",
        reason: "nothing private found",
        durationMs: random() * 15,
      },
      { router: "token-saver", level: "S1", action: "redirect", durationMs: random() },
    ],
    text: `${words.join(" ")} ${CHINESE[Math.floor(random() * CHINESE.length)]} ticket${i}${level === "S2" ? ` [REDACTED:PHONE_${i}]` : ""}`,
  };
}

export function requestAt(i: number, at: number, random: () => number): [ForwardEvent, EndEvent] {
  const [providerId, model] = MODELS[Math.floor(random() * MODELS.length)] ?? MODELS[0];
  const session = `agent:main:session-${Math.floor(random() * 4_000)}`;
  const requestId = `request-${i}`;
  const redacted = random() < 0.2;
  return [
    {
      kind: "forward",
      requestId,
      at,
      providerId,
      session,
      api: "openai-completions",
      endpoint: "chat/completions",
      model,
      local: providerId === "local",
      stream: true,
      level: redacted ? "S2" : "S1",
      replaced: redacted ? { PHONE: 1 } : {},
      placeholders: redacted ? 1 : 0,
      newest: `${ENGLISH.slice(0, 20).join(" ")} ${i}`,
      mediaWithheld: 0,
      signaturesStripped: 0,
      reasons: redacted ? ["rule contact/phone"] : [],
      degraded: undefined,
      requestBytes: 20_000,
      sentBytes: 20_000,
      inspectMs: random() * 4,
    },
    {
      kind: "end",
      requestId,
      at: at + 900,
      providerId,
      session,
      status: 200,
      outcome: "ok",
      usage: {
        inputTokens: Math.floor(random() * 9_000),
        outputTokens: Math.floor(random() * 900),
        cacheReadTokens: 0,
      },
      restored: redacted ? 1 : 0,
      ttfbMs: random() * 800,
      durationMs: random() * 4_000,
      responseBytes: 4_000,
      upstreamRequestId: undefined,
    },
  ];
}

/** @param events decisions and requests together, six to four */
export async function fill(ledger: Ledger, events: number, log: (line: string) => void): Promise<number> {
  const random = numbers(20_261_130);
  const start = Date.now() - 89 * DAY;
  const started = performance.now();
  for (let i = 0; i < events; i += 1) {
    const at = start + Math.floor((i / events) * 89 * DAY);
    if (i % 10 < 6) ledger.decision(decisionAt(i, at, random));
    else for (const event of requestAt(i, at, random)) ledger.egress(event, `run-${i - (i % 10)}`);
    if (i % 2_000 === 0) {
      ledger.flush();
      await new Promise((resolve) => setImmediate(resolve));
    }
    if (i % 100_000 === 0)
      log(`${i} of ${events} events, ${((performance.now() - started) / 1_000).toFixed(0)} s`);
  }
  ledger.flush();
  return performance.now() - started;
}
