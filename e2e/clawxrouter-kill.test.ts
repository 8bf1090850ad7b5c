import { randomInt } from "node:crypto";
import { readFileSync, writeSync } from "node:fs";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Stage, startStage } from "./leak/stage.ts";

const ROUNDS = 20;

/**
 * The gateway is killed with SIGKILL at a random moment while turns with private values are going, twenty times over:
 * vault and configuration stay whole, the next start restores, and nothing of it gets out meanwhile.
 */
describe("SIGKILL at a random moment", () => {
  let stage: Stage;
  let failed = true;
  beforeAll(async () => {
    stage = await startStage(true, process.env.CLAWX_LEAK_SEED ?? "kill");
  }, 400_000);
  afterAll(() => stage?.gateway.close(failed), 60_000);

  it(`${ROUNDS} times`, { timeout: 1_500_000 }, async () => {
    const phone = `1${"3".repeat(2)}${String(randomInt(10 ** 8)).padStart(8, "0")}`;
    const first = await stage.turn("kept", `Remember the number ${phone}`);
    expect(first.text, first.error).toContain(phone);
    const token = stage.placeholder() ?? "";
    expect(token).not.toBe("");
    const state = stage.gateway.stateDir;
    const hostBefore = readFileSync(path.join(state, "openclaw.json"), "utf8");
    const routerBefore = readFileSync(path.join(state, "clawxrouter.json"), "utf8");
    for (let round = 0; round < ROUNDS; round++) {
      const values = stage.begin();
      values.add({ name: "kept", level: "S2", text: phone, values: [phone] });
      // They end with the gateway, or never: what they would have said does not matter.
      for (const via of ["agent", "chat.send"] as const)
        for (const [i, text] of [values.s2, values.s3, values.both].entries())
          void stage.turn(`load-${round}-${via.length}-${i}`, text, via);
      const wait = randomInt(1_800);
      await sleep(wait);
      await stage.gateway.kill("SIGKILL");

      const where = `round ${round}, killed after ${wait} ms`;
      const db = new DatabaseSync(path.join(state, "clawxrouter", "vault.sqlite"), { readOnly: true });
      expect(db.prepare("PRAGMA integrity_check").get(), where).toEqual({ integrity_check: "ok" });
      db.close();
      expect(readFileSync(path.join(state, "clawxrouter.json"), "utf8"), where).toBe(routerBefore);
      expect(JSON.parse(readFileSync(path.join(state, "openclaw.json"), "utf8")).models, where).toEqual(
        JSON.parse(hostBefore).models,
      );

      await stage.gateway.start();
      expect(await stage.gateway.log(), where).not.toMatch(/moved aside|vault.*(?:corrupt|damaged)/i);
      const again = await stage.turn("kept", `Again about ${phone}, please`);
      expect(again.text, `${where}: ${again.error}`).toContain(phone);
      const bodies = stage.bodies("cloud");
      expect(bodies.length, where).toBeGreaterThan(0);
      expect(
        bodies.some(({ body }) => body.includes(token)),
        `${where}: another placeholder`,
      ).toBe(true);
      for (const model of ["cloud", "backup", "utility", "embed"] as const)
        expect(
          stage.bodies(model).flatMap((body) => stage.search.find(body)),
          `${where}, ${model}`,
        ).toEqual([]);
      stage.end();
      writeSync(2, `${where}: whole\n`);
    }
    failed = false;
  });
});
