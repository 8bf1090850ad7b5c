import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { matchPaths } from "./paths.ts";

let base: string;
let home: string;
let workspaceDir: string;
const rules = { S3: ["MEMORY-FULL.md", "~/.ssh", "/credentials/", "/root"], S2: ["~/private"] };

beforeAll(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "clawx-paths-"));
  home = path.join(base, "home");
  workspaceDir = path.join(home, ".openclaw", "workspace");
  mkdirSync(workspaceDir, { recursive: true });
  mkdirSync(path.join(home, ".ssh"));
  writeFileSync(path.join(home, ".ssh", "id"), "x");
  symlinkSync(path.join(home, ".ssh"), path.join(workspaceDir, "harmless"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const level = (params: unknown, derived: string[] = []) =>
  matchPaths(params, derived, rules, { workspaceDir, home })?.level;

describe("path-variants (case of the router)", () => {
  it.each([
    ["dots", { path: "./x/../MEMORY-FULL.md" }],
    ["doubled slashes", { path: ".//MEMORY-FULL.md" }],
    ["another parameter name", { file_path: "MEMORY-FULL.md" }],
    ["a list", { paths: ["README.md", "notes/../MEMORY-FULL.md"] }],
    ["cat in exec", { command: "cat ./MEMORY-FULL.md | head" }],
    ["quotes in exec", { command: 'cat "MEM"ORY-FULL.md' }],
    ["a glob in exec", { command: "cat MEM*LL.md" }],
    ["a shell in a shell", { command: "sh -c 'cat MEMORY-FULL.md'" }],
    ["an argv array", { argv: ["cat", "MEMORY-FULL.md"] }],
    ["a deferred tool", { id: "read", args: { path: "MEMORY-FULL.md" } }],
    ["arguments as JSON text", { input: '{"path":"MEMORY-FULL.md"}' }],
    ["a file URL", { url: "file:///tmp/x/MEMORY-FULL.md" }],
    ["the home folder", { command: "cat ~/.ssh/id" }],
    ["the HOME variable", { command: "cat $HOME/.ssh/id" }],
    ["an option", { command: "tar --file=~/.ssh/id" }],
    ["a symbolic link", { path: "harmless/id" }],
    ["a folder anywhere", { path: "/srv/credentials/db.txt" }],
    ["an unknown parameter that looks like a path", { whatever: "~/.ssh/id" }],
  ])("%s", (_, params) => {
    expect(level(params)).toBe("S3");
  });

  it("sees the host's own hints and the S2 folder", () => {
    expect(level({}, ["/x/MEMORY-FULL.md"])).toBe("S3");
    expect(level({ path: "~/private/notes.md" })).toBe("S2");
  });

  it.each([
    ["the clean file", { path: "MEMORY.md" }],
    ["a word in text", { text: "how do I ssh into a box" }],
    ["a folder that only starts alike", { path: "~/.ssh-notes/x" }],
    ["code", { command: "node -e 'console.log(process.env.PORT)'" }],
  ])("lets %s through", (_, params) => {
    expect(level(params)).toBeUndefined();
  });

  it("does not lock a user out of a home that is /root", () => {
    const inRoot = { workspaceDir: "/root/.openclaw/workspace", home: "/root" };
    expect(matchPaths({ path: "notes.md" }, [], rules, inRoot)).toBeUndefined();
    expect(matchPaths({ path: "/root/secret.txt" }, [], rules, { workspaceDir, home })?.level).toBe("S3");
  });
});
