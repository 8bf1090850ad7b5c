import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Conversation } from "./conversation.ts";
import { VaultStore } from "./store.ts";

const OPTIONS = { maxValues: 1_000, retentionDays: 0 };
let dir: string;
let file: string;
let open: VaultStore[] = [];
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-vault-"));
  file = path.join(dir, "clawxrouter", "vault.sqlite");
});
afterEach(() => {
  for (const store of open) store.close();
  open = [];
  rmSync(dir, { recursive: true, force: true });
});
const DAY_MS = 86_400_000;
/** Opens the vault on a day by the clock, and keeps values for 30 days. */
function at(day: number) {
  for (const store of open) store.close();
  const store = new VaultStore(file, { maxValues: 1_000, retentionDays: 30, now: () => day * DAY_MS });
  open.push(store);
  return store;
}
function vault(options = OPTIONS) {
  const store = new VaultStore(file, options);
  open.push(store);
  return store;
}

describe("VaultStore", () => {
  it("shuts a folder and a damaged file that stood open to others", () => {
    mkdirSync(path.dirname(file), { mode: 0o755 });
    writeFileSync(file, "no database ".repeat(500), { mode: 0o644 });
    const { movedAside } = vault();
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    expect(statSync(movedAside ?? "").mode & 0o777).toBe(0o600);
  });

  it("gives one placeholder a value and restores it only in the conversations that know the value", () => {
    const { vault: values } = vault();
    const [zhang, li] = ["agent:main:telegram:张三", "agent:main:telegram:李四"];
    const phone = values.tokenise("13800138000", "PHONE", "S2", zhang);
    const other = values.tokenise("13900139000", "PHONE", "S2", li);
    expect(other).not.toBe(phone);
    expect(new Conversation(values, zhang).restore(phone)).toBe("13800138000");
    expect(new Conversation(values, li).restore(phone)).toBe(phone);
  });

  it("survives reopening", () => {
    const first = vault();
    const token = first.vault.tokenise("v-12345", "SECRET", "S3", "s");
    first.rememberTrace("ab".repeat(16), "s");
    first.close();
    const again = vault();
    expect(new Conversation(again.vault, "s").restore(token)).toBe("v-12345");
    expect(again.sessionOfTrace("ab".repeat(16))).toBe("s");
    expect(again.vault.tokenise("v-12345", "SECRET", "S3", "s")).toBe(token);
    expect(again.vault.tokenise("another", "SECRET", "S3", "s")).not.toBe(token);
  });

  it("does not look for what tells nothing: borders of a key, punctuation; it still gives them back", () => {
    const { vault: values } = vault();
    const border = `-----BEGIN RSA ${"PRIVATE"} KEY-----`;
    for (const value of [border, `${border}\\`, `-----END ${"PRIVATE"} KEY-----`, '",', "\\"]) {
      const token = values.tokenise(value, "PRIVATE_KEY", "S3", "s");
      expect(new Conversation(values, "s").restore(token)).toBe(value);
      expect(values.findKnown(`a text with ${value} in it`)).toEqual([]);
    }
    const cut = `${border}\nMIIEow`;
    values.tokenise(cut, "PRIVATE_KEY", "S3", "s");
    expect(values.findKnown(`a text with ${cut} in it`)).toHaveLength(1);
    expect(() => values.tokenise("", "SECRET", "S2", "s")).toThrow(RangeError);
  });

  it("does not look for the words that are left around placeholders in a private text", () => {
    const { vault: values } = vault();
    const redact = (text: string, spans: [string, string, string][]) =>
      values.replaceFindings(
        text,
        spans.map(([value, type, rule]) => {
          const start = text.indexOf(value);
          return { start, end: start + value.length, value, type, level: "S3", rule, confidence: 1 };
        }),
        { session: "s", ownTokens: "keep" },
      );
    const secret = values.tokenise("Winter-2026-Rose", "PASSWORD", "S2", "s");
    const line = `please write to the doctor that ${secret} opens the old cabinet`;
    const kept = redact(line, [[line, "TEXT", "memory/line"]]);
    expect(kept).toMatch(/^\[PRIVATE:NOTE_1\]\[REDACTED:PASSWORD_1\]\[PRIVATE:NOTE_2\]$/);
    expect(values.restore(kept)).toBe(line.replace(secret, "Winter-2026-Rose"));
    expect(redact(line, [[line, "TEXT", "memory/line"]])).toBe(kept);
    expect(values.findKnown("please write to the doctor that it opens the old cabinet")).toEqual([]);
    // What is left of a key is still a key.
    const key = `${"Kq7".repeat(9)}${secret}${"Zp4x".repeat(6)}`;
    redact(key, [[key, "API_KEY", "credentials/any"]]);
    expect(values.findKnown(`it ends with ${"Zp4x".repeat(6)}`)).toHaveLength(1);
    // Known as a whole, a text is found again whole.
    const whole = "the password of the old cabinet is in the blue book";
    values.lockText(whole, "t");
    expect(values.findKnown(`> ${whole}`)).toHaveLength(1);
  });

  it("sees what another process wrote as soon as something of it can have come here", async () => {
    const [gateway, cli] = [vault(), vault()];
    expect(gateway.vault.findKnown("a value of-the-cli here")).toEqual([]);
    cli.vault.tokenise("of-the-cli", "SECRET", "S2", "s");
    expect(gateway.vault.findKnown("a value of-the-cli here")).toHaveLength(1);
    const child = `
      import { VaultStore } from ${JSON.stringify(new URL("./store.ts", import.meta.url).href)};
      new VaultStore(${JSON.stringify(file)}, ${JSON.stringify(OPTIONS)}).vault.tokenise("of-a-child", "SECRET", "S2", "s");
      console.log("written");`;
    expect(gateway.vault.findKnown("a value of-a-child here")).toEqual([]);
    await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "-e", child]);
    expect(gateway.vault.findKnown("a value of-a-child here")).toHaveLength(1);
  });

  it("is one vault for all processes: values, numbers and conversations", () => {
    const [gateway, cli] = [vault(), vault()];
    const a = cli.vault.tokenise("first-value", "SECRET", "S2", "s");
    const b = gateway.vault.tokenise("second-value", "SECRET", "S2", "s");
    expect(b).not.toBe(a);
    expect(gateway.vault.tokenise("first-value", "SECRET", "S2", "s")).toBe(a);
    expect(new Conversation(gateway.vault, "s").restore(`${a} ${b}`)).toBe("first-value second-value");
    expect(gateway.vault.findKnown("it is first-value here").length).toBe(1);
    const before = cli.vault.version;
    gateway.vault.tokenise("third-value", "SECRET", "S2", "s");
    expect(cli.vault.version).toBeGreaterThan(before);
  });

  it("keeps a value that became private private after a restart, under both placeholders", () => {
    const first = vault();
    const soft = first.vault.tokenise("value-12345", "NAME", "S2", "s");
    const hard = first.vault.tokenise("value-12345", "NAME", "S3", "s");
    first.close();
    const talk = new Conversation(vault().vault, "s");
    expect(talk.restore(`${soft} ${hard}`, ["S2"])).toBe(`${soft} ${hard}`);
    expect(talk.restore(`${soft} ${hard}`)).toBe("value-12345 value-12345");
  });

  it("finds on disk what no longer fits in memory", () => {
    const store = vault({ ...OPTIONS, maxValues: 1_000 });
    const first = store.vault.tokenise("value 0000", "T", "S2", "s");
    for (let i = 1; i < 1_100; i++) store.vault.tokenise(`value ${1000 + i}`, "T", "S2", "s");
    expect(store.vault.size).toBe(1_000);
    expect(new Conversation(store.vault, "s").restore(first)).toBe("value 0000");
    store.close();
    expect(new Conversation(vault().vault, "s").restore(first)).toBe("value 0000");
  });

  it("deletes what is older than it may keep", () => {
    at(0).vault.tokenise("old-value", "T", "S2", "s");
    for (let day = 5; day <= 40; day += 5) at(day);
    const later = at(41);
    expect(later.size()).toBe(0);
    expect(later.sessions()).toEqual([]);
  });

  it("a clock that jumps ahead deletes nothing, however often the vault is opened on that day", () => {
    const token = at(0).vault.tokenise("value-12345", "T", "S2", "s");
    for (const day of [4_000, 4_000, 4_000.5, 0.1, 4_000, 0.2]) expect(at(day).size()).toBe(1);
    // A clock set far back makes nothing that is written then old, either.
    at(-20_000).vault.tokenise("value-67890", "T", "S2", "s");
    const now = at(1);
    expect(now.size()).toBe(2);
    expect(new Conversation(now.vault, "s").restore(token)).toBe("value-12345");
  });

  it("a machine that was off for long is believed on the second day", () => {
    at(0).vault.tokenise("old-value", "T", "S2", "s");
    expect(at(60).size()).toBe(1);
    expect(at(61).size()).toBe(0);
  });

  it("a gateway that ran for a month is no jump of the clock", () => {
    let now = 0;
    const running = new VaultStore(file, { maxValues: 1_000, retentionDays: 30, now: () => now * DAY_MS });
    for (; now < 40; now++) running.vault.tokenise(`value of day ${now}`, "T", "S2", "s");
    running.close();
    expect(at(41).size()).toBe(29);
  });

  it("forgets what a self-test has left, in every process, and gives the user his own numbers", () => {
    const gateway = vault();
    const command = vault();
    const own = "agent:main:clawxrouter-selftest-01ab9f-read";
    const marks = ["selftest:", own].map((session, i) =>
      gateway.vault.tokenise(`1380013800${i}`, "PHONE", "S2", session),
    );
    expect(marks).toEqual(["[REDACTED:PHONE_SELFTEST_1]", "[REDACTED:PHONE_SELFTEST_2]"]);
    expect(new Conversation(gateway.vault, own).restore(marks[1] ?? "")).toBe("13800138001");
    new Conversation(gateway.vault, own).lock("Done.", { everyday: true });
    const named = "agent:main:clawxrouter-selftest-notes";
    expect(gateway.vault.tokenise("13900139000", "PHONE", "S2", "s")).toBe("[REDACTED:PHONE_1]");
    // The same value of somebody else's stays.
    expect(gateway.vault.tokenise("13800138000", "PHONE", "S2", named)).toBe("[REDACTED:PHONE_2]");
    expect(gateway.size()).toBe(5);
    command.forgetSelfTests();
    expect(gateway.size()).toBe(2);
    expect(command.vault.findKnown("13800138001")).toEqual([]);
    gateway.forgetSelfTests();
    expect(gateway.vault.findKnown("13800138001")).toEqual([]);
    expect(gateway.vault.findKnown("13800138000")).toHaveLength(1);
    expect(gateway.sessions().map(({ session }) => session)).toEqual([named, "s"]);
    // A number is never given twice, not even of these.
    expect(vault().vault.tokenise("13700137000", "PHONE", "S2", own)).toBe("[REDACTED:PHONE_SELFTEST_3]");
  });

  it("is private on disk", () => {
    vault().vault.tokenise("v", "T", "S2", "s");
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(path.dirname(file))) {
      expect(statSync(path.join(path.dirname(file), name)).mode & 0o077, name).toBe(0);
    }
  });

  it("moves a damaged database aside and starts anew", () => {
    vault().close();
    writeFileSync(file, "this is no database at all, not even nearly one".repeat(200));
    const store = vault();
    expect(store.movedAside).toMatch(/damaged-\d+$/);
    expect(store.size()).toBe(0);
  });

  it.each(["damaged", "deleted"])(
    "a vault after one that was %s gives none of its placeholders to another value",
    (what) => {
      const tokens = (store: VaultStore, value: string) => [
        store.vault.tokenise(value, "PHONE", "S2", "s"),
        store.vault.keepQuietly(`${value}?`, "s"),
        store.vault.tokenise(`${value}#`, "AVERYLONGNAMEOFATYPEINDEED_OFCOURSE", "S3", "s"),
      ];
      const seen = new Set<string>();
      for (let round = 0; round < 3; round++) {
        const store = vault();
        const [first, second] = [tokens(store, "13800130013"), tokens(store, "13900139001")];
        for (const token of [...first, ...second]) {
          expect(seen.has(token), token).toBe(false);
          seen.add(token);
        }
        store.close();
        expect(tokens(vault(), "13800130013")).toEqual(first);
        for (const other of open) other.close();
        if (what === "deleted")
          for (const suffix of ["", "-wal", "-shm"]) rmSync(file + suffix, { force: true });
        else writeFileSync(file, "this is no database at all, not even nearly one".repeat(200));
      }
    },
  );
});

