import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readConfigFile } from "../config-file/file.ts";
import { Conversation } from "./conversation.ts";
import { VaultStore } from "./store.ts";

const CHILD = fileURLToPath(new URL("./kill-child.ts", import.meta.url));
const ROUNDS = 8;

interface Kept {
  token: string;
  value: string;
  session: string;
}

let dir: string;
beforeAll(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-kill-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs the child and kills it at a random moment after its first line; what it said was on disk. */
async function killed(round: number, vault: string, config: string): Promise<Kept[]> {
  const child = spawn(process.execPath, [CHILD, vault, config, String(round)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  let out = "";
  const first = new Promise<void>((resolve) =>
    child.stdout.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      resolve();
    }),
  );
  await Promise.race([first, ended]);
  await sleep(randomInt(60));
  child.kill("SIGKILL");
  await ended;
  return out
    .split("\n")
    .filter((line) => line.endsWith("}"))
    .map((line) => JSON.parse(line) as Kept);
}

it(`${ROUNDS} times SIGKILL while vault and config are written: both are whole, all that was told is there`, {
  timeout: 120_000,
}, async () => {
  const vault = path.join(dir, "clawxrouter", "vault.sqlite");
  const config = path.join(dir, "clawxrouter.json");
  const all = new Map<string, Kept>();
  for (let round = 0; round < ROUNDS; round++) {
    const kept = await killed(round, vault, config);
    expect(kept.length).toBeGreaterThan(0);
    for (const one of kept) {
      expect(all.get(one.token)?.value ?? one.value, "a number was given twice").toBe(one.value);
      all.set(one.token, one);
    }
    const store = new VaultStore(vault, { maxValues: 1_000, retentionDays: 0 });
    expect(store.movedAside).toBeUndefined();
    for (const { token, value, session } of all.values())
      expect(new Conversation(store.vault, session).restore(token)).toBe(value);
    store.close();
    const db = new DatabaseSync(vault, { readOnly: true });
    expect(db.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
    db.close();
    const [keyword = ""] = readConfigFile(config).privacy.rules.keywords.S3;
    const number = Number(keyword.split("-")[2]);
    expect(keyword).toBe(`value-${round}-${number}-${"x".repeat(number % 700)}`);
    expect(number).toBeGreaterThanOrEqual(kept.length - 1);
  }
  expect(all.size).toBeGreaterThan(ROUNDS);
  // A temporary file of a killed writer may be left over; it must never be taken for the configuration.
  expect(
    readdirSync(dir).filter((name) => !/^clawxrouter(?:\.json(?:\.\d+\.\w+\.tmp)?)?$/.test(name)),
  ).toEqual([]);
});
