/**
 * bench:dashboard — a million recorded events: how long overview and search take over HTTP, how long the event loop is
 * held, what memory does, what a SIGKILL costs. Each figure against its goal.
 *
 *   node bench/dashboard.ts [--events 1000000]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { longestStretch } from "../packages/clawxrouter/src/egress/testing/longest-stretch.ts";
import { Engine } from "../packages/clawxrouter/src/engine/engine.ts";
import { issueCode } from "../packages/clawxrouter/src/web/auth/one-time.ts";
import { Assets } from "../packages/clawxrouter/src/web/http/assets.ts";
import { API_PATH } from "../packages/clawxrouter/src/web/routes.ts";
import { DashboardServer } from "../packages/clawxrouter/src/web/server.ts";
import { decisionAt, fill, numbers, requestAt } from "./dashboard/fill.ts";
import { atMost, type Check, printVerdict } from "./verdict.ts";

const checks: Check[] = [];
function check(what: string, value: number, goal: number, unit: string): void {
  checks.push(atMost(what, value, goal, unit));
}
const say = (line: string) => console.log(`      ${line}`);

const flag = process.argv.indexOf("--events");
const EVENTS = flag >= 0 ? Number(process.argv[flag + 1]) : 1_000_000;
const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-bench-dashboard-"));
console.log(
  `${EVENTS} events, Node ${process.version}, ${os.cpus().length} cores, load ${os
    .loadavg()
    .map((n) => n.toFixed(2))
    .join(" ")}`,
);

try {
  await reading();
  await killing();
} finally {
  rmSync(dir, { recursive: true, force: true });
}
printVerdict(checks);

async function reading(): Promise<void> {
  writeFileSync(path.join(dir, "clawxrouter.json"), JSON.stringify({ privacy: { enabled: true } }));
  const silent = { info: () => {}, warn: () => {}, error: (line: string) => say(line) };
  const engine = new Engine({
    stateDir: dir,
    log: silent,
    hostConfig: () => ({
      models: {
        providers: {
          cloud: {
            baseUrl: "https://cloud.invalid/v1",
            api: "openai-completions",
            models: [{ id: "glm-4.5-air", cost: { input: 1, output: 2 } }],
          },
        },
      },
      agents: { defaults: { model: { primary: "cloud/glm-4.5-air" } } },
    }),
  });
  const { retentionDays, maxEvents } = engine.config().dashboard;
  say(`retention as shipped: ${retentionDays} days, ${maxEvents} detections and ${maxEvents} requests`);
  check("retention is on by default", retentionDays > 0 && maxEvents <= 20_000_000 ? 0 : 1, 0, "");
  // As in a gateway, but for what it has no need of here: proxy, guard and watches.
  (engine as unknown as { running: boolean }).running = true;
  const ledger = engine.ledger();
  const fillMs = await fill(ledger, EVENTS, say);
  say(`written in ${(fillMs / 1_000).toFixed(1)} s: ${((fillMs * 1_000) / EVENTS).toFixed(1)} µs an event`);

  const server = new DashboardServer({
    engine,
    assets: new Assets(dir),
    mutateHost: () => Promise.reject(new Error("no host")),
    version: "bench",
  });
  const listener = createServer((request, response) => void server.handle(request, response));
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const signed = await fetch(`${origin}${API_PATH}sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", origin },
    body: JSON.stringify({ code: issueCode(engine.dataDir) }),
  });
  const cookie = signed.headers.get("set-cookie")?.split(";")[0] ?? "";
  const get = async (route: string) => {
    const started = performance.now();
    const response = await fetch(`${origin}${API_PATH}${route}`, { headers: { cookie } });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${route}: ${response.status} ${text}`);
    return { ms: performance.now() - started, json: JSON.parse(text) as { items?: unknown[] } };
  };

  // The index is made in the background; a search answers meanwhile, from what is in.
  await get("detections?text=ticket0");
  const indexing = performance.now();
  const newest = EVENTS - 1 - ((EVENTS - 1) % 10 > 5 ? ((EVENTS - 1) % 10) - 5 : 0);
  while ((await get(`detections?text=ticket${newest}`)).json.items?.length !== 1)
    await new Promise((resolve) => setTimeout(resolve, 500));
  say(
    `search index made from nothing in ${((performance.now() - indexing) / 1_000).toFixed(0)} s, in the background`,
  );
  const size = (file: string) => (statSync(path.join(engine.dataDir, file)).size / 1_048_576).toFixed(0);
  say(`on disk: ledger ${size("ledger.sqlite")} MB, index ${size("ledger.sqlite-index")} MB`);

  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const control = controlThread();
  /** Runs `work` and says how long the event loop was held by it. */
  const held = async (what: string, work: () => Promise<void>) => {
    delay.reset();
    await control.reset();
    const cpuMs = await longestStretch(work);
    say(
      `wall clock between two turns: at most ${(delay.max / 1e6 - 1).toFixed(1)} ms; in a thread beside that does nothing: ${(await control.max()).toFixed(1)} ms`,
    );
    check(`event loop held by ${what}, longest (CPU)`, cpuMs, 50, "ms");
  };
  const measure = async (what: string, routes: readonly string[], rounds: number, goal: number) => {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const route of routes) times.push((await get(route)).ms);
    times.sort((a, b) => a - b);
    const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
    say(`${what}: ${times.length} questions, p50 ${at(0.5).toFixed(1)} ms, p95 ${at(0.95).toFixed(1)} ms`);
    check(`${what}, slowest`, times.at(-1) ?? 0, goal, "ms");
  };
  const OVERVIEW = [
    "summary?days=1",
    "summary?days=7",
    "summary?days=30",
    "summary?days=90",
    "hourly?days=1",
    "hourly?days=30",
    "hourly?days=31&step=hour",
    "hourly?days=90&step=day",
  ];
  const words = [
    "report",
    "quarterly report",
    "ticket123456",
    "tick",
    "数据库",
    "客户",
    "合同金额需要确认",
    "库",
    "phone",
    "nothing-like-that",
    "report 数据库 renewal",
    "session",
  ];
  const SEARCH = [
    ...words.map((word) => `detections?text=${encodeURIComponent(word)}`),
    "detections",
    "detections?level=S3",
    "detections?level=S3&checkpoint=onToolCallExecuted",
    "detections?rule=user/keyword",
    "detections?level=S3&rule=credentials/aws-access-key-id&text=budget",
    "detections?level=S1&rule=contact/email",
    `detections?text=report&cursor=${Math.floor(EVENTS / 20)}`,
    "detections?session=agent:main:session-77&level=S2",
    `detections?from=${Date.now() - 50 * 86_400_000}&to=${Date.now() - 49 * 86_400_000}&text=invoice`,
    "detections/facets",
    "sessions",
    "sessions?text=session-39",
    "session-detections?key=agent:main:session-77",
    "requests",
  ];
  await measure("overview", OVERVIEW, 12, 200);
  await measure("search", SEARCH, 6, 500);
  const ask = async (rounds: number) => {
    for (let round = 0; round < rounds; round += 1)
      for (const route of [...OVERVIEW, ...SEARCH]) await get(route);
  };
  // Apart from the times above: to look at every turn of the event loop keeps a core busy.
  await held("reading", () => ask(3));

  const random = numbers(7);
  const before = memory();
  let n = EVENTS;
  const write = setInterval(() => {
    for (let i = 0; i < 8; i += 1) {
      ledger.decision(decisionAt(n, Date.now(), random));
      for (const event of requestAt(n++, Date.now(), random)) ledger.egress(event, `run-${n}`);
    }
  }, 20);
  await measure("overview while 800 events/s are written", OVERVIEW, 25, 200);
  await measure("search while 800 events/s are written", SEARCH, 12, 500);
  await held("reading and writing", () => ask(4));
  clearInterval(write);
  check("memory growth over it (RSS)", memory() - before, 60, "MB");

  const old = Date.now() - 200 * 86_400_000;
  for (let i = 0; i < 20_000; i += 1) {
    ledger.decision(decisionAt(n++, old, random));
    if (i % 150 === 0) await new Promise((resolve) => setTimeout(resolve, 30));
  }
  // Looked for every ten minutes; here at once.
  const { retention } = ledger as unknown as { retention: { last: number; due(): void } };
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const full = await countOld(engine.dataDir, old);
  let left = full;
  await held("retention", async () => {
    retention.last = 0;
    retention.due();
    for (let i = 0; i < 90 && left > 0; i += 1) {
      await new Promise((resolve) => setTimeout(resolve, 500));
      left = await countOld(engine.dataDir, old);
    }
  });
  say(`retention: ${full} events of 200 days ago, deleted ${full - left}`);
  check("events past retention still there", full === 20_000 ? left : -1, 0, "");
  delay.disable();
  await control.stop();

  await new Promise((resolve) => listener.close(resolve));
  await server.stop();
  await engine.stop();
}

