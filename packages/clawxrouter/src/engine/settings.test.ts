import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { editConfigFile } from "../config-file/file.ts";
import { Settings } from "./settings.ts";

let dir: string;
let file: string;
let errors: string[];
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-settings-"));
  file = path.join(dir, "clawxrouter.json");
  errors = [];
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const settings = () =>
  new Settings({
    configFile: file,
    builtin: [],
    lastGoodFile: path.join(dir, "data", "last-good.json"),
    detectionPrompt: () => "",
    error: (message) => errors.push(message),
  });
const own = { privacy: { proxyPort: 9_403, rules: { keywords: { S3: ["bluebird"] } } } };

it.each([
  ["gone", () => rmSync(file)],
  ["emptied", () => writeFileSync(file, "")],
  ["blank", () => writeFileSync(file, " \n")],
  ["half written", () => writeFileSync(file, JSON.stringify(own).slice(0, 30))],
  [
    "a folder",
    () => {
      rmSync(file);
      mkdirSync(file);
    },
  ],
])("a file that is %s leaves the rules of the user and the port in force, and is reported", (_, spoil) => {
  writeFileSync(file, JSON.stringify(own));
  const now = settings();
  expect(now.config().privacy.proxyPort).toBe(9_403);
  spoil();
  now.reload();
  expect(now.config().privacy).toMatchObject(own.privacy);
  expect(now.error()).toContain(file);
  expect(errors.length).toBe(1);
  rmSync(file, { recursive: true, force: true });
  writeFileSync(file, "{}");
  now.reload();
  expect(now.error()).toBeUndefined();
  expect(now.config().privacy.proxyPort).toBe(8_403);
});

it("no file from the beginning means all defaults, also when looked at again", () => {
  const now = settings();
  now.reload();
  now.reload();
  expect([now.error(), now.config().privacy.proxyPort]).toEqual([undefined, 8_403]);
});

it("a code router is there at every moment of a reload, and after a spoilt edit of its file", async () => {
  const module = path.join(dir, "strict.mjs");
  writeFileSync(
    module,
    "export default { id: 'strict', detect: () => ({ level: 'S3', action: 'redirect' }) };",
  );
  const config = { privacy: { routers: { strict: { type: "custom", module, weight: 60 } } } };
  writeFileSync(file, JSON.stringify(config));
  const now = settings();
  await now.ready();
  expect(now.routers().has("strict")).toBe(true);
  now.reload();
  expect(now.routers().has("strict")).toBe(true);
  await now.ready();
  writeFileSync(module, "export default {{{");
  writeFileSync(file, JSON.stringify({ privacy: { ...config.privacy, proxyPort: 9_404 } }));
  now.reload();
  await now.ready();
  expect(now.routers().has("strict")).toBe(true);
  expect(errors.join()).toContain("goes on as it was");
  // Taken out of the settings it goes.
  writeFileSync(file, JSON.stringify({ privacy: { proxyPort: 9_404 } }));
  now.reload();
  await now.ready();
  expect(now.routers().has("strict")).toBe(false);
});

it.each([
  ['{"__proto__":{"privacy":{"enabled":false}}}', "no field"],
  ['{"privacy":{"__proto__":{"enabled":false}}}', "no field"],
  ['{"constructor":{"prototype":{"polluted":1}}}', "no field"],
  ['{"privacy":{"routers":{"__proto__":{"type":"custom","module":"/x.js"}}}}', "no id"],
  ['{"privacy":{"routers":{"privacy":{"weight":-1}}}}', "no weight"],
  ['{"privacy":{"routers":{"privacy":{"weight":1e400}}}}', "no weight"],
  ['{"privacy":{"routers":{"x":{"type":"custom"}}}}', "no module"],
  ['{"privacy":{"routers":{"x":{"type":"custom","module":"data:text/javascript,1"}}}}', "no path"],
  ['{"privacy":{"rules":{"patterns":{"S3":["(a+)+$("]}}}}', "no pattern"],
])("%s is refused (%s), and pollutes nothing", (text) => {
  writeFileSync(file, text);
  const now = settings();
  expect(now.config().privacy.enabled).toBe(true);
  expect(now.config().privacy.routers.privacy).toMatchObject({ enabled: true, weight: 90 });
  expect(now.error()).toBeDefined();
  expect(Reflect.get({}, "polluted")).toBeUndefined();
  expect(Reflect.get({}, "enabled")).toBeUndefined();
});

it.each(["half written", "gone"])(
  "a start with a file that is %s has the settings of the run before, and says so",
  (what) => {
    const managed = {
      upstreams: { cloud: { baseUrl: "https://cloud.example/v1", api: "openai-completions" } },
    };
    editConfigFile(file, (raw) => Object.assign(raw, own, { managed }));
    settings().config();
    if (what === "gone") rmSync(file);
    else writeFileSync(file, JSON.stringify(own).slice(0, 30));
    const now = settings();
    expect(now.config().privacy).toMatchObject(own.privacy);
    expect(now.config().managed).toMatchObject(managed);
    expect(now.error()).toContain(file);
    now.reload();
    expect(now.config().privacy).toMatchObject(own.privacy);
    writeFileSync(file, "{}");
    now.reload();
    expect([now.error(), now.config().privacy.proxyPort]).toEqual([undefined, 8_403]);
    rmSync(file);
    // The defaults were the last good settings.
    expect(settings().config().privacy.proxyPort).toBe(8_403);
  },
);
