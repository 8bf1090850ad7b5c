import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import * as undici from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { proxyBaseUrl } from "../egress/base-url.ts";
import { KEY, PHONE } from "../egress/testing/setup.ts";
import { isOurProxy } from "../engine/probe.ts";
import { startCallerCheck } from "./caller-check.ts";

/** Somebody who listens where the proxy should, and answers whatever he is asked. */
let stranger: Server;
let port: number;
let got: string[];
let refused: string[];
let stop: () => void;
/** A proxy in a process of its own, as the gateway's is for the CLI. */
let child: ChildProcess;
let base: string;
let dir: string;

beforeAll(async () => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-caller-"));
  const script = fileURLToPath(new URL("../egress/testing/watched-vault.ts", import.meta.url));
  child = fork(script, [path.join(dir, "clawxrouter", "vault.sqlite")], {
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  [{ base }] = (await once(child, "message")) as [{ base: string }];
}, 60_000);
afterAll(() => {
  child.kill();
  rmSync(dir, { recursive: true, force: true });
});

beforeEach(async () => {
  got = [];
  refused = [];
  stranger = createServer((_request, response) => response.end('{"data":[]}'));
  stranger.on("connection", (socket: Socket) => socket.on("data", (data) => got.push(data.toString())));
  await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
  port = (stranger.address() as AddressInfo).port;
  stop = startCallerCheck({
    isOurProxy: (at) => isOurProxy(at, KEY),
    refused: (origin) => refused.push(origin),
  });
});
afterEach(async () => {
  stop();
  stranger.closeAllConnections();
  await new Promise((resolve) => stranger.close(resolve));
});

const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: PHONE }] });
const headers = { "content-type": "application/json", authorization: "Bearer provider-key" };
const post = { method: "POST", headers, body } as const;
const CLIENTS: Record<string, (url: string) => Promise<string>> = {
  fetch: async (url) => (await fetch(url, post)).text(),
  "fetch of undici": async (url) => (await undici.fetch(url, post)).text(),
  "request of undici": async (url) => (await undici.request(url, post)).body.text(),
  "a pool of undici": async (url) => {
    const { origin, pathname } = new URL(url);
    const pool = new undici.Pool(origin, { connections: 2, pipelining: 4 });
    const answers = await Promise.all(
      [1, 2, 3].map(async () => (await pool.request({ ...post, path: pathname })).body.text()),
    );
    await pool.close();
    return answers.join("");
  },
  "a stream": async (url) => {
    const stream = new Blob([body]).stream();
    const init = { method: "POST", headers, body: stream, duplex: "half" } as RequestInit;
    return (await fetch(url, init)).text();
  },
};
const told = () => got.join("\n");

describe.each(Object.entries(CLIENTS))("%s", (_, send) => {
  it("writes nothing to a stranger at the proxy's port but the question who he is", async () => {
    const url = proxyBaseUrl(port, KEY, "cloud", "https://api.example.com/v1");
    await expect(send(`${url}/chat/completions`)).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 30));
    for (const secret of [KEY, PHONE, "provider-key"]) expect(told()).not.toContain(secret);
    expect(told()).toContain("/clawxrouter/proof/");
    expect(refused).toContain(`http://127.0.0.1:${port}`);
  });

  it("reaches the proxy of another process, and everybody else as before", async () => {
    expect(await send(`${base}cloud/v1/chat/completions`)).toContain(PHONE);
    await send(`http://127.0.0.1:${port}/v1/embeddings`);
    expect(told()).not.toContain("/clawxrouter/proof/");
    expect(refused).toEqual([]);
  });
});

it("a connection that was there before is not used for the proxy either", async () => {
  const pool = new undici.Pool(`http://127.0.0.1:${port}`, { connections: 1 });
  await (await pool.request({ path: "/v1/models", method: "GET" })).body.text();
  await expect(pool.request({ ...post, path: `/k/${KEY}/p/cloud/v1/embeddings` })).rejects.toThrow();
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(told()).not.toContain(KEY);
  expect(told()).not.toContain(PHONE);
  await pool.destroy();
});

it("a proof that a stranger has fetched from the proxy is none at his port", async () => {
  const real = Number(new URL(base).port);
  stranger.removeAllListeners("request");
  stranger.on("request", async (request, response) => {
    response.end(await (await fetch(`http://127.0.0.1:${real}${request.url}`)).text());
  });
  expect(await isOurProxy(real, KEY)).toBe(true);
  expect(await isOurProxy(port, KEY)).toBe(false);
});

it("started anew it does not forget what it knew, and ended it leaves nothing behind", async () => {
  const pool = new undici.Pool(`http://127.0.0.1:${port}`, { connections: 1 });
  await (await pool.request({ path: "/v1/models", method: "GET" })).body.text();
  const again = startCallerCheck({ isOurProxy: (at) => isOurProxy(at, KEY), refused: () => {} });
  await expect(pool.request({ ...post, path: `/k/${KEY}/p/cloud/v1/embeddings` })).rejects.toThrow();
  expect(refused).toEqual([]);
  again();
  await pool.destroy();
  await fetch(`http://127.0.0.1:${port}/k/${KEY}/p/cloud/v1/embeddings`, post);
  expect(told()).toContain(PHONE);
});
