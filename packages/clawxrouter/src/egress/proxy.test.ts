import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, gzipSync, zstdCompressSync } from "node:zlib";
import { Vault } from "@clawx/shared-security";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createEgressProxy } from "./proxy.ts";
import { DIALECTS, sseEvents } from "./testing/dialects.ts";
import { json, recordingUpstream } from "./testing/recording-upstream.ts";
import { AWS_KEY, type Bench, KEY, PHONE, POLICY, ruleInspector, startBench } from "./testing/setup.ts";
import { PortBusyError } from "./types.ts";

const CHAT = "/v1/chat/completions";
const say = (content: string, more: object = {}) => ({
  model: "m1",
  messages: [{ role: "user", content }],
  ...more,
});
const completion = (content: string) => ({
  id: "c",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
});

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

/** Waits until `ready`, at most two seconds. */
async function until(ready: () => boolean): Promise<void> {
  const end = Date.now() + 2000;
  while (!ready() && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 5));
  expect(ready()).toBe(true);
}

describe("what goes up", () => {
  it("keeps authorization and custom headers, drops those of the connection", async () => {
    await bench.post(CHAT, say("hello"), {
      headers: {
        "x-custom": "kept",
        "anthropic-version": "2023-06-01",
        traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      },
    });
    const [sent] = bench.cloud.requests;
    expect(sent?.headers).toMatchObject({
      authorization: "Bearer upstream-key",
      "x-custom": "kept",
      "anthropic-version": "2023-06-01",
      traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`,
      host: `127.0.0.1:${bench.cloud.port}`,
    });
    expect(sent?.headers.te ?? sent?.headers.upgrade ?? sent?.headers["proxy-authorization"]).toBeUndefined();
    expect(JSON.stringify(sent)).not.toContain(KEY);
  });

  it("drops what the Connection header names", async () => {
    const { port } = bench.proxy;
    const body = JSON.stringify(say("hi"));
    const call = httpRequest({
      port,
      method: "POST",
      path: `/k/${KEY}/p/cloud${CHAT}`,
      headers: {
        "content-type": "application/json",
        connection: "keep-alive, x-hop",
        "x-hop": "1",
        "proxy-authorization": "p",
      },
    });
    call.end(body);
    const [answer] = await once(call, "response");
    answer.resume();
    await once(answer, "end");
    expect(bench.cloud.requests[0]?.headers["x-hop"]).toBeUndefined();
    expect(bench.cloud.requests[0]?.headers["proxy-authorization"]).toBeUndefined();
  });

  it("headers of the configuration win", async () => {
    await bench.close();
    const other = await recordingUpstream();
    bench = await startBench({
      upstreams: () => ({
        cloud: {
          baseUrl: `${other.url}/v1`,
          api: "openai-completions",
          local: false,
          headers: { "X-Org": "mine" },
        },
      }),
    });
    await bench.post(CHAT, say("hi"), { headers: { "x-org": "theirs" } });
    expect(other.requests[0]?.headers["x-org"]).toBe("mine");
    await other.close();
  });

  it("clean bodies keep their meaning", async () => {
    const body = say("nothing private", { temperature: 0.5, stop: ["END"], seed: 123, user: "u1" });
    await bench.post(CHAT, body);
    expect(bench.cloud.requests[0]?.json).toEqual(body);
    expect(bench.cloud.requests[0]?.url).toBe("/v1/chat/completions");
  });

  it("GET of model lists goes through", async () => {
    bench.cloud.answer((_request, response) => json(response, 200, { data: [{ id: "m1" }] }));
    const answer = await fetch(`${bench.base()}/v1/models`, { headers: { authorization: "Bearer k" } });
    expect(await answer.json()).toEqual({ data: [{ id: "m1" }] });
    expect(bench.cloud.requests[0]).toMatchObject({ method: "GET", url: "/v1/models" });
  });
});

describe("what comes back", () => {
  it("429-once: errors pass through once, with status, rate limits and request id", async () => {
    bench.cloud.answer((_request, response) =>
      json(
        response,
        429,
        { error: { message: "slow down" } },
        {
          "retry-after": "7",
          "x-ratelimit-remaining-requests": "0",
          "x-request-id": "req_42",
        },
      ),
    );
    const answer = await bench.post(CHAT, say("hello"));
    expect(answer.status).toBe(429);
    expect(answer.headers.get("retry-after")).toBe("7");
    expect(answer.headers.get("x-ratelimit-remaining-requests")).toBe("0");
    expect(answer.headers.get("x-request-id")).toBe("req_42");
    expect(await answer.json()).toEqual({ error: { message: "slow down" } });
    expect(bench.cloud.requests).toHaveLength(1);
    await until(() => bench.events.length === 2);
    expect(bench.events[1]).toMatchObject({
      kind: "end",
      status: 429,
      outcome: "http-error",
      upstreamRequestId: "req_42",
    });
  });

  it.each([400, 401, 403, 404, 500, 503, 529])("status %i passes through", async (status) => {
    bench.cloud.answer((_request, response) => json(response, status, { error: { code: status } }));
    const answer = await bench.post(CHAT, say("hello"));
    expect([answer.status, await answer.json()]).toEqual([status, { error: { code: status } }]);
    expect(bench.cloud.requests).toHaveLength(1);
  });

  it("restores placeholders that an error message quotes", async () => {
    bench.cloud.answer((request, response) => {
      const token = /\[REDACTED:\w+\]/.exec(request.body)?.[0] ?? "";
      json(response, 400, { error: { message: `bad number ${token}` } });
    });
    const answer = await bench.post(CHAT, say(`call ${PHONE}`));
    expect(await answer.json()).toEqual({ error: { message: `bad number ${PHONE}` } });
  });

  it.each([
    ["gzip", gzipSync],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
  ] as const)("decodes %s, whole and streamed", async (encoding, compress) => {
    bench.cloud.answer((request, response) => {
      const token = /\[REDACTED:\w+\]/.exec(request.body)?.[0] ?? "";
      const stream = request.json.stream === true;
      const text = stream
        ? DIALECTS[0]?.stream([token.slice(0, 5), token.slice(5)], ["{}"])
        : JSON.stringify(completion(token));
      response.writeHead(200, {
        "content-type": stream ? "text/event-stream" : "application/json",
        "content-encoding": encoding,
      });
      response.end(compress(Buffer.from(text ?? "")));
    });
    const headers = { "accept-encoding": `${encoding}, identity` };
    const whole = await bench.post(CHAT, say(`call ${PHONE}`), { headers });
    expect(whole.headers.get("content-encoding")).toBeNull();
    expect(await whole.json()).toEqual(completion(PHONE));
    const streamed = await bench.post(CHAT, say(`call ${PHONE}`, { stream: true }), { headers });
    expect(DIALECTS[0]?.assemble(await streamed.text()).text).toBe(PHONE);
    expect(bench.cloud.requests[0]?.headers["accept-encoding"]).toBe(encoding);
  });

  it("a broken compressed answer is cut, not passed off as whole", async () => {
    bench.cloud.answer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", "content-encoding": "gzip" });
      response.end(gzipSync(Buffer.from("data: {}\n\n")).subarray(0, 15));
    });
    const answer = await bench.post(CHAT, say("x", { stream: true }), {
      headers: { "accept-encoding": "gzip" },
    });
    await expect(answer.text()).rejects.toThrow();
    await until(() =>
      bench.events.some((event) => event.kind === "end" && event.outcome === "network-error"),
    );
  });

  it("asks for no encoding that the caller did not want", async () => {
    await bench.post(CHAT, say("x"), { headers: { "accept-encoding": "gzip;q=0, deflate" } });
    expect(bench.cloud.requests[0]?.headers["accept-encoding"]).toBe("deflate");
  });

  it("never follows a redirect, nor shows it", async () => {
    const evil = await recordingUpstream();
    bench.cloud.answer((_request, response) => {
      response.writeHead(307, { location: `${evil.url}/v1/chat/completions` }).end();
    });
    const answer = await bench.post(CHAT, say("x"));
    expect(answer.status).toBe(400);
    expect(answer.headers.get("location")).toBeNull();
    expect(evil.requests).toHaveLength(0);
    await evil.close();
  });

  it("stream-tool-calls: a whole answer to a streaming request becomes a stream, tool calls kept", async () => {
    for (const dialect of DIALECTS.filter(({ protocol }) => protocol.framing === "sse")) {
      bench.cloud.answer((_request, response) => json(response, 200, dialect.whole("words", '{"a":1}')));
      const answer = await bench.post(dialect.path, dialect.request("hi", true));
      expect(answer.headers.get("content-type")).toContain("text/event-stream");
      expect(dialect.assemble(await answer.text()), dialect.protocol.id).toEqual({
        text: "words",
        args: { a: 1 },
      });
    }
  });

  it.each(["application/json", "text/plain", ""])(
    "a stream under the name %s is still a stream",
    async (type) => {
      for (const dialect of DIALECTS.filter(({ protocol }) => protocol.framing === "sse")) {
        bench.cloud.answer(async (request, response) => {
          const token = /\[REDACTED:\w+\]/.exec(request.body)?.[0] ?? "";
          const wire = dialect.stream([token.slice(0, 6), token.slice(6)], [JSON.stringify({ to: token })]);
          response.writeHead(200, type === "" ? {} : { "content-type": type });
          response.write(wire.slice(0, 40));
          await new Promise((resolve) => setTimeout(resolve, 10));
          response.end(wire.slice(40));
        });
        const answer = await bench.post(dialect.path, dialect.request(`call ${PHONE}`, true));
        expect(dialect.assemble(await answer.text())).toEqual({ text: PHONE, args: { to: PHONE } });
      }
    },
  );

  it("an empty answer to a streaming request stays one", async () => {
    bench.cloud.answer((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" }).end();
    });
    const answer = await bench.post(CHAT, say("x", { stream: true }));
    expect([answer.status, await answer.text()]).toEqual([200, ""]);
  });

  it("passes pieces on as they come", async () => {
    const release = Promise.withResolvers<void>();
    bench.cloud.answer(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[{"index":0,"delta":{"content":"first"}}]}\n\n');
      await release.promise;
      response.end("data: [DONE]\n\n");
    });
    const answer = await bench.post(CHAT, say(`call ${PHONE}`, { stream: true }));
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toContain("first");
    release.resolve();
    let rest = "";
    for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
      rest += new TextDecoder().decode(piece.value);
    }
    expect(rest).toContain("[DONE]");
  });
});

describe("aborts and failures", () => {
  it("a caller that hangs up ends the upstream's work", async () => {
    bench.cloud.answer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: {}\n\n");
    });
    const abort = new AbortController();
    const answer = await bench.post(CHAT, say("x", { stream: true }), { signal: abort.signal });
    await answer.body?.getReader().read();
    abort.abort();
    await until(() => bench.cloud.aborted() === 1);
    await until(() => bench.events.some((event) => event.kind === "end" && event.outcome === "client-abort"));
    await until(() => bench.proxy.inFlight() === 0);
  });

  it("a caller that hangs up before the answer ends it, too", async () => {
    bench.cloud.answer(() => undefined);
    const abort = new AbortController();
    const call = bench.post(CHAT, say("x"), { signal: abort.signal });
    await until(() => bench.cloud.requests.length === 1);
    abort.abort();
    await expect(call).rejects.toThrow();
    await until(() => bench.cloud.aborted() === 1);
  });

  it("an upstream that breaks off is seen as broken off", async () => {
    bench.cloud.answer(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write('data: {"choices":[]}\n\n');
      await new Promise((resolve) => setTimeout(resolve, 20));
      response.destroy();
    });
    const answer = await bench.post(CHAT, say("x", { stream: true }));
    await expect(answer.text()).rejects.toThrow();
    await until(() =>
      bench.events.some((event) => event.kind === "end" && event.outcome === "network-error"),
    );
  });

  it("an unreachable cloud is a 502 with a clear message", async () => {
    await bench.close();
    bench = await startBench({
      upstreams: () => ({
        cloud: { baseUrl: "http://127.0.0.1:9/v1", api: "openai-completions", local: false },
      }),
    });
    const answer = await bench.post(CHAT, say("x"));
    expect(answer.status).toBe(502);
    expect(await answer.text()).toMatch(/could not be reached/);
  });

  it("holds the upstream back while the caller does not read", async () => {
    let written = 0;
    bench.cloud.answer(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const block = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(64 * 1024) } }] })}\n\n`;
      const closed = once(response, "close");
      for (let i = 0; i < 2000 && !response.destroyed; i += 1) {
        written += block.length;
        if (!response.write(block)) await Promise.race([once(response, "drain"), closed]);
      }
      response.end();
    });
    const abort = new AbortController();
    await bench.post(CHAT, say(`call ${PHONE}`, { stream: true }), { signal: abort.signal });
    await new Promise((resolve) => setTimeout(resolve, 400));
    // 130 MB wait to be sent; only what buffers hold has left.
    expect(written).toBeLessThan(30 * 1024 * 1024);
    abort.abort();
    await until(() => bench.proxy.inFlight() === 0);
  });

  it("a body over the cap is refused, announced or not", async () => {
    await bench.close();
    bench = await startBench({ policy: () => ({ ...POLICY, maxBodyBytes: 1000 }) });
    const announced = await bench.post(CHAT, say("x".repeat(2000)));
    expect(announced.status).toBe(413);
    const chunked = await fetch(bench.base() + CHAT, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Blob([JSON.stringify(say("x".repeat(2000)))]).stream(),
      duplex: "half",
    });
    expect(chunked.status).toBe(413);
    expect(bench.cloud.requests).toHaveLength(0);
  });
});

