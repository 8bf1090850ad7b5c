import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { hasContent } from "./workspace.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-workspace-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it("does not take for content what OpenClaw or a self-test has left", () => {
  expect(hasContent(path.join(dir, "none"))).toBe(false);
  expect(hasContent(dir)).toBe(false);
  mkdirSync(path.join(dir, ".openclaw"));
  mkdirSync(path.join(dir, "skills", "half"), { recursive: true });
  writeFileSync(path.join(dir, "skills", "notes.txt"), "");
  for (const name of [".DS_Store", "openclaw-workspace-state.json", "clawxrouter-selftest-0123ab-notes.txt"])
    writeFileSync(path.join(dir, name), "");
  expect(hasContent(dir)).toBe(false);
});

it("takes the user's files and skills for content", () => {
  mkdirSync(path.join(dir, "skills", "mine"), { recursive: true });
  writeFileSync(path.join(dir, "skills", "mine", "SKILL.md"), "");
  expect(hasContent(dir)).toBe(true);
  rmSync(path.join(dir, "skills"), { recursive: true });
  writeFileSync(path.join(dir, "AGENTS.md"), "");
  expect(hasContent(dir)).toBe(true);
});
