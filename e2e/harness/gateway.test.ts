import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { modelServer, type PluginFolder, prepareGateway } from "./gateway.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-harness-"));
  vi.stubEnv("TMPDIR", dir);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(dir, { recursive: true, force: true });
});

it("leaves no folder and no server behind when a plugin cannot be packed", async () => {
  const cloud = modelServer("cloud");
  const plugins = { ["no-such-plugin" as PluginFolder]: {} };
  await expect(prepareGateway({ plugins, models: { cloud } })).rejects.toThrow();
  expect(readdirSync(dir)).toEqual([]);
  await expect(fetch(`http://127.0.0.1:${cloud.port}/v1/models`)).rejects.toThrow();
});
