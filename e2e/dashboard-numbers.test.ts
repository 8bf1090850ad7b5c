import chromium from "@sparticuz/chromium";
import { chromium as browserType } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { DashboardClient, oneTimeLink } from "./dashboard/client.ts";
import {
  count,
  type PricePerMillion,
  type Seen,
  seenBy,
  total,
  turnsOf,
  usdOf,
} from "./dashboard/from-logs.ts";
import { freePort, type Gateway, modelServer, type Reply, startGateway } from "./harness/index.ts";

const TURNS = 200;
const LANES = 5;
/** As the harness's openclaw.json has them, USD a million tokens. */
const PRICES: Record<string, PricePerMillion> = {
  "cloud/main": { input: 3, output: 6, cacheRead: 0.3 },
  "cloud/cheap": { input: 0.1, output: 0.2, cacheRead: 0.01 },
  "local/private": { input: 0, output: 0, cacheRead: 0 },
};
const LEVELS = ["S1", "S2", "S3"] as const;
const ROUTES = ["cloud", "redacted", "local"] as const;

/** Values that are made up, each of its own, so that none is known from an earlier turn. */
const phone = (n: number) => `13${String(800_000_000 + n * 7_919).slice(0, 9)}`;
const key = (n: number) =>
  `AK${"IA"}${[..."Q3EGZ7PLM2NVX4TY"].map((c, i) => (i < 4 ? "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[(n * 7 + i * 11) % 26] : c)).join("")}`;

/** What is said in turn `n`: seven kinds, each with words of its own. */
function message(n: number): string {
  const mark = `turn-${String(n).padStart(4, "0")}`;
  switch (n % 7) {
    case 0:
      return `${mark} Say hello in French.`;
    case 1:
      return `${mark} 请给 ${phone(n)} 发一条短信，说会议改到三点`;
    case 2:
      return `${mark} is this key still valid: ${key(n)} ?`;
    case 3:
      return `${mark} use-tool: list what is there`;
    case 4:
      return `${mark} cached: Prove that the sum of two odd numbers is even, step by step, and discuss where the argument fails for reals.`;
    case 5:
      return n % 35 === 5 ? `${mark} refuse-this` : `${mark} Translate "good morning" to German.`;
    default:
      return `${mark} Write a Python function that merges two sorted lists, with tests and complexity analysis.`;
  }
}

