import { readFileSync, writeSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Said } from "../../packages/clawxrouter/src/selftest/paths.ts";
import { root } from "../harness/index.ts";
import { keptBack } from "./harmless.ts";
import { type ModelName, type Scene, type Stage, startStage } from "./stage.ts";
import { printTable, type Row, reasonOf } from "./table.ts";

/** The clouds: what stands in a body to one of them has left the machine. */
const FAR: readonly ModelName[] = ["cloud", "backup", "utility", "embed", "extra"];

/** What the issue asks of the whole suite. */
const GOAL = { scenes: 24, values: 40 };

/**
 * Plays scenes on one gateway and looks into every body that reached a cloud.
 * With the plugin, no value may be in any, each scene must have reached the models it is about (silence is no
 * safety), and each turn must end with an answer or a clear reason. Without it, each scene must show leaks: one that
 * shows none is blind and proves nothing.
 */
export function leakSuite(title: string, scenes: readonly Scene[], { plugin }: { plugin: boolean }): void {
  const seed = process.env.CLAWX_LEAK_SEED ?? "clawx";
  const only = process.env.CLAWX_LEAK_ONLY;
  const played = scenes.filter(({ name }) => only === undefined || new RegExp(only, "i").test(name));

  describe(`${title} (${played.length} scenes, seed ${seed})`, () => {
    let stage: Stage;
    const rows: Row[] = [];

    beforeAll(async () => {
      stage = await startStage(plugin, seed);
    }, 400_000);
    afterAll(async () => {
      if (rows.length > 0) printTable(title, rows, plugin, stage.refused());
      const keep = process.env.CLAWX_LEAK_KEEP !== undefined || rows.some(({ faults }) => faults.length > 0);
      await stage?.gateway.close(keep);
    }, 60_000);

    it.each(played.map((scene) => [scene.name, scene] as const))(
      "%s",
      async (_, scene) => {
        const row = await play(stage, scene);
        rows.push(row);
        writeSync(
          2,
          `${rows.length}/${played.length} ${row.scene}: ${row.leaked.length} of ${row.values} seen${row.faults.length > 0 ? `, FAULT ${row.faults.join("; ").slice(0, 400)}` : ""}\n`,
        );
        expect(row.faults, row.faults.join("\n")).toEqual([]);
      },
      240_000,
    );

    it("what came after the last scene holds nothing either", async () => {
      await stage.quiet();
      if (plugin) expect(stage.leaks(FAR)).toEqual([]);
    });

    it.runIf(plugin && scenes.length >= GOAL.scenes && /harmless/.test(only ?? "harmless"))(
      "after all that, harmless turns of every kind still reach the cloud",
      async () => {
        stage.begin();
        expect(await keptBack(stage)).toEqual([]);
        expect(stage.leaks(FAR)).toEqual([]);
      },
      400_000,
    );

    it.runIf(only === undefined)(`${GOAL.values} values a scene`, () => {
      for (const row of rows) expect(row.values, row.scene).toBeGreaterThanOrEqual(GOAL.values);
    });

    it.runIf(only === undefined && scenes.length >= GOAL.scenes)(`${GOAL.scenes} kinds of path`, () => {
      expect(new Set(rows.map(({ scene }) => scene)).size).toBeGreaterThanOrEqual(GOAL.scenes);
    });
  });
}

async function play(stage: Stage, scene: Scene): Promise<Row> {
  const values = stage.begin(scene.limit !== undefined);
  const started = performance.now();
  const faults: string[] = [];
  let said: Said[] = [];
  try {
    said = await scene.play(stage, values);
  } catch (error) {
    faults.push(`the scene broke off: ${error instanceof Error ? error.message : String(error)}`);
  }
  await stage.quiet(400, 3_000);
  const leaks = stage.leaks(FAR);
  const leaked = new Set(leaks.flatMap(({ names, own }) => (stage.withPlugin ? names : own)));
  const reaches = (scene.reaches ?? ["cloud"]) as readonly ModelName[];
  if (stage.withPlugin) {
    for (const { model, names, own } of leaks) {
      const seen = scene.limit === undefined ? names : names.filter((name) => !own.includes(name));
      if (seen.length > 0) faults.push(`${model} got ${seen.join(", ")}`);
    }
    for (const model of reaches)
      if (stage.bodies(model).length === 0) faults.push(`nothing reached ${model}: the scene shows nothing`);
    said.forEach((one, turn) => {
      if (reasonOf(one) === undefined)
        faults.push(`turn ${turn + 1} ended with neither an answer nor a clear reason: ${one.error || '""'}`);
    });
    if (scene.limit !== undefined) faults.push(...limitFaults(scene.limit));
  } else {
    for (const model of scene.leaksAt ?? reaches)
      if (!leaks.some((leak) => leak.model === model && leak.own.length > 0))
        faults.push(`${model} saw no value: the scene is blind`);
    // What a scene of a known limit sends is whole nowhere: seeing a part of it is all there is to see.
    if (scene.limit === undefined && leaked.size * 2 < values.used.length)
      faults.push(`only ${leaked.size} of ${values.used.length} values were seen: the scene is half blind`);
  }
  const missed = new Set(
    values.used
      .filter(({ name }) => !leaks.some(({ own }) => own.some((one) => one.startsWith(`${name} `))))
      .map(({ level, name }) => `${level} ${name.replace(/\.\d+$/, "")}`),
  );
  const bodies = FAR.map((model) => [model, stage.bodies(model).length] as const);
  const last = said.at(-1);
  const row: Row = {
    scene: scene.name,
    values: values.used.length,
    bodies: Object.fromEntries(bodies.filter(([, count]) => count > 0)),
    leaked: [...leaked],
    missed: [...missed],
    limit: scene.limit,
    said: last === undefined ? "" : last.text || last.error,
    turns: said.length,
    reasons: said.filter((one) => reasonOf(one) === "reason").length,
    seconds: (performance.now() - started) / 1_000,
    faults,
  };
  stage.end();
  return row;
}

/** A limit must be written where the user reads what is not guaranteed: `<file>: <words>`. */
function limitFaults(limit: string): string[] {
  const [file = "", words = ""] = limit.split(": ");
  const text = readFileSync(path.join(root, file), "utf8");
  return text.toLowerCase().includes(words.toLowerCase()) ? [] : [`${file} does not say "${words}"`];
}
