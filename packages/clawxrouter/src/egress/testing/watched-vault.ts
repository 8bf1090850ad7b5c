/**
 * A proxy with a vault on disk, in a process of its own, whose event loop is watched: values that nobody has seen before
 * are written while it works. Started by `fork` with the vault's file; answers `{watch: true}` by beginning anew and
 * `{told: true}` with the figures.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { VaultStore } from "../../vault-store/store.ts";
import { createEgressProxy } from "../proxy.ts";
import { KEY, POLICY, ruleInspector } from "./setup.ts";

/** What the watched process tells. */
export interface WatchedVault {
  /** `monitorEventLoopDelay`, longest, in milliseconds: waiting for a lock counts, and other processes' work. */
  delayMs: number;
  /** Longest stretch between two turns of the loop, in milliseconds of this thread's CPU. */
  stretchMs: number;
  /** Private values in clear that reached the upstream. */
  leaks: number;
  requests: number;
  /** Values that are kept: on disk, or on their way there. */
  values: number;
}

/** Made-up numbers of the tests, wherever they stand. */
const PRIVATE = /139\d{8}/;

const upstream = createServer(async (request, response) => {
  let text = "";
  for await (const part of request) text += (part as Buffer).toString("latin1");
  if (PRIVATE.test(text)) watched.leaks += 1;
  watched.requests += 1;
  const token = /\[REDACTED:\w+\]/.exec(text)?.[0] ?? "nothing";
  response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ choices: [{ message: { role: "assistant", content: token } }] }));
});
await new Promise<void>((resolve) => upstream.listen(0, "127.0.0.1", resolve));
const { port } = upstream.address() as AddressInfo;

const store = new VaultStore(process.argv[2] ?? "", { maxValues: 50_000, retentionDays: 0 });
const proxy = await createEgressProxy({
  port: 0,
  installKey: KEY,
  upstreams: () => ({
    cloud: { baseUrl: `http://127.0.0.1:${port}/v1`, api: "openai-completions", local: false },
  }),
  inspect: ruleInspector(),
  vault: store.vault,
  sessionOf: () => "s",
  policy: () => ({ ...POLICY, maxBodyBytes: 64 * 1024 * 1024, inspectTimeoutMs: 120_000 }),
});

const watched = { stretchMs: 0, leaks: 0, requests: 0 };
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
    Object.assign(watched, { stretchMs: 0, leaks: 0, requests: 0 });
    process.send?.("watching");
  }
  if (message.told) {
    const told: WatchedVault = { ...watched, delayMs: delay.max / 1e6, values: store.size() };
    process.send?.(told);
  }
});
process.send?.({ base: `http://127.0.0.1:${proxy.port}/k/${KEY}/p/` });
process.on("disconnect", () => process.exit());