/** A stream whose usage says that a part of the prompt was cached. */
function cachedReply(model: string, n: number): Reply {
  const frame = (value: object) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model, ...value })}\n\n`;
  return {
    headers: { "content-type": "text/event-stream" },
    raw: [
      frame({
        choices: [{ index: 0, delta: { role: "assistant", content: "It is even." }, finish_reason: null }],
      }),
      frame({ choices: [{ index: 0, delta: {}, finish_reason: "stop" }] }),
      frame({
        choices: [],
        usage: {
          prompt_tokens: 4_000 + n,
          completion_tokens: 300 + n,
          total_tokens: 4_300 + 2 * n,
          prompt_tokens_details: { cached_tokens: 1_000 + n },
        },
      }),
      "data: [DONE]\n\n",
    ].join(""),
  };
}

/** 200 mixed turns; every number that the dashboard shows is the one that the recording servers' logs give. */
describe("the dashboard's numbers", () => {
  let gateway: Gateway;
  let client: DashboardClient;
  let failed = false;
  let seen: Seen[] = [];

  beforeAll(async () => {
    const proxyPort = await freePort();
    gateway = await startGateway({
      plugins: { clawxrouter: {} },
      models: { cloud: modelServer("cloud"), local: modelServer("local") },
      config: { agents: { defaults: { utilityModel: "cloud/cheap" } } },
      files: {
        ".openclaw/clawxrouter.json": JSON.stringify({
          privacy: { proxyPort },
          tokenSaver: {
            tiers: {
              SIMPLE: { provider: "cloud", model: "cheap" },
              MEDIUM: { provider: "cloud", model: "main" },
            },
          },
        }),
      },
      beforeStart: async (made) => {
        await made.cli(["clawxrouter", "setup", "--yes"], { check: true });
      },
    });
    gateway.models.cloud?.script((request) => {
      if (request.kind !== "chat") return undefined;
      const text = request.lastUserText;
      const n = Number(/turn-(\d{4})/.exec(text)?.[1] ?? 0);
      if (text.includes("refuse-this")) return { status: 400, text: "no" };
      if (text.includes("cached:") && request.stream) return cachedReply(request.model, n);
      if (text.includes("use-tool") && !request.afterTool && request.tools.includes("exec"))
        return { toolCalls: [{ name: "exec", arguments: { command: `echo done-${n}` } }] };
      return undefined;
    });
    client = new DashboardClient(gateway.port);
    await client.signIn({ token: gateway.token });
    const started = Date.now();
    let next = 0;
    await Promise.all(
      Array.from({ length: LANES }, async (_, lane) => {
        while (next < TURNS) {
          const n = next++;
          // Each lane goes on for a while in one session, then begins another.
          const result = await gateway.turn(`lane-${lane}-${Math.floor(n / 50)}`, message(n));
          if (!result.ok && !message(n).includes("refuse-this"))
            throw new Error(`turn ${n}: ${result.error}`);
          if (n % 25 === 0)
            console.log(`turn ${n} of ${TURNS}, ${((Date.now() - started) / 1_000).toFixed(0)} s`);
        }
      }),
    );
    await quiet(gateway);
    seen = Object.entries(gateway.models).flatMap(([provider, server]) => seenBy(provider, server));
  }, 1_200_000);
  afterEach(({ task }) => {
    if (task.result?.state === "fail") failed = true;
  });
  afterAll(async () => {
    await gateway?.close(failed);
  });

  it("levels and routes of turns", async () => {
    const { turns } = await client.get("summary", "?days=1");
    const logged = [...turnsOf(seen).values()];
    expect(logged).toHaveLength(TURNS);
    expect(turns.total).toBe(TURNS);
    expect(turns.byLevel).toEqual(
      count(
        LEVELS,
        logged.map((turn) => turn.level),
      ),
    );
    expect(turns.byRoute).toEqual({
      ...count(
        ROUTES,
        logged.map((turn) => turn.route),
      ),
      blocked: 0,
    });
    console.log(
      `turns ${JSON.stringify(turns.byLevel)} ${JSON.stringify(turns.byRoute)} ${JSON.stringify(turns.byTier)}`,
    );
  });

  it("requests by level and route, failures, tokens", async () => {
    const { requests } = await client.get("summary", "?days=1");
    expect(requests.total).toBe(seen.length);
    expect(requests.failed).toBe(seen.filter((request) => request.failed).length);
    expect(requests.byRoute).toEqual({
      ...count(
        ROUTES,
        seen.map((request) => request.route),
      ),
      blocked: 0,
    });
    expect(requests.byLevel).toEqual(
      count(
        LEVELS,
        seen.map((request) => request.level),
      ),
    );
    expect(requests).toMatchObject({
      input: total(seen, "input"),
      output: total(seen, "output"),
      cacheRead: total(seen, "cacheRead"),
      cacheWrite: 0,
    });
    console.log(
      `requests ${requests.total} ${JSON.stringify(requests.byRoute)} ${JSON.stringify(requests.byLevel)}, tokens ${requests.input} in, ${requests.output} out, ${requests.cacheRead} cached, failed ${requests.failed}`,
    );
    expect(requests.failed).toBeGreaterThan(0);
    expect(requests.cacheRead).toBeGreaterThan(0);
  });

  it("cost, cost at the default model, by model, by hour", async () => {
    const { cost, models } = await client.get("summary", "?days=1");
    const spent = seen.reduce((sum, request) => sum + usdOf(request, priceOf(request)), 0);
    const atDefault = seen.reduce(
      (sum, request) => sum + usdOf(request, PRICES["cloud/main"] as PricePerMillion),
      0,
    );
    expect(cost.defaultModel).toEqual({ provider: "cloud", model: "main" });
    expect(cost.unpriced).toBe(0);
    expect(cost.spentUsd).toBeCloseTo(spent, 9);
    expect(cost.ifDefaultUsd).toBeCloseTo(atDefault, 9);
    expect(cost.savedUsd).toBeCloseTo(atDefault - spent, 9);
    console.log(`spent ${spent.toFixed(6)} USD, at the default model ${atDefault.toFixed(6)} USD`);
    const groups = Map.groupBy(seen, (request) => `${request.provider}/${request.model}`);
    expect(models.map((model) => `${model.provider}/${model.model}`).sort()).toEqual(
      [...groups.keys()].sort(),
    );
    for (const model of models) {
      const group = groups.get(`${model.provider}/${model.model}`) ?? [];
      expect(model, model.model).toMatchObject({
        requests: group.length,
        input: total(group, "input"),
        output: total(group, "output"),
        cacheRead: total(group, "cacheRead"),
      });
      expect(model.usd).toBeCloseTo(
        group.reduce((sum, request) => sum + usdOf(request, priceOf(request)), 0),
        9,
      );
    }
    for (const step of ["hour", "day"]) {
      const hourly = await client.get("hourly", `?days=2&step=${step}`);
      const sum = (field: "requests" | "input" | "output") =>
        hourly.models.reduce((all, point) => all + point[field], 0);
      expect([sum("requests"), sum("input"), sum("output")], step).toEqual([
        seen.length,
        total(seen, "input"),
        total(seen, "output"),
      ]);
      expect(hourly.turns.reduce((all, point) => all + point.byLevel.S3, 0)).toBe(
        count(
          LEVELS,
          [...turnsOf(seen).values()].map((turn) => turn.level),
        ).S3,
      );
    }
  });

  it("sessions and detections, one by one", async () => {
    const logged = turnsOf(seen);
    const { items } = await client.get("sessions", "?limit=200");
    const lanes = items.filter((item) => item.key.includes(":lane-"));
    expect(lanes.reduce((sum, item) => sum + item.turns, 0)).toBe(TURNS);
    const found = new Map<string, { level: string; route: string }>();
    let cursor: string | null = "";
    let pages = 0;
    while (cursor !== null) {
      const page: {
        items: {
          level: string;
          route: string;
          session: string | null;
          said: unknown;
          checkpoint: string;
          id: number;
        }[];
        next: string | null;
      } = await client.get(
        "detections",
        `?checkpoint=onUserMessage&limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      for (const item of page.items) {
        // A private text shows as its placeholder only: what turn it was is asked for as a user would.
        const { text } = await client.post("reveal", { detection: item.id });
        const mark = /turn-\d{4}/.exec(text)?.[0];
        if (mark !== undefined) found.set(mark, { level: item.level, route: item.route });
      }
      cursor = page.next;
      pages += 1;
    }
    expect(pages).toBe(2);
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(logged));
    const facets = await client.get("facets");
    expect(facets.checkpoints.onUserMessage).toBe(TURNS);
    // Tool calls are on the timeline of their turn.
    const tools = await client.get("detections", "?checkpoint=onToolCallProposed&limit=200");
    const asked = seen.filter((request) => request.said.includes("use-tool")).length;
    console.log(`${tools.items.length} tool calls on record, ${asked} requests of tool turns`);
    expect(tools.items.length).toBe(
      [...logged.keys()].filter((mark) => Number(mark.slice(5)) % 7 === 3).length,
    );
  });

  it("the page shows these numbers", async () => {
    const summary = await client.get("summary", "?days=1");
    const browser = await browserType.launch({
      executablePath: await chromium.executablePath(),
      args: chromium.args,
      headless: true,
    });
    try {
      const page = await browser.newPage({ locale: "en-US" });
      await page.goto(await oneTimeLink(gateway));
      await page.waitForSelector("main h1, main h2");
      await expect
        .poll(() => page.locator("main").textContent(), { timeout: 10_000 })
        .toContain(format(summary.turns.total));
      const text = await page.locator("main").textContent();
      for (const value of [
        ...Object.values(summary.turns.byLevel),
        ...Object.values(summary.requests.byRoute),
        summary.requests.total,
      ])
        expect(text, String(value)).toContain(format(value));
    } finally {
      await browser.close();
    }
  });

  it("the same after a SIGKILL: at most a second of counters is lost, and here none is", async () => {
    const before = await client.get("summary", "?days=1");
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await gateway.kill("SIGKILL");
    await gateway.start();
    const after = await client.get("summary", "?days=1");
    expect(after.turns).toEqual(before.turns);
    expect(after.requests).toEqual(before.requests);
    expect(after.cost).toEqual(before.cost);
  });
});

function priceOf({ provider, model }: Seen): PricePerMillion {
  const price = PRICES[`${provider}/${model}`];
  if (price === undefined) throw new Error(`no price of ${provider}/${model}`);
  return price;
}

function format(value: number): string {
  return new Intl.NumberFormat("en-US").format(value);
}

/** Resolves when no model has been asked for a while: titles and recaps come after their turn. */
async function quiet(gateway: Gateway): Promise<void> {
  const requests = () =>
    Object.values(gateway.models).reduce((sum, server) => sum + server.requests.length, 0);
  for (let last = -1; last !== requests(); ) {
    last = requests();
    await new Promise((resolve) => setTimeout(resolve, 4_000));
  }
}
