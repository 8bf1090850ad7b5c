/** Streams as one browser sees them: what is told, when they end, and where they go on. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { API_PATH } from "../routes.ts";
import { type Served, serveDashboard } from "../testing/serve.ts";

let served: Served;
beforeAll(async () => {
  served = await serveDashboard();
}, 60_000);
afterAll(async () => {
  await served?.close();
});
beforeEach(async () => {
  expect((await served.signIn()).status).toBe(200);
});

const decide = (text: string, runId: string) =>
  served.engine.router.decide({
    runId,
    sessionKey: "agent:main:a",
    agentId: "main",
    prompt: text,
    currentModel: {},
  });

/** Reads a stream until `until`, the end of it, or ten seconds. */
async function listen(
  query: string,
  until: (text: string) => boolean,
): Promise<{ text: string; ended: boolean; ids: string[] }> {
  const controller = new AbortController();
  const response = await fetch(`${served.origin}${API_PATH}activity-stream${query}`, {
    headers: served.own(),
    signal: AbortSignal.any([controller.signal, AbortSignal.timeout(10_000)]),
  });
  let text = "";
  let ended = true;
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      if (!until(text)) continue;
      ended = false;
      break;
    }
  } catch {
    // Cut off by the server.
  }
  controller.abort();
  return { text, ended, ids: [...text.matchAll(/^id: (\S+)$/gm)].map((match) => match[1] ?? "") };
}

it("a stream that is cut before anything happened misses nothing when it comes back", async () => {
  const first = await listen("", (text) => text.includes("event: prompts"));
  expect(first.ids).toHaveLength(1);
  await decide("in between", "gap");
  const second = await listen(`?lastEventId=${first.ids[0]}`, (text) => text.includes("in between"));
  expect(second.text).toContain('"resumed":true');
});

it("a place of another ledger, or none at all, begins anew and says so", async () => {
  for (let i = 0; i < 5; i += 1) await decide(`old ${i}`, `old${i}`);
  const { ids } = await listen("", (text) => text.includes("event: prompts"));
  served.engine.resetLedger();
  for (let i = 0; i < 12; i += 1) await decide(`new ${i}`, `new${i}`);
  served.engine.ledger().flush();
  for (const cursor of [ids[0], "5-0", "x", "-1--1", "99999999999999-0-00000000"]) {
    const { text } = await listen(`?lastEventId=${cursor}`, (all) => all.includes("event: reset"));
    expect(text, cursor).toContain('"resumed":false');
    expect(text, cursor).toContain('"reason":"deleted"');
  }
});

it("listeners are told when the ledger is begun anew under them, and go on", async () => {
  let told = false;
  const listening = listen("", (text) => {
    if (!told && text.includes("event: reset")) {
      told = true;
      void decide("afterwards", "renewed");
    }
    return text.includes("afterwards");
  });
  await new Promise((resolve) => setTimeout(resolve, 300));
  served.engine.ledger().renew();
  expect((await listening).text).toContain('"reason":"deleted"');
});

it("a stream ends with its session, however that ends", async () => {
  const listening = listen("", () => false);
  await new Promise((resolve) => setTimeout(resolve, 300));
  // As after a week, or a new token of the gateway: the session is no longer one that is alive.
  const { sessions } = (
    served.dashboard as unknown as { dashboard: { sessions: { kept: { at: number }[] } } }
  ).dashboard;
  for (const entry of sessions.kept) entry.at = 0;
  const { ended, text } = await listening;
  expect(ended).toBe(true);
  expect(text).toContain("event: hello");
  expect(served.dashboard.streams()).toBe(0);
  expect(readFileSync(path.join(served.engine.dataDir, "dashboard-sessions.json"), "utf8")).toContain("hash");
  writeFileSync(path.join(served.engine.dataDir, "dashboard-sessions.json"), "[]");
});
