import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort, type Gateway, modelServer, startGateway } from "./harness/index.ts";
import { fresh, SCENES, type Stage } from "./leak/scenes.ts";
import { leakedIds, type Secret } from "./leak/secrets.ts";
import { setUp } from "./leak/set-up.ts";

/**
 * The leak suite: every way text can reach a cloud model, with generated secrets and entities in five languages.
 * All scenes by default, CLAWX_LEAK=quick only the quick ones; CLAWX_LEAK=off plays the quick ones without the
 * plugin, to show that the suite can see leaks.
 */
const MODE = process.env.CLAWX_LEAK ?? "full";
const SEED = process.env.CLAWX_LEAK_SEED ?? "clawx";
const WITH_PLUGIN = MODE !== "off";
const NEEDS_PLUGIN = /^(?:access revoked|detector|proxy port|plugin reload|a semantic)/;
const scenes = SCENES.filter((scene) => (MODE === "full" ? true : scene.quick === true)).filter(
  (scene) => WITH_PLUGIN || !NEEDS_PLUGIN.test(scene.name),
);

describe(`leak suite (${MODE}, ${scenes.length} scenes)`, () => {
  let gateway: Gateway;
  let stage: Stage;
  let failed = false;
  const made: Secret[] = [];
  const rows: { scene: string; leaked: string[]; bodies: number; said: string }[] = [];
  const far = () => Object.entries(gateway.models).filter(([name]) => name !== "local");

  beforeAll(async () => {
    const proxyPort = await freePort();
    process.env.CLAWX_LEAK_PORT = String(proxyPort);
    const models = {
      cloud: modelServer("cloud"),
      backup: modelServer("backup"),
      utility: modelServer("utility"),
      embed: modelServer("embed"),
      local: modelServer("local"),
    };
    for (const server of Object.values(models)) await server.start();
    gateway = await startGateway({
      plugins: WITH_PLUGIN ? { clawxrouter: {} } : {},
      models,
      config: {
        agents: {
          defaults: {
            model: { primary: "cloud/main", fallbacks: ["backup/main"] },
            utilityModel: "utility/cheap",
            skipBootstrap: false,
          },
        },
        memory: {
          search: {
            enabled: true,
            provider: "openai-compatible",
            model: "text-embed",
            remote: { baseUrl: `${models.embed.origin}/v1`, apiKey: "embed-test-key" },
          },
        },
      },
      files: {
        ".openclaw/clawxrouter.json": JSON.stringify({ privacy: { proxyPort } }),
        ".openclaw/workspace/README.md": "workspace",
      },
    });
    if (WITH_PLUGIN) await setUp(gateway);
    const file = path.join(gateway.stateDir, "clawxrouter.json");
    const { cloud, local } = gateway.models;
    if (cloud === undefined || local === undefined) throw new Error("no models");
    stage = {
      gateway,
      cloud,
      local,
      fresh: () => {
        const set = fresh(SEED);
        made.push(...set.all);
        // Scenes may add to the list later: keep looking at the same array.
        const push = set.all.push.bind(set.all);
        set.all.push = (...more: Secret[]) => {
          made.push(...more);
          return push(...more);
        };
        return set;
      },
      settings: async (privacy) => {
        const config = JSON.parse(readFileSync(file, "utf8")) as { privacy?: Record<string, unknown> };
        config.privacy = { ...config.privacy, ...privacy };
        writeFileSync(file, JSON.stringify(config, null, 2));
        await sleep(1_500);
      },
    };
  }, 400_000);
  afterAll(async () => {
    const width = Math.max(...rows.map((row) => row.scene.length));
    console.log(
      rows
        .map(
          (row) =>
            `${row.scene.padEnd(width)}  ${String(row.bodies).padStart(3)} bodies  ${row.leaked.length === 0 ? "nothing" : row.leaked.join(" ")}  | ${row.said}`,
        )
        .join("\n"),
    );
    console.log(
      `${rows.length} scenes, ${made.length} generated values, ${rows.filter((row) => row.leaked.length > 0).length} scenes leaked`,
    );
    await gateway?.close(failed);
  }, 60_000);

  it.each(scenes.map((scene) => [scene.name, scene] as const))(
    "%s",
    async (name, scene) => {
      for (const [, server] of far()) server.reset();
      let said: string[] = [];
      try {
        ({ said } = await scene.play(stage));
      } finally {
        const bodies = far().flatMap(([, server]) => server.requests);
        const leaked = [
          ...new Set(
            bodies.flatMap((request) =>
              leakedIds(`${request.url}\n${JSON.stringify(request.headers)}\n${request.body}`, made),
            ),
          ),
        ];
        const last = (said.at(-1) ?? "").replaceAll(/\s+/g, " ").slice(0, 60);
        rows.push({ scene: name, leaked, bodies: bodies.length, said: last });
        if (WITH_PLUGIN) {
          if (leaked.length > 0) failed = true;
          expect(leaked, `leaked in: ${name}`).toEqual([]);
        }
      }
      for (const reply of said) expect(reply, `${name}: an answer or a reason`).not.toBe("");
    },
    300_000,
  );

  it.runIf(!WITH_PLUGIN)("sees leaks without the plugin", () => {
    const seen = rows.filter((row) => row.leaked.length > 0).length;
    expect(seen).toBeGreaterThan(rows.length * 0.8);
  });
});
