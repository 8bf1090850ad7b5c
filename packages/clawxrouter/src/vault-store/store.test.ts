import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Conversation, memoryScope } from "./conversation.ts";
import { VaultStore } from "./store.ts";
import { formatToken, replaceTokens, tokenSpans } from "./tokens.ts";

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
function vault(options = OPTIONS) {
  const store = new VaultStore(file, options);
  open.push(store);
  return store;
}

describe("VaultStore", () => {
  it("keeps one token a value in a conversation, others in another, none twice", () => {
    const store = vault();
    const zhang = new Conversation(store, "agent:main:telegram:张三");
    const li = new Conversation(store, "agent:main:telegram:李四");
    const a = zhang.tokenFor("13800138000", "PHONE", "S2");
    expect(zhang.tokenFor("13800138000", "PHONE", "S2")).toBe(a);
    const b = li.tokenFor("13800138000", "PHONE", "S2");
    expect(b).not.toBe(a);
    expect(zhang.tokenFor("13900139000", "PHONE", "S2")).not.toBe(b);
    expect(li.valueOf(a)).toBeUndefined();
    expect(zhang.valueOf(a)).toBe("13800138000");
    expect(new Conversation(store, undefined).valueOf(a)).toBeUndefined();
  });

  it("survives reopening and is seen by a second process at once", () => {
    const first = vault();
    const second = vault();
    const token = new Conversation(first, "s").tokenFor("v-12345", "SECRET", "S3");
    expect(new Conversation(second, "s").valueOf(token)).toBe("v-12345");
    expect(new Conversation(second, "s").tokenFor("v-12345", "SECRET", "S3")).toBe(token);
    first.rememberTrace("ab".repeat(16), "s");
    expect(second.sessionOfTrace("ab".repeat(16))).toBe("s");
    first.close();
    expect(new Conversation(vault(), "s").valueOf(token)).toBe("v-12345");
  });

  it("is private on disk", () => {
    vault().put("s", "v", "T", "S2", "value");
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

  it("raises a value's level without changing its token", () => {
    const store = vault();
    const talk = new Conversation(store, "s");
    const token = talk.tokenFor("value-1", "NAME", "S2");
    expect(talk.tokenFor("value-1", "NAME", "S3")).toBe(token);
    expect(talk.entryOf(token)?.level).toBe("S3");
    expect(talk.tokenFor("value-1", "NAME", "S2")).toBe(token);
    expect(talk.entryOf(token)?.level).toBe("S3");
  });

  it("keeps no more than it may, the newest", () => {
    const store = vault({ ...OPTIONS, maxValues: 1_000 });
    for (let i = 0; i < 1_200; i++) store.put("s", `value ${i}`, "T", "S2", "value");
    store.close();
    const again = vault();
    expect(again.size()).toBe(1_000);
    expect(again.view("s").byValue("value 1199")).toBeDefined();
    expect(again.view("s").byValue("value 0")).toBeUndefined();
  });
});

describe("Conversation", () => {
  it("locks a text with its telling lines and gives it back", () => {
    const talk = new Conversation(vault(), "s");
    const text = "short\nthis line is long enough to be recognised\n";
    const mark = talk.lock(text, { lines: true });
    expect(mark).toMatch(/^🔒\[PRIVATE:TEXT_\d+\]$/);
    expect(talk.restore(mark)).toBe(text);
    expect(talk.levelOfTokens(`see ${mark}`)).toBe("S3");
    expect([...talk.values()].map((v) => v.value)).toContain("this line is long enough to be recognised");
    expect([...talk.values()].map((v) => v.value)).not.toContain("short");
  });

  it("matches long values of other conversations, short ones only where they belong", () => {
    const store = vault();
    new Conversation(store, "a").tokenFor("张三", "NAME", "S2");
    new Conversation(store, "a").tokenFor("long-enough-value", "SECRET", "S3");
    const seen = [...new Conversation(store, "b").values()];
    expect(seen.map((v) => v.value)).toEqual(["long-enough-value"]);
    expect(seen[0]?.token).toMatch(/^\[PRIVATE:SECRET_/);
    expect([...new Conversation(store, undefined).values()].map((v) => v.value).sort()).toContain("张三");
  });

  it("restores tokens of the agent's memory in its sessions only", () => {
    const store = vault();
    const token = new Conversation(store, memoryScope("main")).tokenFor("10.1.2.3", "IP", "S2");
    expect(new Conversation(store, "agent:main:main").restore(`at ${token}`)).toBe("at 10.1.2.3");
    expect(new Conversation(store, "agent:other:main").restore(`at ${token}`)).toBe(`at ${token}`);
  });

  it("restores what it redacted, for any texts and values", () => {
    const talk = new Conversation(vault(), "s");
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
        fc.pre(tokenSpans(text).length === 0 && !text.includes("🔒"));
        expect(talk.restore(talk.redact(text, findings))).toBe(text);
      }),
      { numRuns: 100 },
    );
  });
});

describe("tokens", () => {
  it("have one shape for any type", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.integer({ min: 1, max: 1_000_000 }), (type, n) => {
        const token = formatToken("S2", type, n);
        expect(tokenSpans(`a${token}b`)).toEqual([{ token, start: 1, end: 1 + token.length }]);
      }),
    );
  });
  it("leaves what is not known", () => {
    expect(replaceTokens("x [REDACTED:PHONE_1] [REDACTED: y", () => undefined)).toBe(
      "x [REDACTED:PHONE_1] [REDACTED: y",
    );
  });
});
