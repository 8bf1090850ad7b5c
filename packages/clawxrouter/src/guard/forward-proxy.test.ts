import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KEY, PHONE, startBench } from "../egress/testing/setup.ts";
import { exemptFromForwardProxy, startForwardProxyDoor } from "./forward-proxy.ts";

/** An HTTP proxy of the environment. */
let forward: Server;
let origin: string;
let got: string[];
let refused: string[];
let stop: () => void;
beforeEach(async () => {
  got = [];
  refused = [];
  forward = createServer((request, response) => {
    got.push(`${request.url} ${JSON.stringify(request.headers)}`);
    request.on("data", (data: Buffer) => got.push(data.toString()));
    request.on("end", () => response.end("{}"));
  });
  forward.on("connect", (request, socket) => {
    got.push(`CONNECT ${request.url}`);
    socket.write("HTTP/1.1 200 OK\r\n\r\n");
    socket.on("data", (data: Buffer) => {
      got.push(data.toString());
      socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}");
    });
    socket.on("error", () => undefined);
  });
  await new Promise<void>((resolve) => forward.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(forward.address() as AddressInfo).port}`;
  stop = startForwardProxyDoor({ refused: (by) => refused.push(by) });
});
afterEach(async () => {
  stop();
  forward.closeAllConnections();
  await new Promise((resolve) => forward.close(resolve));
});

const body = JSON.stringify({ model: "m", messages: [{ role: "user", content: PHONE }] });
const post = {
  method: "POST",
  headers: { authorization: "Bearer provider-key", "content-type": "application/json" },
  body,
} as const;

describe.each([
  ["as undici has it", {}],
  ["through a tunnel", { proxyTunnel: true }],
  ["without a tunnel", { proxyTunnel: false }],
])("an HTTP proxy %s", (_, options) => {
  it("gets neither text nor key of a request for the egress proxy", async () => {
    const bench = await startBench();
    const dispatcher = new undici.EnvHttpProxyAgent({ httpProxy: origin, noProxy: "", ...options });
    const url = `${bench.base()}/v1/chat/completions`;
    await expect(undici.request(url, { ...post, dispatcher })).rejects.toThrow();
    await expect(undici.fetch(url, { ...post, dispatcher })).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(got.join("\n")).not.toContain(PHONE);
    expect(got.join("\n")).not.toContain(KEY);
    expect(got.join("\n")).not.toContain("provider-key");
    expect(refused).toContain(origin);
    await dispatcher.close();
    await bench.close();
  });

  it("is passed by when the address is exempt, and gets all else", async () => {
    const bench = await startBench();
    const kept = { ...process.env };
    for (const name of ["no_proxy", "NO_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"])
      delete process.env[name];
    process.env.HTTP_PROXY = origin;
    process.env.NO_PROXY = "internal.example";
    const undo = exemptFromForwardProxy(bench.proxy.port);
    const dispatcher = new undici.EnvHttpProxyAgent(options);
    const answer = await undici.request(`${bench.base()}/v1/chat/completions`, { ...post, dispatcher });
    await answer.body.text();
    expect(answer.statusCode).toBe(200);
    expect(got).toEqual([]);
    await (await undici.request("http://elsewhere.example/v1", { ...post, dispatcher })).body.text();
    expect(got.join("\n")).toContain("elsewhere.example");
    expect(refused).toEqual([]);
    undo();
    expect(process.env.NO_PROXY).toBe("internal.example");
    process.env = kept;
    await dispatcher.close();
    await bench.close();
  });
});

describe("NO_PROXY", () => {
  it("is left alone without an HTTP proxy, or where it has the address already", () => {
    for (const env of [
      {},
      { HTTP_PROXY: "http://p:1", NO_PROXY: "*" },
      { HTTP_PROXY: "http://p:1", NO_PROXY: "a, 127.0.0.1" },
      { HTTPS_PROXY: "http://p:1" },
    ] as NodeJS.ProcessEnv[]) {
      const before = { ...env };
      exemptFromForwardProxy(8403, env)();
      expect(env).toEqual(before);
      const undo = exemptFromForwardProxy(8403, env);
      expect(env).toEqual(before);
      undo();
    }
  });

  it("is added to where clients look, and given back", () => {
    const env: NodeJS.ProcessEnv = { http_proxy: "http://p:1", no_proxy: "", NO_PROXY: "x" };
    const undo = exemptFromForwardProxy(8403, env);
    expect(env).toMatchObject({ no_proxy: "127.0.0.1:8403", NO_PROXY: "x" });
    undo();
    expect(env.no_proxy).toBe("");
  });
});
