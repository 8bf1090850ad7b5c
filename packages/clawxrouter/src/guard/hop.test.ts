import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { request } from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { json } from "../egress/testing/recording-upstream.ts";
import { type Bench, PHONE, startBench } from "../egress/testing/setup.ts";
import { currentTrace } from "../engine/trace-scope.ts";
import { TraceSessions } from "../engine/trace-sessions.ts";
import { startHop } from "./hop.ts";

const SCOPE = Symbol.for("openclaw.diagnosticTraceScope.state.v1");
/** The host's scope, as 2026.9.6 keeps it. */
const storage = new AsyncLocalStorage<{ traceId: string; spanId: string }>();
const trace = (digit: string, span = digit) => ({ traceId: digit.repeat(32), spanId: span.repeat(16) });

let bench: Bench;
let traces: TraceSessions;
let stop: () => void;
let disk: Map<string, string>;
beforeEach(async () => {
  Reflect.set(globalThis, SCOPE, { marker: SCOPE, storage });
  disk = new Map();
  traces = new TraceSessions(() => ({
    rememberTrace: (id, session) => void disk.set(id, session),
    sessionOfTrace: (id) => disk.get(id),
  }));
  bench = await startBench({ sessionOf: (hint) => traces.sessionOf(hint) });
  bench.cloud.answer((_request, response) => json(response, 200, { choices: [] }));
  stop = startHop({ proxyOrigin: () => `http://127.0.0.1:${bench.proxy.port}`, trace: currentTrace });
});
afterEach(async () => {
  stop();
  Reflect.deleteProperty(globalThis, SCOPE);
  await bench.close();
});

const body = JSON.stringify({ model: "m", input: [`search for: call ${PHONE}`] });
const headers = { "content-type": "application/json" };
const CLIENTS = {
  fetch: async (more: Record<string, string> = {}) => {
    await (
      await fetch(`${bench.base()}/v1/embeddings`, {
        method: "POST",
        headers: { ...headers, ...more },
        body,
      })
    ).text();
  },
  undici: async (more: Record<string, string> = {}) => {
    const answer = await request(`${bench.base()}/v1/embeddings`, {
      method: "POST",
      headers: { ...headers, ...more },
      body,
    });
    await answer.body.dump();
  },
};
const sessions = () => bench.events.filter((event) => event.kind === "forward").map(({ session }) => session);

it("a trace that cannot be read keeps no request from going, and ends nothing", async () => {
  const uncaught: unknown[] = [];
  const listen = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", listen);
  const fail = (): never => {
    throw new Error("broken");
  };
  const others = [
    startHop({ proxyOrigin: fail, trace: currentTrace }),
    startHop({ proxyOrigin: () => `http://127.0.0.1:${bench.proxy.port}`, trace: fail }),
  ];
  for (const call of Object.values(CLIENTS)) await call();
  for (const end of others) end();
  await sleep(20);
  process.off("uncaughtException", listen);
  expect(uncaught).toEqual([]);
  expect(bench.cloud.requests).toHaveLength(2);
});

describe.each(Object.entries(CLIENTS))(
  "an embedding, which has no header of a conversation, by %s",
  (_, call) => {
    it("gets the one of the turn that it was made in, however late", async () => {
      await storage.run(trace("a"), async () => {
        traces.note("agent:main:a", storage.getStore());
        await call();
        // A search that goes on when the hook has returned.
        await sleep(20);
        await call();
      });
      await storage.run(trace("b"), async () => {
        traces.note("agent:main:b", storage.getStore());
        await call();
      });
      await call();
      await storage.run(trace("c"), () => call());
      expect(sessions()).toEqual(["agent:main:a", "agent:main:a", "agent:main:b", undefined, undefined]);
      for (const { headers: sent } of bench.cloud.requests)
        expect(JSON.stringify(sent)).not.toContain("clawxrouter");
    });

    it("is told apart by its span where a subagent shares the trace of its parent", async () => {
      await storage.run(trace("a", "1"), async () => {
        traces.note("agent:main:a", storage.getStore());
        await storage.run(trace("a", "2"), async () => {
          traces.note("agent:main:subagent:x", storage.getStore());
          await call();
        });
        await call();
      });
      expect(sessions()).toEqual(["agent:main:subagent:x", "agent:main:a"]);
    });

    it("keeps the header that the host gave a call", async () => {
      traces.note("agent:main:b", trace("b"));
      await storage.run(trace("a"), async () => {
        traces.note("agent:main:a", storage.getStore());
        await call({ traceparent: `00-${"b".repeat(32)}-${"b".repeat(16)}-01` });
      });
      expect(sessions()).toEqual(["agent:main:b"]);
    });
  },
);

it("a model call whose traceparent another tracer has put its own ids into is told by its context", async () => {
  await storage.run(trace("a"), async () => {
    traces.note("agent:main:a", storage.getStore());
    const traceparent = `00-${"9".repeat(32)}-${"9".repeat(16)}-01`;
    const messages = [{ role: "user", content: "hello" }];
    await (
      await fetch(`${bench.base()}/v1/chat/completions`, {
        method: "POST",
        headers: { ...headers, traceparent },
        body: JSON.stringify({ model: "m", messages }),
      })
    ).text();
  });
  expect(sessions()).toEqual(["agent:main:a"]);
});

it("a title or a recap does not get the conversation in whose context the host's queue happens to run", async () => {
  await storage.run(trace("a"), async () => {
    traces.note("agent:main:a", storage.getStore());
    const messages = [{ role: "user", content: "Title of [REDACTED:PHONE_1]" }];
    await (
      await fetch(`${bench.base()}/v1/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({ model: "m", messages }),
      })
    ).text();
  });
  expect(sessions()).toEqual([undefined]);
});

it("nobody else's requests are touched, and a strange scope breaks nothing", async () => {
  const other = await startBench();
  await storage.run(trace("a"), async () => {
    await (await fetch(`${other.base()}/v1/embeddings`, { method: "POST", headers, body })).text();
  });
  expect(JSON.stringify(other.cloud.requests[0]?.headers)).not.toContain("x-clawxrouter");
  await other.close();
  for (const scope of [
    null,
    {},
    { storage: {} },
    { storage: { getStore: () => "x" } },
    { storage: { getStore: () => ({ traceId: "A\r\nb: c" }) } },
  ]) {
    Reflect.set(globalThis, SCOPE, scope);
    expect(currentTrace()).toBeUndefined();
    await CLIENTS.fetch();
  }
  expect(sessions()).toEqual(Array.from({ length: 5 }, () => undefined));
});

it("what is known on disk is not written again, and is found by another process", () => {
  let writes = 0;
  const store = {
    rememberTrace: (id: string, session: string) => {
      writes += 1;
      disk.set(id, session);
    },
    sessionOfTrace: (id: string) => disk.get(id),
  };
  const first = new TraceSessions(() => store);
  for (let i = 0; i < 5; i += 1) first.note("agent:main:a", trace("a"));
  expect(writes).toBe(1);
  expect(new TraceSessions(() => store).sessionOf({ traceId: "a".repeat(32), spanId: undefined })).toBe(
    "agent:main:a",
  );
});