describe("refusals are completions", () => {
  const blocked = {
    inspect: { version: () => "1", inspect: () => Promise.reject(new Error(`saw ${PHONE}`)) },
  };

  it.each(DIALECTS.map((dialect) => [dialect.protocol.id, dialect] as const))("%s", async (_id, dialect) => {
    await bench.close();
    bench = await startBench(blocked);
    const streamed = await bench.post(dialect.path, dialect.request(`call ${PHONE}`, true), {
      headers: { "x-stainless-lang": "js" },
    });
    expect(streamed.status).toBe(200);
    const wire = await streamed.text();
    const text =
      dialect.protocol.id === "openai-responses"
        ? sseEvents(wire)
            .map((event) => (event.type === "response.output_text.delta" ? event.delta : ""))
            .join("")
        : dialect.assemble(wire).text;
    expect(text).toContain("隐私检测未能完成");
    expect(text).toContain("Privacy detection did not finish");
    expect(wire).not.toContain(PHONE);
    if (dialect.protocol.id !== "google") {
      const whole = await bench.post(dialect.path, dialect.request("x", false));
      expect(dialect.read(JSON.parse(await whole.text())).text).toContain("Privacy detection did not finish");
    }
    expect(bench.cloud.requests).toHaveLength(0);
    expect(bench.events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ kind: "refused", code: "inspect-failed", status: 200 }),
      ]),
    );
    expect(JSON.stringify(bench.events)).not.toContain(PHONE);
  });

  it("a vault that cannot be written says why, and sends nothing", async () => {
    await bench.close();
    const full = Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR" });
    const vault = new Vault({
      onChange: () => {
        throw full;
      },
    });
    bench = await startBench({ vault });
    const answer = await (await bench.post(CHAT, say(`call ${PHONE}`))).text();
    expect(answer).toContain("database or disk is full");
    expect(answer).toContain("inspect-failed");
    expect(bench.cloud.requests).toHaveLength(0);
  });

  it("embeddings are refused with an error that is not repeated", async () => {
    await bench.close();
    bench = await startBench(blocked);
    const answer = await bench.post("/v1/embeddings", { model: "e", input: ["x"] });
    expect(answer.status).toBe(400);
    expect(bench.cloud.requests).toHaveLength(0);
  });

  it("closed traffic says why", async () => {
    await bench.close();
    bench = await startBench({ closedBecause: () => "conversation access is not granted" });
    const answer = await bench.post(CHAT, say("hello"));
    expect(await answer.text()).toContain("conversation access is not granted");
    expect(bench.cloud.requests).toHaveLength(0);
  });

  it("policies s2 and s3 can block", async () => {
    await bench.close();
    bench = await startBench({ policy: () => ({ ...POLICY, s2: "block", s3: "block" }) });
    for (const [text, code] of [
      [PHONE, "policy-s2"],
      [AWS_KEY, "policy-s3"],
    ] as const) {
      const answer = await bench.post(CHAT, say(`here: ${text}`));
      expect(await answer.text()).toContain(code);
    }
    expect(bench.cloud.requests).toHaveLength(0);
  });
});

