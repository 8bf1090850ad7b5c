/** Nothing of a memory is lost: values that grow old in the vault, a vault or a side that is gone, links, other agents. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import { MemoryService } from "../engine/memory-service.ts";
import { VaultStore } from "../vault-store/store.ts";

const PHONE = `138${"0013".repeat(2)}`;
const NOTES = `a\ncall ${PHONE}\n病历：高血压\nb\n`;
const DAY_MS = 86_400_000;
const { privacy } = defaultConfig();
const detector = new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1");

let dir: string;
let workspaceDir: string;
let now: number;
let store: VaultStore;
let memory: MemoryService;
let warnings: string[];

const start = () => {
  store = new VaultStore(path.join(dir, "vault", "vault.sqlite"), {
    maxValues: 1_000,
    retentionDays: 30,
    now: () => now,
  });
  memory = new MemoryService({
    enabled: () => true,
    dataDir: dir,
    vault: () => store,
    detector: () => detector,
    warn: (message) => warnings.push(message),
  });
};
const file = {
  clean: () => path.join(workspaceDir, "MEMORY.md"),
  full: () => path.join(dir, "memory/main/MEMORY-FULL.md"),
};
const clean = () => readFileSync(file.clean(), "utf8");
const full = () => readFileSync(file.full(), "utf8");
const sync = (agentId = "main") => memory.sync(agentId, workspaceDir);

beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-loss-"));
  workspaceDir = path.join(dir, "workspace");
  mkdirSync(workspaceDir);
  now = Date.now();
  warnings = [];
  start();
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

describe("a memory keeps", () => {
  it("its values when they are older than the vault keeps others", () => {
    writeFileSync(file.clean(), NOTES);
    sync();
    const before = clean();
    const other = store.vault.tokenise("10.20.30.40", "IP", "S2", "agent:main:main");
    for (let day = 0; day < 60; day += 5) {
      now += 5 * DAY_MS;
      store.close();
      start();
      sync();
    }
    expect(store.vault.get(other)).toBeUndefined();
    expect([clean(), full()]).toEqual([before, NOTES]);
    // What is in no memory any more grows old as everything else.
    writeFileSync(file.clean(), "a\n");
    sync();
    store.close();
    start();
    expect(store.size()).toBe(0);
  });

  it("its values when the vault is gone, also beside an edit", () => {
    writeFileSync(file.clean(), NOTES);
    sync();
    store.close();
    rmSync(path.join(dir, "vault"), { recursive: true });
    start();
    writeFileSync(file.clean(), `first\n${clean()}last\n`);
    sync();
    expect(full()).toBe(`first\n${NOTES}last\n`);
    expect(clean()).not.toContain(PHONE);
    expect(clean().split("\n").length).toBe(7);
  });

  it.each(["file", "folder"])("all of it when the %s of its full side is gone, and says so", (what) => {
    writeFileSync(file.clean(), NOTES);
    sync();
    writeFileSync(file.clean(), `${clean()}agent\n`);
    rmSync(what === "file" ? file.full() : path.dirname(file.full()), { recursive: true });
    expect(sync()).toMatchObject([{ remade: true }]);
    expect(full()).toBe(`${NOTES}agent\n`);
    expect(warnings.join()).toMatch(/made anew/);
  });

  it("a copy of every text that went as a whole: emptied, deleted, deleted again", () => {
    writeFileSync(file.clean(), NOTES);
    sync();
    writeFileSync(file.clean(), "");
    sync();
    writeFileSync(file.clean(), "second\n");
    sync();
    for (let i = 0; i < 2; i++) {
      rmSync(file.clean(), { force: true });
      sync();
    }
    const copies = ["", "-2", "-3"].map((suffix) => `${file.full()}.deleted${suffix}`);
    expect(copies.filter((copy) => existsSync(copy)).map((copy) => readFileSync(copy, "utf8"))).toEqual([
      NOTES,
      "second\n",
    ]);
  });
});

describe("a memory does not touch", () => {
  it("notes of the user's behind a linked folder", () => {
    const own = path.join(dir, "own");
    mkdirSync(own);
    writeFileSync(path.join(own, "x.md"), `mine ${PHONE}\n`);
    symlinkSync(own, path.join(workspaceDir, "memory"));
    expect(sync()).toMatchObject([{ skipped: expect.stringContaining("is a link") }]);
    expect(readFileSync(path.join(own, "x.md"), "utf8")).toBe(`mine ${PHONE}\n`);
    // A workspace that is a link itself is the user's own choice.
    symlinkSync(workspaceDir, path.join(dir, "linked"));
    writeFileSync(file.clean(), NOTES);
    expect(memory.sync("other", path.join(dir, "linked"))[0]?.skipped).toBeUndefined();
    expect(clean()).not.toContain(PHONE);
  });

  it("values of another agent, whose placeholders somebody has written into it", () => {
    const token = store.vault.tokenise(PHONE, "PHONE", "S2", "agent:boss:main");
    writeFileSync(file.clean(), `guess ${token}\n`);
    sync();
    expect(full()).not.toContain(PHONE);
    expect(memory.text("main", workspaceDir, "agent:main:main", true)).not.toContain(PHONE);
    // Of a conversation of his own the host has written the transcript into it.
    memory.sync("boss", workspaceDir);
    expect(readFileSync(path.join(dir, "memory/boss/MEMORY-FULL.md"), "utf8")).toMatch(/guess/);
    writeFileSync(file.clean(), `note ${store.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:main")}\n`);
    sync();
    expect(full()).toContain(`note ${PHONE}`);
  });

  it("the rest of a turn when it cannot be read", () => {
    writeFileSync(file.clean(), Buffer.from([0xc4, 0xe3, 0xba, 0xc3]));
    expect(memory.text("main", workspaceDir, "agent:main:main", true)).toBeUndefined();
    expect(warnings.join()).toMatch(/not UTF-8/);
  });
});
