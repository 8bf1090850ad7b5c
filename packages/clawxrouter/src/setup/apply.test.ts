/** Setup and unset stopped, repeated and mixed with other people's edits: nothing of openclaw.json may get lost. */
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
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
/** What the host's variables hold. */
const ENV: Record<string, string> = { CLOUD_URL: "https://api.example.com/v1", SECRET_NAME: "spark" };
const resolved = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value).replace(/\$\{(\w+)\}/g, (_, name: string) => ENV[name] ?? ""));
/** As the host's writer does: the whole file anew, without its comments; variables that nobody touched stay. */
const mutate: MutateHost = async (change) => {
  const authored = host();
  const before = resolved(authored);
  const draft = resolved(authored);
  change(draft, authored);
  const restore = (now: unknown, was: unknown, text: unknown): unknown => {
    if (JSON.stringify(now) === JSON.stringify(was)) return text;
    if (typeof now !== "object" || now === null || Array.isArray(now)) return now;
    const [a, b] = [was, text] as Record<string, unknown>[];
    return Object.fromEntries(
      Object.entries(now).map(([key, value]) => [key, restore(value, a?.[key], b?.[key])]),
    );
  };
  writeFileSync(hostFile, JSON.stringify(restore(draft, before, authored), null, 2));
  return hostFile;
};
const managed = () => readConfigFile(configFile).managed;
const plan = (port = 8403): SetupPlan =>
  planSetup(resolved(host()), { port, installKey: KEY, localHosts: [], known: managed().upstreams });
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

  describe("with variables in openclaw.json", () => {
    const WITH_VARIABLES = ORIGINAL.replace("https://api.example.com/v1", ["$", "{CLOUD_URL}"].join(""));
    beforeEach(() => writeFileSync(hostFile, WITH_VARIABLES));
    const original = () => JSON.parse(WITH_VARIABLES.replace(/^\/\/.*\n/, "")) as Record<string, unknown>;
    const edit = () =>
      mutate((draft) => {
        draft.theme = "light";
      });

    it("unset value by value gives the user's own text back, not what it stands for", async () => {
      await setup();
      expect(cloud().baseUrl).toContain("/p/cloud/v1");
      await edit();
      expect(await unset()).toMatchObject({ exact: false, kept: [] });
      expect(host()).toEqual({ ...original(), theme: "light" });
    });

    it("also after a second setup, and where the proxied address was edited by hand", async () => {
      await setup();
      await edit();
      await setup(9403);
      await mutate((draft) => {
        const { cloud: provider } = (draft.models as { providers: { cloud: { baseUrl: string } } }).providers;
        provider.baseUrl = provider.baseUrl.replace(":9403/", ":8404/");
      });
      expect((await unset()).kept).toEqual([]);
      expect(host()).toEqual({ ...original(), theme: "light" });
    });

    it("a setup that was killed after the host's file was written finds back to it, too", async () => {
      const stopped: MutateHost = async (change) => {
        await mutate(change);
        throw new Error("killed");
      };
      await expect(setup(8403, stopped)).rejects.toThrow("killed");
      await unset();
      expect(host()).toEqual(original());
    });
  });

  it.each([
    ["deleted", () => rmSync(configFile)],
    ["emptied", () => writeFileSync(configFile, "")],
    ["written anew by somebody else", () => writeFileSync(configFile, '{"privacy":{"proxyPort":9000}}')],
  ])(
    "clawxrouter.json %s after setup: unset still finds the way back, and leaves nothing behind",
    async (_, lose) => {
      await setup();
      lose();
      expect(managed().upstreams.cloud?.baseUrl).toBe("https://api.example.com/v1");
      expect(await unset()).toMatchObject({ exact: true, kept: [] });
      expect(readFileSync(hostFile, "utf8")).toBe(ORIGINAL);
      expect(managed().changes).toEqual([]);
      expect(readdirSync(dir).sort()).toEqual(["clawxrouter.json", "openclaw.json"]);
    },
  );
});
