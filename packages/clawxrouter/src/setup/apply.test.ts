/** Setup and unset stopped, repeated and mixed with other people's edits: nothing of openclaw.json may get lost. */
import { lstatSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readConfigFile } from "../config-file/file.ts";
import { applySetup, applyUnset, type MutateHost } from "./apply.ts";
import { planSetup, type SetupPlan } from "./plan.ts";

const KEY = "k".repeat(40);
const ORIGINAL = `// kept by hand\n{ "models": { "providers": { "cloud": { "baseUrl": "https://api.example.com/v1",\n  "api": "openai-completions", "models": [] } } }, "theme": "dark" }\n`;

let dir: string;
let hostFile: string;
let configFile: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-setup-"));
  hostFile = path.join(dir, "openclaw.json");
  configFile = path.join(dir, "clawxrouter.json");
  writeFileSync(hostFile, ORIGINAL, { mode: 0o640 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const host = () =>
  JSON.parse(readFileSync(hostFile, "utf8").replace(/^\/\/.*\n/, "")) as Record<string, unknown>;
/** As the host's writer does: the whole file anew, without its comments. */
const mutate: MutateHost = async (change) => {
  const draft = host();
  change(draft);
  writeFileSync(hostFile, JSON.stringify(draft, null, 2));
  return hostFile;
};
const managed = () => readConfigFile(configFile).managed;
const plan = (port = 8403): SetupPlan =>
  planSetup(host(), { port, installKey: KEY, localHosts: [], known: managed().upstreams });
const setup = (port?: number, how = mutate) => applySetup(plan(port), configFile, hostFile, how);
const unset = () => applyUnset(readConfigFile(configFile), configFile, hostFile, mutate);
const cloud = () => (host().models as { providers: { cloud: { baseUrl: string } } }).providers.cloud;

describe("setup and unset", () => {
  it("is taken back byte for byte, with its comments and permissions", async () => {
    await setup();
    expect(cloud().baseUrl).toContain("/p/cloud/v1");
    expect(await unset()).toMatchObject({ exact: true, kept: [] });
    expect(readFileSync(hostFile, "utf8")).toBe(ORIGINAL);
    expect(statSync(hostFile).mode & 0o777).toBe(0o640);
    expect(managed().changes).toEqual([]);
  });

  it("stopped before the host's file is written: unset has nothing to complain of", async () => {
    const stopped: MutateHost = () => Promise.reject(new Error("killed"));
    await expect(setup(8403, stopped)).rejects.toThrow("killed");
    expect(await unset()).toEqual({ exact: false, reverted: [], kept: [] });
    expect(cloud().baseUrl).toBe("https://api.example.com/v1");
  });

  it("stopped after the host's file is written: unset finds the way back", async () => {
    const stopped: MutateHost = async (change) => {
      await mutate(change);
      throw new Error("killed");
    };
    await expect(setup(8403, stopped)).rejects.toThrow("killed");
    expect(cloud().baseUrl).toContain("/p/cloud/v1");
    const { kept } = await unset();
    expect(kept).toEqual([]);
    expect(host()).toEqual(JSON.parse(ORIGINAL.replace(/^\/\/.*\n/, "")));
  });

  it("a second setup after somebody's edit does not make unset forget the edit", async () => {
    await setup();
    await mutate((draft) => {
      draft.theme = "light";
      (draft.models as { providers: Record<string, unknown> }).providers.later = {
        baseUrl: "https://later.example/v1",
        api: "openai-completions",
        models: [],
      };
    });
    await setup();
    const { exact, kept } = await unset();
    expect([exact, kept]).toEqual([false, []]);
    expect(host()).toMatchObject({
      theme: "light",
      models: {
        providers: {
          cloud: { baseUrl: "https://api.example.com/v1" },
          later: { baseUrl: "https://later.example/v1" },
        },
      },
    });
  });

  it("a provider that moved between two setups goes back to where it moved", async () => {
    await setup();
    await mutate((draft) => {
      (draft.models as { providers: { cloud: { baseUrl: string } } }).providers.cloud.baseUrl =
        "https://moved.example/v1";
    });
    await setup();
    await unset();
    expect(cloud().baseUrl).toBe("https://moved.example/v1");
  });

  it("two setups in a row (another port) go back all the way", async () => {
    await setup();
    await setup(9403);
    expect(cloud().baseUrl).toContain(":9403/");
    expect(await unset()).toMatchObject({ exact: true });
    expect(readFileSync(hostFile, "utf8")).toBe(ORIGINAL);
  });

  it("no base URL is left at the proxy, also one that was edited by hand", async () => {
    await setup();
    await mutate((draft) => {
      const { cloud: provider } = (draft.models as { providers: { cloud: { baseUrl: string } } }).providers;
      provider.baseUrl = provider.baseUrl.replace(":8403/", ":8404/");
    });
    expect((await unset()).kept).toEqual([]);
    expect(cloud().baseUrl).toBe("https://api.example.com/v1");
  });

  it("a linked openclaw.json stays a link", async () => {
    const real = path.join(dir, "dotfiles.json");
    writeFileSync(real, ORIGINAL);
    rmSync(hostFile);
    symlinkSync(real, hostFile);
    await setup();
    await unset();
    expect(lstatSync(hostFile).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, "utf8")).toBe(ORIGINAL);
  });
});
