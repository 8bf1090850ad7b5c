/** A vault that another process has locked: nobody waits, nothing is lost, no placeholder means two things. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Conversation } from "./conversation.ts";
import { VaultStore } from "./store.ts";

const OPTIONS = { maxValues: 20_000, retentionDays: 0 };
let dir: string;
let file: string;
let open: { close(): void }[];
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-lock-"));
  file = path.join(dir, "clawxrouter", "vault.sqlite");
  open = [];
});
afterEach(() => {
  for (const one of open.reverse()) one.close();
  rmSync(dir, { recursive: true, force: true });
});

function vault(): VaultStore {
  const store = new VaultStore(file, OPTIONS);
  open.push(store);
  return store;
}
/** Takes the lock as another process would; the result gives it back. */
function lock(): () => void {
  const db = new DatabaseSync(file, { timeout: 2_000 });
  db.exec("BEGIN IMMEDIATE");
  let done = false;
  const unlock = () => {
    if (!done) db.close();
    done = true;
  };
  open.push({ close: unlock });
  return unlock;
}
const rows = (): number => {
  const db = new DatabaseSync(file, { readOnly: true });
  const { n } = db.prepare("SELECT count(*) AS n FROM entries").get() as { n: number };
  db.close();
  return n;
};
const heldFiles = () => readdirSync(path.dirname(file)).filter((name) => name.includes(".held-"));

it("nobody waits: values, whole texts, quiet ones, traces and facts are kept at once and written later", async () => {
  const store = vault();
  const before = store.vault.tokenise("value-before", "SECRET", "S2", "s");
  const unlock = lock();
  const started = performance.now();
  const tokens = Array.from({ length: 500 }, (_, i) =>
    store.vault.tokenise(`value-${i}`, "SECRET", "S2", "s"),
  );
  const talk = new Conversation(store.vault, "s");
  const mark = talk.lock("a text that is private as a whole, and long");
  const quiet = talk.lock("Done.", { everyday: true });
  store.rememberTrace("ab".repeat(16), "s");
  store.setMeta("k", "1");
  store.setMeta("k", "2");
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(rows()).toBe(1);
  expect(new Set([before, ...tokens, mark, quiet]).size).toBe(503);
  expect(store.vault.tokenise("value-before", "SECRET", "S2", "s")).toBe(before);
  expect(store.vault.tokenise("value-7", "SECRET", "S2", "s")).toBe(tokens[7]);
  expect(talk.lock("Done.", { everyday: true })).toBe(quiet);
  expect(talk.restore([...tokens, mark, quiet].join(" "))).toMatch(/^value-0 .* Done\.$/);
  expect(talk.findKnown("here is value-499 again")).toHaveLength(1);
  expect(store.getMeta("k")).toBe("2");
  for (const name of heldFiles()) expect(statSync(path.join(path.dirname(file), name)).mode & 0o077).toBe(0);
  unlock();
  await expect.poll(rows, { timeout: 10_000 }).toBe(503);
  await expect.poll(heldFiles).toEqual([]);
  expect(store.size()).toBe(503);
  store.close();
  const again = vault();
  expect(new Conversation(again.vault, "s").restore([...tokens, mark, quiet].join(" "))).toMatch(
    /^value-0 .* Done\.$/,
  );
  expect(again.vault.tokenise("value-7", "SECRET", "S2", "s")).toBe(tokens[7]);
  expect(again.getMeta("k")).toBe("2");
  expect(again.sessionOfTrace("ab".repeat(16))).toBe("s");
});

it("two processes that cannot ask each other give no placeholder twice, and both know all in the end", async () => {
  const [one, two] = [vault(), vault()];
  const unlock = lock();
  const a = one.vault.tokenise("value-of-one", "PHONE", "S2", "s");
  const b = two.vault.tokenise("value-of-two", "PHONE", "S2", "s");
  expect(a).not.toBe(b);
  unlock();
  await expect.poll(rows, { timeout: 10_000 }).toBe(2);
  await sleep(0);
  for (const { vault: values } of [one, two])
    expect(new Conversation(values, "s").restore(`${a} ${b}`)).toBe("value-of-one value-of-two");
});

it("a value that was S2 when the lock was held and became S3 is S3 afterwards, under both placeholders", async () => {
  const store = vault();
  const unlock = lock();
  const soft = store.vault.tokenise("value-12345", "NAME", "S2", "s");
  const hard = store.vault.tokenise("value-12345", "NAME", "S3", "s");
  unlock();
  await expect.poll(rows, { timeout: 10_000 }).toBe(2);
  store.close();
  const talk = new Conversation(vault().vault, "s");
  expect(talk.restore(`${soft} ${hard}`, ["S2"])).toBe(`${soft} ${hard}`);
  expect(talk.restore(`${soft} ${hard}`)).toBe("value-12345 value-12345");
});

it("opens while the vault is locked, and tidies up afterwards", async () => {
  vault().vault.tokenise("value-before", "SECRET", "S2", "s");
  const unlock = lock();
  const started = performance.now();
  const store = vault();
  // SQLite would have waited for two seconds.
  expect(performance.now() - started).toBeLessThan(1_900);
  expect(store.vault.findKnown("here is value-before")).toHaveLength(1);
  unlock();
  await expect.poll(() => store.getMeta("clock"), { timeout: 5_000 }).toBeDefined();
});

it("killed while the vault was locked: the next start restores", { timeout: 60_000 }, async () => {
  vault().close();
  const unlock = lock();
  const script = `
    import { writeSync } from "node:fs";
    import { VaultStore } from ${JSON.stringify(new URL("./store.ts", import.meta.url).href)};
    const store = new VaultStore(${JSON.stringify(file)}, ${JSON.stringify(OPTIONS)});
    for (let i = 0; i < 50; i++) writeSync(1, store.vault.tokenise("value-" + i, "SECRET", i % 2 ? "S2" : "S3", "s") + "\\n");
    writeSync(1, "all\\n");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module-typescript", "-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "close");
  let out = "";
  for await (const chunk of child.stdout) {
    out += String(chunk);
    if (out.endsWith("all\n")) child.kill("SIGKILL");
  }
  await ended;
  unlock();
  const tokens = out.split("\n").slice(0, 50);
  const again = vault();
  const talk = new Conversation(again.vault, "s");
  expect(tokens.map((token) => talk.restore(token))).toEqual(tokens.map((_, i) => `value-${i}`));
  expect(again.vault.tokenise("value-3", "SECRET", "S2", "s")).toBe(tokens[3]);
  expect(heldFiles()).toEqual([]);
});

it("fails closed when too much waits, and is of use again when the lock is gone", async () => {
  const store = vault();
  const unlock = lock();
  const text = "x".repeat(1024 * 1024);
  const fill = () => {
    for (let i = 0; i < 40; i++) store.vault.tokenise(`${i} ${text}`, "SECRET", "S2", "s");
  };
  expect(fill).toThrow(/locked by another process/);
  // What could not be kept is not known by a placeholder that nothing stands behind.
  expect(() => store.vault.tokenise(`31 ${text}`, "SECRET", "S2", "s")).toThrow(/locked/);
  unlock();
  await expect.poll(heldFiles, { timeout: 20_000 }).toEqual([]);
  expect(store.vault.tokenise(`39 ${text}`, "SECRET", "S2", "s")).toMatch(/^\[REDACTED:SECRET_\d+\]$/);
}, 60_000);
