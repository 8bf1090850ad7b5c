/** Made-up events for developing and testing the page without a gateway. No text here belongs to anybody. */
import type { Detection, Level, ModelRequest, SessionItem } from "../../contract.ts";

const MINUTE = 60_000;

interface Line {
  level: Level;
  said: Detection["said"];
  cloud: string | null;
  reason: string;
  rules: string[];
  checkpoint?: Detection["checkpoint"];
  tool?: string;
  tier?: Detection["tier"];
}

/** Texts a hostile page or model might hand us: they must stay texts. */
export const HOSTILE = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>';

/** Longer than its place on the page. */
const LONG_TEXT =
  "Prove that the square root of two is irrational, step by step, and check each step. ".repeat(20);

const LINES: readonly Line[] = [
  {
    level: "S1",
    said: [{ text: "What is the difference between HTTP 401 and 403?" }],
    cloud: "What is the difference between HTTP 401 and 403?",
    reason: "no rule matched",
    rules: [],
    tier: "SIMPLE",
  },
  {
    level: "S2",
    said: [
      { text: "请给 " },
      { type: "PHONE", level: "S2", token: "[REDACTED:PHONE_1]" },
      { text: " 发短信，说服务器 " },
      { type: "INTERNAL_IP", level: "S2", token: "[REDACTED:INTERNAL_IP_1]" },
      { text: " 已恢复" },
    ],
    cloud: "请给 [REDACTED:PHONE_1] 发短信，说服务器 [REDACTED:INTERNAL_IP_1] 已恢复",
    reason: "rule contact/phone-cn; rule network/private-ip",
    rules: ["contact/phone-cn", "network/private-ip"],
    tier: "MEDIUM",
  },
  {
    level: "S3",
    said: [{ type: "TEXT", level: "S3", token: "🔒[PRIVATE:TEXT_1]" }],
    cloud: null,
    reason: "rule private-keys/pem",
    rules: ["private-keys/pem"],
  },
  {
    level: "S1",
    said: [{ text: LONG_TEXT }],
    cloud: LONG_TEXT,
    reason: "no rule matched",
    rules: [],
    tier: "REASONING",
  },
  {
    level: "S2",
    said: [
      { text: '{"command":"psql ' },
      { type: "CONNECTION_STRING", level: "S2", token: "[REDACTED:CONNECTION_STRING_1]" },
      { text: ' -c \\"select count(*) from orders\\""}' },
    ],
    cloud: '{"command":"psql [REDACTED:CONNECTION_STRING_1] -c \\"select count(*) from orders\\""}',
    reason: "rule connection-strings/url",
    rules: ["connection-strings/url"],
    checkpoint: "onToolCallProposed",
    tool: "exec",
  },
  {
    level: "S2",
    said: [
      { text: "Contact: " },
      { type: "EMAIL", level: "S2", token: "[REDACTED:EMAIL_1]" },
      { text: ", room 4." },
    ],
    cloud: "Contact: [REDACTED:EMAIL_1], room 4.",
    reason: "rule contact/email",
    rules: ["contact/email"],
    checkpoint: "onToolCallExecuted",
    tool: "read",
  },
  {
    level: "S1",
    said: [{ text: `Is this safe to show? ${HOSTILE}` }],
    cloud: `Is this safe to show? ${HOSTILE}`,
    reason: HOSTILE,
    rules: [],
    tier: "COMPLEX",
  },
  {
    level: "S3",
    said: [{ type: "TEXT", level: "S3", token: "🔒[PRIVATE:TEXT_2]" }],
    cloud: null,
    reason: "keyword 工资单",
    rules: ["user/keyword"],
  },
];

export const SESSION_KEYS = [
  "agent:main:main",
  `agent:main:telegram:direct:{PHONE.${"Qk3".padEnd(40, "x")}}`,
  `agent:main:${HOSTILE}`,
];
const MODELS: Record<string, { provider: string; model: string; usd: number }> = {
  SIMPLE: { provider: "openrouter", model: "glm-4.5-air", usd: 0.0004 },
  MEDIUM: { provider: "openrouter", model: "minimax-m2.5", usd: 0.0021 },
  COMPLEX: { provider: "openrouter", model: "deepseek-v3.2", usd: 0.0048 },
  REASONING: { provider: "openrouter", model: "kimi-k2.5", usd: 0.0135 },
};
const LOCAL = { provider: "ollama", model: "qwen3:8b", usd: 0 };

