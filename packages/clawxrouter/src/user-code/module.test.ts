import { describe, expect, it } from "vitest";
import { modulePath } from "./module.ts";

const CONFIG = "/home/u/.openclaw/clawxrouter.json";

describe("module-data-url (case of the router)", () => {
  it.each([
    "data:text/javascript,export default 1",
    "http://evil.example/x.js",
    "https://evil.example/x.js",
    "file:///tmp/x.js",
    "node:child_process",
    "some-package",
    "some-package/x.js",
    "./x.json",
    "./x\0.js",
  ])("refuses %j", (module) => {
    expect(() => modulePath(module, CONFIG)).toThrow(/module "/);
  });
  it("takes paths, relative to the config file", () => {
    expect(modulePath("./my-router.js", CONFIG)).toBe("/home/u/.openclaw/my-router.js");
    expect(modulePath("/opt/r.mjs", CONFIG)).toBe("/opt/r.mjs");
  });
});
