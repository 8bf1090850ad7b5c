import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import { workspacesOf } from "../setup/workspaces.ts";
import { VaultStore } from "../vault-store/store.ts";
import { MemoryService } from "./memory-service.ts";

const { privacy } = defaultConfig();
const detector = new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1");
let base: string;
let store: VaultStore;
let memory: MemoryService;
let day: string;

beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), "clawx-memory-"));
  store = new VaultStore(path.join(base, "clawxrouter", "vault.sqlite"), {
    maxValues: 1_000,
    retentionDays: 0,
  });
  day = path.join(base, "workspace", "memory", "2026-11-30.md");
  mkdirSync(path.dirname(day), { recursive: true });
  memory = new MemoryService({
    enabled: () => true,
    configured: () => workspacesOf({}, base),
    dataDir: path.join(base, "clawxrouter"),
    vault: () => store,
    detector: () => detector,
    warn: (message) => {
      throw new Error(message);
    },
  });
});
afterEach(() => {
  store.close();
  rmSync(base, { recursive: true, force: true });
});

const key = () => {
  const lines = Array.from({ length: 50 }, () => randomBytes(48).toString("base64"));
  const edge = (word: string) => `-----${word} RSA ${"PRIVATE"} KEY-----`;
  return { lines, text: [edge("BEGIN"), ...lines, edge("END")].join("\n") };
};

it("takes in memory files before any turn: each line of a key is known by itself, the file is clean", async () => {
  const { lines, text } = key();
  writeFileSync(day, `# Day\n${text}\n- likes tea\n`);
  memory.freshen();
  for (const line of lines) expect(store.vault.findKnown(`- Customers: ${line}`).length).toBe(1);
  expect(readFileSync(day, "utf8")).not.toContain(lines[25]);
  expect(readFileSync(day, "utf8")).toContain("likes tea");

  const later = key();
  await sleep(120);
  writeFileSync(day, `${readFileSync(day, "utf8")}\n${later.text}\n`);
  memory.freshen();
  for (const line of later.lines) expect(store.vault.findKnown(line).length).toBe(1);
});

it.each(["- ", "> ", "    12\t", "id_rsa:3:", "// "])(
  "knows the lines of a key behind %j without it",
  (before) => {
    const { lines, text } = key();
    writeFileSync(day, text.replaceAll(/^/gm, before));
    memory.freshen();
    for (const line of lines) expect(store.vault.findKnown(`Customers: ${line}`).length).toBe(1);
  },
);

it("writes nothing where nothing changed", async () => {
  writeFileSync(day, `# Day\n${key().text}\n`);
  memory.freshen();
  const version = store.vault.version;
  await sleep(120);
  memory.freshen();
  expect(store.vault.version).toBe(version);
});

it("knows the folders of openclaw.json", () => {
  const config = {
    agents: {
      defaults: { workspace: "/srv/w" },
      entries: { main: {}, work: { workspace: "~/work" }, other: {} },
    },
  };
  expect([...workspacesOf(config, base)]).toEqual([
    ["main", "/srv/w"],
    ["work", path.join(os.homedir(), "work")],
    ["other", "/srv/w-other"],
  ]);
});

it("looks at the files also after the clock was put back", async () => {
  memory.freshen();
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() - 3_600_000 });
  try {
    const { lines, text } = key();
    writeFileSync(day, text);
    await sleep(120);
    memory.freshen();
    expect(store.vault.findKnown(lines[25] ?? "").length).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
