/**
 * No body holds up the event loop, on its whole way through the proxy. Here the proxy's own CPU counts, as a machine
 * that runs other tests beside it lets anybody wait; `pnpm bench:loop` holds the clock on the wall to the same limit.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { HEAVY_BODIES, startWatchedProxy, type WatchedProxy } from "./testing/heavy-bodies.ts";

const LIMIT_MS = 50;
const TRIES = 5;

let proxy: WatchedProxy;
beforeAll(async () => {
  proxy = await startWatchedProxy();
}, 60_000);
afterAll(() => proxy.stop());

it.each(
  HEAVY_BODIES.flatMap(([name, build]) =>
    (["cloud", "home"] as const).map((to) => [name, to, build] as const),
  ),
)(
  "%s to %s: the proxy never works longer than 50 ms at a stretch",
  async (_name, to, build) => {
    const seen = await proxy.send(build(), to, TRIES, ({ stretchMs }) => stretchMs < LIMIT_MS);
    expect([200, 400, 413]).toContain(seen.status);
    if (to === "cloud") expect(seen.leaks).toBe(0);
    expect(seen.stretchMs).toBeLessThan(LIMIT_MS);
  },
  120_000,
);
