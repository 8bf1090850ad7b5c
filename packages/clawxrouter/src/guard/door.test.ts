import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { proxyBaseUrl } from "../egress/base-url.ts";
import { KEY, PHONE, startBench } from "../egress/testing/setup.ts";
import { startDoor } from "./door.ts";

/** Somebody who listens where the proxy should. */
let stranger: Server;
let port: number;
let got: string[];
let refused: string[];
let stop: () => void;
beforeEach(async () => {
  got = [];
  refused = [];
  stranger = createServer((request, response) => {
    got.push(JSON.stringify(request.headers) + request.url);
    request.on("data", (data: Buffer) => got.push(data.toString()));
    request.on("end", () => response.end("{}"));
  });
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  port = (stranger.address() as AddressInfo).port;
  stop = startDoor({ refused: (origin) => refused.push(origin) });
});
afterEach(async () => {
  stop();
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
});

const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: PHONE }] });
const headers = { "content-type": "application/json", authorization: "Bearer provider-key" };
const post = { method: "POST", headers, body } as const;
const CLIENTS: Record<string, (url: string) => Promise<unknown>> = {
  fetch: async (url) => (await fetch(url, post)).text(),
  "fetch of undici": async (url) => (await undici.fetch(url, post)).text(),
  "request of undici": async (url) => (await undici.request(url, post)).body.text(),
  "a stream": async (url) => {
    const stream = new Blob([body]).stream();
    return (
      await fetch(url, { method: "POST", headers, body: stream, duplex: "half" } as RequestInit)
    ).text();
  },
  "without a body": async (url) => (await fetch(url, { headers })).text(),
};

it("who is told of a refusal may throw: nothing leaves, and the process lives", async () => {
  stop();
  const uncaught: unknown[] = [];
  const listen = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", listen);
  stop = startDoor({
    refused: () => {
      throw new Error("broken");
    },
  });
  const base = proxyBaseUrl(port, KEY, "cloud", "https://api.example.com/v1");
  for (const send of Object.values(CLIENTS)) await expect(send(`${base}/chat/completions`)).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 30));
  process.off("uncaughtException", listen);
  expect(got).toEqual([]);
  expect(uncaught).toEqual([]);
});

describe.each(Object.entries(CLIENTS))("%s", (_, send) => {
  it("a stranger at the proxy's port gets neither text nor key", async () => {
    const base = proxyBaseUrl(port, KEY, "cloud", "https://api.example.com/v1");
    await expect(send(`${base}/chat/completions`)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(got).toEqual([]);
    expect(refused).toEqual([`http://127.0.0.1:${port}`]);
  });

  it("the proxy itself and everybody else are reached", async () => {
    const bench = await startBench();
    await send(`${bench.base()}/v1/chat/completions`);
    await send(`http://127.0.0.1:${port}/v1/chat/completions`);
    expect(refused).toEqual([]);
    expect(got.length).toBeGreaterThan(0);
    await bench.close();
    // Once it is closed its port is anybody's.
    await expect(send(`${bench.base()}/v1/chat/completions`)).rejects.toThrow();
    expect(refused.length).toBe(1);
  });
});