describe("Conversation", () => {
  it("a whole text from the proxy is not looked for by the words that the host puts around every message", () => {
    const { vault: values } = vault();
    const wrap = (text: string) =>
      `[Tue 2026-12-01 03:28 UTC] ${text}\n\nRuntime: agent=main | session=agent:main:x | host=vm | repo=/home/me/workspace`;
    const said = "the whole story of the zebrafish, as it was told";
    const token = values.tokenise(wrap(said), "TEXT", "S3", "s");
    expect(values.restore(token, { session: "s" })).toBe(wrap(said));
    expect(values.tokenise(wrap(said), "TEXT", "S3", "s")).toBe(token);
    expect(values.findKnown(`again: ${said}`).map(({ value }) => value)).toEqual([said]);
    expect(values.findKnown(wrap("What is TCP?"))).toEqual([]);
  });

  it("locks a text with its telling lines and gives it back", () => {
    const { vault: values } = vault();
    const talk = new Conversation(values, "s");
    const text = "short\nthis line is long enough to be recognised\n";
    const mark = talk.lock(text);
    expect(mark).toMatch(/^🔒\[PRIVATE:TEXT_\d+\]$/);
    expect(talk.restore(mark)).toBe(text);
    expect(talk.restore(mark, ["S2"])).toBe(mark);
    expect(talk.levelOfTokens(`see ${mark}`)).toBe("S3");
    // An everyday answer of a private turn comes back by its token and hides nothing elsewhere.
    const ok = talk.lock("Done.", { everyday: true });
    expect(talk.lock("Done.", { everyday: true })).toBe(ok);
    expect(talk.restore(ok)).toBe("Done.");
    expect(talk.findKnown("Done. And now?")).toEqual([]);
    expect(talk.findKnown(values.tokenise('"}', "TEXT", "S3", "s"))).toEqual([]);
    expect(talk.findKnown('{"a":{"b":1}}')).toEqual([]);
    // A short text that is private by itself is looked for all the same.
    talk.lock("我得了糖尿病");
    expect(talk.findKnown("他说我得了糖尿病吗").length).toBe(1);
    expect(talk.findKnown("quoting: this line is long enough to be recognised").length).toBe(1);
  });

  it("of a private text in the host's wording looks only for what is not the host's", () => {
    const talk = new Conversation(vault().vault, "s");
    const wrapped = (text: string) =>
      `[Subagent Context] You are running as a subagent (depth 1/5). Complete the task.\n\n[Subagent Task]\n\n${text}\n\nThis is an unattended scheduled run. Nobody is present to clarify.`;
    const text = wrapped("the doctor found something in my lung");
    const mark = talk.lock(text);
    expect(mark).toMatch(/^🔒\[PRIVATE:NOTE_\d+\]$/);
    expect(talk.restore(mark)).toBe(text);
    expect(talk.findKnown(wrapped("water the plants in the hall, please"))).toEqual([]);
    expect(talk.findKnown("he said the doctor found something in my lung")).toHaveLength(1);
  });

  it("restores what it redacted, for any texts and values", () => {
    const talk = new Conversation(vault().vault, "s");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string({ minLength: 1 })), { maxLength: 6 }), (parts) => {
        let text = "";
        const findings = parts.map(([gap, value]) => {
          text += gap;
          const start = text.length;
          text += value;
          return {
            start,
            end: text.length,
            type: "T",
            level: "S2" as const,
            rule: "t/t",
            confidence: 1,
            value,
          };
        });
        expect(talk.restore(talk.redact(text, findings, "escape"))).toBe(text);
      }),
      { numRuns: 100 },
    );
  });
});