it("a provider whose address is the proxy's own is refused, not called without end", async () => {
  const self = `${bench.base()}/v1`;
  await bench.close();
  bench = await startBench({
    upstreams: () => ({ cloud: { baseUrl: self, api: "openai-completions", local: false } }),
  });
  expect((await bench.post(CHAT, say("x"))).status).toBe(400);
});

describe("life", () => {
  it("says which port is taken and what to do", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address: AddressInfo | string | null = server.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const options = {
      port,
      installKey: KEY,
      upstreams: () => ({}),
      inspect: ruleInspector(),
      vault: bench.vault,
      policy: () => POLICY,
    };
    await expect(createEgressProxy(options)).rejects.toThrow(PortBusyError);
    await expect(createEgressProxy(options)).rejects.toThrow(/openclaw clawxrouter setup/);
    server.close();
  });

  it("close ends streams and frees the port", async () => {
    bench.cloud.answer((_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write("data: {}\n\n");
    });
    const answer = await bench.post(CHAT, say("x", { stream: true }));
    const { port } = bench.proxy;
    await bench.proxy.close(50);
    await expect(answer.text()).rejects.toThrow();
    const again = await createEgressProxy({
      port,
      installKey: KEY,
      upstreams: () => ({}),
      inspect: ruleInspector(),
      vault: bench.vault,
      policy: () => POLICY,
    });
    expect(again.port).toBe(port);
    await again.close(0);
  });

  it("a listener that throws harms nobody", async () => {
    await bench.close();
    bench = await startBench({
      onEvent: () => {
        throw new Error("listener");
      },
    });
    bench.cloud.answer((_request, response) => json(response, 200, completion("ok")));
    expect((await bench.post(CHAT, say("x"))).status).toBe(200);
  });
});
