import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import WebSocket from "ws";
import { LeakSearch } from "../../packages/clawxrouter/src/selftest/search.ts";
import { openaiCompletions } from "./models/openai-completions.ts";
import { ModelServer } from "./models/server.ts";

const VALUE = `canary-${"0123456789".split("").reverse().join("")}-值`;
const search = new LeakSearch([{ name: "canary", values: [VALUE] }]);

/** A recording server that misses a body would let a leak pass: every way to hand one over is tried here. */
describe("what a recording server records", () => {
  let server: ModelServer;
  beforeEach(async () => {
    server = await new ModelServer({ name: "far", protocols: [openaiCompletions] }).start();
  });
  afterEach(() => server.stop());
  const seen = () => server.requests.some((request) => search.find(request).includes("canary"));
  const post = (
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    path = "/v1/chat/completions",
  ) => fetch(server.origin + path, { method: "POST", body, headers });

  it("a body, whatever its path", async () => {
    await post(VALUE, {}, "/some/unknown/path");
    expect(seen()).toBe(true);
  });

  it("a packed body", async () => {
    await post(gzipSync(JSON.stringify({ messages: [{ role: "user", content: VALUE }] })), {
      "content-encoding": "gzip",
    });
    expect(server.everything()).not.toContain(VALUE);
    expect(seen()).toBe(true);
  });

  it("a chunked body whose chunks cut a character in two", async () => {
    const bytes = Buffer.from(VALUE);
    const req = httpRequest(`${server.origin}/v1/chat/completions`, { method: "POST" });
    req.on("error", () => {});
    for (const byte of bytes) {
      req.write(Buffer.from([byte]));
      await sleep(1);
    }
    req.end();
    for (let i = 0; i < 50 && !seen(); i++) await sleep(20);
    expect(server.requests[0]?.body).toBe(VALUE);
  });

  it("a body that was broken off", async () => {
    const req = httpRequest(`${server.origin}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-length": "5000" },
    });
    req.on("error", () => {});
    req.write(VALUE);
    await sleep(50);
    req.destroy();
    for (let i = 0; i < 50 && !seen(); i++) await sleep(20);
    expect(seen()).toBe(true);
  });

  it("a body behind `expect: 100-continue`", async () => {
    const req = httpRequest(`${server.origin}/v1/chat/completions`, {
      method: "POST",
      headers: { expect: "100-continue" },
    });
    req.on("continue", () => req.end(VALUE));
    req.flushHeaders();
    await new Promise((resolve) => req.on("response", resolve));
    expect(seen()).toBe(true);
  });

  it("the address and the headers of a GET", async () => {
    await fetch(`${server.origin}/v1/models?note=${encodeURIComponent(VALUE)}`);
    expect(seen()).toBe(true);
    server.reset();
    await fetch(`${server.origin}/v1/models`, { headers: { "x-note": encodeURIComponent(VALUE) } });
    expect(seen()).toBe(true);
  });

  it("messages of a WebSocket, text and binary", async () => {
    for (const message of [VALUE, Buffer.from(VALUE)]) {
      server.reset();
      const ws = new WebSocket(`${server.origin.replace("http", "ws")}/v1/responses`);
      await new Promise((resolve) => ws.on("open", resolve));
      ws.send(message);
      for (let i = 0; i < 50 && !seen(); i++) await sleep(20);
      expect(seen()).toBe(true);
      ws.terminate();
    }
  });

  it("bytes that are no HTTP", async () => {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`\u0016\u0003 ${VALUE}\r\n\r\n`);
    for (let i = 0; i < 50 && !seen(); i++) await sleep(20);
    expect(seen()).toBe(true);
    socket.destroy();
  });
});
