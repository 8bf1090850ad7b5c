import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "./make-folder.ts";

let dir: string;
beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), "make-folder-"));
});
afterEach(() => fs.rmSync(dir, { recursive: true, force: true }));

describe("makeFolder", () => {
  it("makes every missing parent with the mode asked for, and leaves those that exist", () => {
    fs.chmodSync(dir, 0o755);
    const folder = path.join(dir, "a", "b", "c");
    makeFolder(folder, 0o700);
    makeFolder(folder, 0o700);
    for (const made of ["a", "a/b", "a/b/c"])
      expect(fs.statSync(path.join(dir, made)).mode & 0o777, made).toBe(0o700);
    expect(fs.statSync(dir).mode & 0o777).toBe(0o755);
    makeFolder(path.parse(dir).root);
  });

  it("takes a link to a folder as one, and names what stands in the way", () => {
    fs.mkdirSync(path.join(dir, "real"));
    fs.symlinkSync(path.join(dir, "real"), path.join(dir, "link"));
    makeFolder(path.join(dir, "link", "x"));
    expect(fs.statSync(path.join(dir, "real", "x")).isDirectory()).toBe(true);
    fs.writeFileSync(path.join(dir, "file"), "");
    expect(() => makeFolder(path.join(dir, "file"))).toThrow(/EEXIST/);
    expect(() => makeFolder(path.join(dir, "file", "x", "y"))).toThrow(/ENOTDIR/);
    fs.symlinkSync(path.join(dir, "nowhere"), path.join(dir, "dangling"));
    expect(() => makeFolder(path.join(dir, "dangling", "x"))).toThrow(/EEXIST/);
  });

  // In a process of its own with a deadline: a loop would hang this one.
  it.runIf(fs.existsSync("/proc/self"))("ends where the system makes no folder", () => {
    const code = `import { makeFolder } from ${JSON.stringify(path.join(import.meta.dirname, "make-folder.ts"))};
      try { makeFolder("/proc/no/such/folder"); } catch (error) { console.log(error.code, error.path); }`;
    const { status, stdout } = spawnSync(
      process.execPath,
      ["--experimental-strip-types", "--input-type=module", "-e", code],
      { encoding: "utf8", timeout: 20_000, killSignal: "SIGKILL" },
    );
    expect(status).toBe(0);
    expect(stdout.trim()).toBe("ENOENT /proc/no");
  });
});