/** What the machine does to a thread that only waits: the noise of the wall clock. */
function controlThread() {
  const worker = new Worker(
    `const { parentPort } = require("node:worker_threads"); const { monitorEventLoopDelay } = require("node:perf_hooks");
     const delay = monitorEventLoopDelay({ resolution: 1 }); delay.enable();
     parentPort.on("message", (what) => { if (what === "reset") delay.reset(); parentPort.postMessage(delay.max / 1e6 - 1); });`,
    { eval: true },
  );
  const ask = (what: string) =>
    new Promise<number>((resolve) => {
      worker.once("message", resolve);
      worker.postMessage(what);
    });
  return { reset: () => ask("reset"), max: () => ask("max"), stop: () => worker.terminate() };
}

function memory(): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? 0) / 1_024;
}

/** In a process of its own: to count takes time that would be taken for the ledger's. */
async function countOld(dataDir: string, at: number): Promise<number> {
  const code = `const { DatabaseSync } = require("node:sqlite"); const db = new DatabaseSync(process.argv[1], { readOnly: true });
    console.log(db.prepare("SELECT count(*) AS n FROM decisions WHERE at <= ?").get(Number(process.argv[2])).n)`;
  const child = spawn(process.execPath, ["-e", code, path.join(dataDir, "ledger.sqlite"), String(at)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => {
    text += chunk.toString();
  });
  await new Promise((resolve) => child.once("close", resolve));
  return Number(text);
}

/** Kills a writing process ten times; what it had told more than a second before must be there. */
async function killing(): Promise<void> {
  const random = numbers(3);
  let lostMs = 0;
  let lostEvents = 0;
  for (let round = 0; round < 10; round += 1) {
    const file = path.join(dir, `kill-${round}.sqlite`);
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL("./dashboard/writer.ts", import.meta.url)), file],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    let told = "";
    child.stdout.on("data", (chunk: Buffer) => {
      told += chunk.toString();
    });
    await new Promise((resolve) => setTimeout(resolve, 2_000 + random() * 2_000));
    child.kill("SIGKILL");
    await new Promise((resolve) => child.once("close", resolve));
    const lines = told
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number));
    const db = new DatabaseSync(file, { readOnly: true });
    const { n } = db.prepare("SELECT count(*) AS n FROM decisions").get() as { n: number };
    const { sum } = db.prepare("SELECT total(n) AS sum FROM hourly").get() as { sum: number };
    db.close();
    if (n !== sum) throw new Error(`rows ${n}, sums ${sum}: a part of a batch was kept`);
    const last = lines.at(-1) ?? [0, 0];
    const kept = lines.findLast(([m = 0]) => m <= n) ?? [0, 0];
    lostEvents = Math.max(lostEvents, (last[0] ?? 0) - n);
    lostMs = Math.max(lostMs, (last[1] ?? 0) - (kept[1] ?? 0));
  }
  say(`10 SIGKILLs at 400 events/s: at most ${lostEvents} events lost`);
  check("counters lost by a SIGKILL, longest time", lostMs, 1_000, "ms");
}
