/** Counters over the made-up events. */
import type { Answer, Detection, Level, ModelRequest, Route } from "../../contract.ts";
import type { SampleEvents } from "./sample.ts";

const HOUR = 3_600_000;
const levels = (items: readonly { level: Level | null }[]) => {
  const n = (level: Level) => items.filter((item) => item.level === level).length;
  return { S1: n("S1"), S2: n("S2"), S3: n("S3") };
};
const routes = (items: readonly { route: Route }[]) => {
  const n = (route: Route) => items.filter((item) => item.route === route).length;
  return { cloud: n("cloud"), redacted: n("redacted"), local: n("local"), blocked: n("blocked") };
};
const tokens = (items: readonly ModelRequest[]) => ({
  input: total(items, (item) => item.input),
  output: total(items, (item) => item.output),
  cacheRead: total(items, (item) => item.cacheRead),
  cacheWrite: 0,
});
function total(items: readonly ModelRequest[], pick: (item: ModelRequest) => number | null): number {
  return items.reduce((sum, item) => sum + (pick(item) ?? 0), 0);
}

export function summaryOf(events: SampleEvents, from: number, to: number): Answer<"summary"> {
  const detections = events.detections.filter((entry) => entry.at >= from);
  const requests = events.requests.filter((entry) => entry.at >= from);
  const turns = detections.filter((entry) => entry.checkpoint === "onUserMessage");
  const tools = detections.filter((entry) => entry.checkpoint !== "onUserMessage");
  const tier = (name: string) => turns.filter((entry) => entry.tier === name).length;
  const spentUsd = total(requests, (entry) => entry.usd);
  const latency = (p50Ms: number) => ({
    n: requests.length,
    meanMs: p50Ms * 1.1,
    p50Ms,
    p95Ms: p50Ms * 2.4,
    maxMs: p50Ms * 5,
  });
  return {
    from,
    to,
    posture: "yellow",
    turns: {
      total: turns.length,
      byLevel: levels(turns),
      byRoute: routes(turns),
      byTier: {
        SIMPLE: tier("SIMPLE"),
        MEDIUM: tier("MEDIUM"),
        COMPLEX: tier("COMPLEX"),
        RESEARCH: 0,
        REASONING: tier("REASONING"),
      },
    },
    toolDetections: { total: tools.length, byLevel: levels(tools), byRoute: routes(tools) },
    requests: {
      total: requests.length,
      failed: requests.filter((entry) => entry.outcome !== "ok").length,
      byLevel: levels(requests),
      byRoute: routes(requests),
      ...tokens(requests),
    },
    cost: {
      spentUsd,
      unpriced: 2,
      defaultModel: { provider: "anthropic", model: "claude-sonnet-4.6" },
      compared: requests.length,
      ifDefaultUsd: spentUsd * 2.4,
      savedUsd: spentUsd * 1.4,
    },
    models: modelTotals(requests),
    latency: { judge: latency(0.4), privacy: latency(1.1), proxy: latency(0.7), firstToken: null },
    budget: {
      state: "warn",
      text: "84 % of the day's budget is used",
      dayUsd: 4.2,
      dayLimitUsd: 5,
      monthUsd: 31,
      monthLimitUsd: 80,
    },
    activeTurns: 1,
  };
}

function modelTotals(requests: readonly ModelRequest[]): Answer<"summary">["models"] {
  const names = [...new Set(requests.map((entry) => `${entry.provider}/${entry.model}`))];
  return names.map((name) => {
    const own = requests.filter((entry) => `${entry.provider}/${entry.model}` === name);
    return {
      provider: own[0]?.provider ?? "",
      model: own[0]?.model ?? "",
      local: own[0]?.provider === "ollama",
      requests: own.length,
      ...tokens(own),
      usd: total(own, (entry) => entry.usd),
      unpriced: 0,
    };
  });
}

export function hourlyOf(
  events: SampleEvents,
  from: number,
  to: number,
  step: "hour" | "day",
): Answer<"hourly"> {
  const ms = step === "hour" ? HOUR : 24 * HOUR;
  const bucket = (at: number) => at - (at % ms);
  const times = [
    ...new Set(events.detections.filter((entry) => entry.at >= from).map((entry) => bucket(entry.at))),
  ];
  const inBucket = <T extends Detection | ModelRequest>(all: readonly T[], at: number) =>
    all.filter((entry) => bucket(entry.at) === at);
  return {
    from,
    to,
    step,
    starts: Array.from({ length: Math.ceil((to - bucket(from)) / ms) }, (_, i) => bucket(from) + i * ms),
    models: times.flatMap((at) =>
      modelTotals(inBucket(events.requests, at)).map(({ local: _, ...row }) => ({ at, ...row })),
    ),
    turns: times.map((at) => {
      const turns = inBucket(events.detections, at).filter((entry) => entry.checkpoint === "onUserMessage");
      return { at, byLevel: levels(turns), byRoute: routes(turns) };
    }),
    requests: times.map((at) => {
      const sent = inBucket(events.requests, at);
      return { at, byLevel: levels(sent), byRoute: routes(sent) };
    }),
  };
}
