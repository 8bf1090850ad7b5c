/** The vault on disk does not hold up the event loop: not by many new values, not by a lock that somebody else holds. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { Agent, request } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { WatchedVault } from "./testing/watched-vault.ts";

const LIMIT_MS = 50;
/** A machine with other work on it may hold up any process: the best of some tries is the proxy's own. */
const TRIES = 4;

let dir: string;
let file: string;
let child: ChildProcess;
let base = "";
const agent = new Agent({ connections: 1000 });
let numbers = 10_000_000;
const fresh = (): string => {
  numbers += 7;
  return `139${numbers}`;
};

async function told<T>(message?: object): Promise<T> {
  if (message) child.send(message);
  const [answer] = (await once(child, "message")) as [T];
  return answer;
}

async function send(content: string): Promise<{ status: number; text: string }> {
  const { statusCode, body } = await request(`${base}cloud/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ model: "m", messages: [{ role: "user", content }] }),
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
    dispatcher: agent,
  });
  return { status: statusCode, text: await body.text() };
}

beforeAll(async () => {
  dir = mkdtempSync(path.join(tmpdir(), "clawx-loop-"));
  file = path.join(dir, "clawxrouter", "vault.sqlite");
  const script = fileURLToPath(new URL("./testing/watched-vault.ts", import.meta.url));
  child = fork(script, [file], { execArgv: ["--disable-warning=ExperimentalWarning"], stdio: "inherit" });
  ({ base } = await told<{ base: string }>());
  // Rules and code are compiled once in the life of a process, not by an input.
  for (let turn = 0; turn < 3; turn += 1)
    await send(Array.from({ length: 200 }, () => `warm up, call ${fresh()}`).join("\n"));
  await Promise.all(Array.from({ length: 100 }, () => send(`warm up, call ${fresh()}`)));
}, 60_000);
afterAll(async () => {
  child.kill();
  await agent.close();
  rmSync(dir, { recursive: true, force: true });
});

const worst = (seen: WatchedVault | undefined): number => seen?.stretchMs ?? Number.POSITIVE_INFINITY;

async function watch(work: () => Promise<void>): Promise<WatchedVault> {
  let best: WatchedVault | undefined;
  for (let tries = 0; tries < TRIES && worst(best) >= LIMIT_MS; tries += 1) {
    await told({ watch: true });
    await work();
    const seen = await told<WatchedVault>({ told: true });
    expect(seen.leaks).toBe(0);
    if (worst(seen) < worst(best)) best = seen;
  }
  if (best === undefined) throw new Error("not one try");
  console.log(
    `${expect.getState().currentTestName}: ${best.delayMs.toFixed(0)} ms, CPU ${best.stretchMs.toFixed(0)} ms, ${best.requests} requests, ${best.values} values`,
  );
  expect(best.stretchMs).toBeLessThan(LIMIT_MS);
  return best;
}

it.each([
  ["on a line each", "\n"],
  ["in one line", ", call "],
])(
  "2,000 new values in one request, %s",
  async (_name, between) => {
    await watch(async () => {
      const { status } = await send(Array.from({ length: 2000 }, fresh).join(between));
      expect(status).toBe(200);
    });
  },
  120_000,
);

it("2,000 messages with a new value each", async () => {
  await watch(async () => {
    const messages = Array.from({ length: 2000 }, (_, i) => ({
      role: "user",
      content: `note ${i}: call ${fresh()}`,
    }));
    const { statusCode, body } = await request(`${base}cloud/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model: "m", messages }),
      dispatcher: agent,
    });
    await body.dump();
    expect(statusCode).toBe(200);
  });
}, 120_000);

it("1,000 requests at once with a new value each", async () => {
  await watch(async () => {
    const answers = await Promise.all(Array.from({ length: 1000 }, () => send(`my number is ${fresh()}`)));
    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
  });
}, 120_000);

it("a vault that another process has locked: nobody waits for it, and nothing goes out in clear", async () => {
  const other = new DatabaseSync(file, { timeout: 5_000 });
  try {
    const before = (await told<WatchedVault>({ told: true })).values;
    const numbers: string[] = [];
    const seen = await watch(async () => {
      other.exec("BEGIN IMMEDIATE");
      const mine = Array.from({ length: 20 }, fresh);
      numbers.push(...mine);
      const answers = await Promise.all(mine.map((number) => send(`my number is ${number}`)));
      // Each is answered with its own value restored, lock or no lock.
      expect(answers.map(({ text }) => /139\d{8}/.exec(text)?.[0])).toEqual(mine);
      other.exec("COMMIT");
    });
    expect(seen.requests).toBe(20);
    // A wait for the lock takes no CPU. Twenty of them one after the other would take much longer than this.
    expect(seen.delayMs).toBeLessThan(1_000);
    // What was kept meanwhile is in the vault once the lock is gone.
    await expect
      .poll(async () => (await told<WatchedVault>({ told: true })).values, { timeout: 5_000 })
      .toBe(before + numbers.length);
  } finally {
    other.close();
  }
}, 60_000);