export function makeDetection(id: number, at: number, index: number): Detection {
  const line = LINES[index % LINES.length] as Line;
  const session = SESSION_KEYS[Math.floor(index / 4) % SESSION_KEYS.length] ?? null;
  const local = line.level === "S3";
  const target = local ? LOCAL : line.tier ? MODELS[line.tier] : undefined;
  return {
    kind: "detection",
    id,
    at,
    session,
    agent: "main",
    loopId: `run-${Math.floor(index / 2)}`,
    checkpoint: line.checkpoint ?? "onUserMessage",
    level: line.level,
    action: local ? "redirect" : line.level === "S2" ? "transform" : line.tier ? "redirect" : "passthrough",
    route: local ? "local" : line.level === "S2" ? "redacted" : "cloud",
    router: line.level === "S1" ? "token-saver" : "privacy",
    reason: line.reason,
    rules: line.rules,
    provider: target?.provider ?? null,
    model: target?.model ?? null,
    tier: line.tier ?? null,
    tool: line.tool ?? null,
    degraded: index % 11 === 10 ? "local model: timeout" : null,
    ms: 1.2 + (index % 5) * 0.7,
    routers: [
      {
        router: "privacy",
        level: line.level,
        action: local ? "redirect" : line.level === "S2" ? "transform" : "passthrough",
        reason: line.reason,
        ms: 0.8,
      },
      ...(line.tier
        ? [
            {
              router: "token-saver",
              level: "S1" as const,
              action: "redirect" as const,
              reason: `graded ${line.tier}`,
              ms: 0.4,
            },
          ]
        : []),
    ],
    said: line.said,
    cloud: line.cloud,
    truncated: false,
    revealable: (line.said ?? []).some((segment) => "token" in segment),
    feedback: null,
  };
}

export function makeRequest(id: number, at: number, detection: Detection): ModelRequest {
  const local = detection.route === "local";
  const target = local ? LOCAL : (MODELS[detection.tier ?? "COMPLEX"] ?? LOCAL);
  const replaced: Record<string, number> = {};
  for (const segment of detection.said ?? [])
    if ("token" in segment && !local) replaced[segment.type] = (replaced[segment.type] ?? 0) + 1;
  return {
    kind: "request",
    id,
    at,
    session: detection.session,
    loopId: detection.loopId,
    provider: target.provider,
    model: target.model,
    api: "openai-completions",
    route: detection.route,
    level: detection.level,
    replaced,
    restored: Object.keys(replaced).length,
    outcome: id % 17 === 3 ? "http-error" : "ok",
    refusal: null,
    status: id % 17 === 3 ? 529 : 200,
    input: 1_240 + id * 37,
    output: 180 + (id % 7) * 60,
    cacheRead: id % 3 === 0 ? 900 : 0,
    cacheWrite: 0,
    usd: local ? 0 : target.usd,
    inspectMs: 0.6 + (id % 4) * 0.3,
    firstTokenMs: 310 + (id % 9) * 45,
    ms: 1_900 + (id % 6) * 420,
    degraded: null,
    detail: "",
    sent: local ? null : detection.cloud,
  };
}

export interface SampleEvents {
  detections: Detection[];
  requests: ModelRequest[];
}

/** Newest first, ending now. */
export function sampleEvents(turns: number, now: number): SampleEvents {
  const detections: Detection[] = [];
  const requests: ModelRequest[] = [];
  for (let index = 0; index < turns; index++) {
    const at = now - (turns - index) * 13 * MINUTE;
    const detection = makeDetection(index + 1, at, index);
    detections.unshift(detection);
    if (detection.checkpoint === "onUserMessage")
      requests.unshift(makeRequest(index + 1, at + 900, detection));
  }
  return { detections, requests };
}

export function sessionsOf({ detections, requests }: SampleEvents): SessionItem[] {
  const keys = SESSION_KEYS.filter((key) => detections.some((entry) => entry.session === key));
  return keys.map((key, at) => {
    const own = detections.filter((entry) => entry.session === key);
    const sent = requests.filter((entry) => entry.session === key);
    const sum = (pick: (entry: ModelRequest) => number | null) =>
      sent.reduce((total, entry) => total + (pick(entry) ?? 0), 0);
    const n = (level: Level) => own.filter((entry) => entry.level === level).length;
    return {
      key,
      agent: "main",
      firstAt: own.at(-1)?.at ?? 0,
      lastAt: own[0]?.at ?? 0,
      level: n("S3") > 0 ? "S3" : n("S2") > 0 ? "S2" : "S1",
      turns: own.filter((entry) => entry.checkpoint === "onUserMessage").length,
      requests: sent.length,
      byLevel: { S1: n("S1"), S2: n("S2"), S3: n("S3") },
      input: sum((entry) => entry.input),
      output: sum((entry) => entry.output),
      cacheRead: sum((entry) => entry.cacheRead),
      cacheWrite: 0,
      usd: sum((entry) => entry.usd),
      unpriced: 0,
      active: at === 0,
    } satisfies SessionItem;
  });
}
