import { setTimeout as sleep } from "node:timers/promises";
import type { Gateway } from "../harness/index.ts";

/** `clawxrouter setup --yes` on a running gateway, and until the gateway has taken it over. */
export async function setUp(gateway: Gateway): Promise<void> {
  const before = (await gateway.log()).length;
  await gateway.cli(["clawxrouter", "setup", "--yes"], { check: true });
  for (let i = 0; i < 120; i++) {
    await sleep(500);
    const log = (await gateway.log()).slice(before);
    if (log.includes("config hot reload applied") && log.includes("clawxrouter: posture")) return;
  }
  await gateway.restart();
}
