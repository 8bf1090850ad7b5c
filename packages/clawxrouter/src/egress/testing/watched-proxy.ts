/**
 * A proxy and its upstream in a process of their own, whose event loop is watched: what the test does to make a body
 * must not count. Started by `fork`; answers `{watch: true}` by beginning anew and `{told: true}` with the figures.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { Vault } from "@clawx/shared-security";
import { createEgressProxy } from "../proxy.ts";
import { KEY, POLICY, ruleInspector } from "./setup.ts";

/** What the watched process tells. */
export interface Watched {
  /** `monitorEventLoopDelay`, longest, in milliseconds: all that held up the loop, other processes included. */
  delayMs: number;
  /** Longest stretch between two turns of the loop, in milliseconds of this thread's CPU. */
  stretchMs: number;
  /** Private values in clear that reached the upstream. */
  leaks: number;
  requests: number;
}

/** Made-up numbers of the tests, wherever they stand. */
const PRIVATE = /139\d{8}/;

const upstream = createServer(async (request, response) => {
  let rest = "";
  for await (const part of request) {
    rest += (part as Buffer).toString("latin1");
    if (PRIVATE.test(rest)) watched.leaks += 1;
    rest = rest.slice(-16);
  }
  watched.requests += 1;
  response.writeHead(200, { "content-type": "application/json" }).end('{"choices":[]}');
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const { port } = upstream.address() as AddressInfo;

const vault = new Vault();
for (let i = 0; i < 500; i += 1) vault.tokenise(`user${i}.${i * 7919}@mail.example.org`, "EMAIL", "S2", "s");
const proxy = await createEgressProxy({
  port: 0,
  installKey: KEY,
  upstreams: () => ({
    cloud: { baseUrl: `http://127.0.0.1:${port}/v1`, api: "openai-completions", local: false },
    home: { baseUrl: `http://127.0.0.1:${port}/v1`, api: "openai-completions", local: true },
  }),
  inspect: ruleInspector(),
  vault,
  sessionOf: () => "s",
  policy: () => ({ ...POLICY, maxBodyBytes: 64 * 1024 * 1024, inspectTimeoutMs: 120_000 }),
});

const watched: Watched = { delayMs: 0, stretchMs: 0, leaks: 0, requests: 0 };
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();
let since = process.threadCpuUsage();
const look = (): void => {
  const { user, system } = process.threadCpuUsage(since);
  watched.stretchMs = Math.max(watched.stretchMs, (user + system) / 1000);
  since = process.threadCpuUsage();
  setImmediate(look);
};
look();

process.on("message", (message: { watch?: boolean; told?: boolean }) => {
  if (message.watch) {
    delay.reset();
    Object.assign(watched, { delayMs: 0, stretchMs: 0, leaks: 0, requests: 0 });
    process.send?.("watching");
  }
  if (message.told) process.send?.({ ...watched, delayMs: delay.max / 1e6 });
});
process.send?.({ base: `http://127.0.0.1:${proxy.port}/k/${KEY}/p/` });
process.on("disconnect", () => process.exit());
