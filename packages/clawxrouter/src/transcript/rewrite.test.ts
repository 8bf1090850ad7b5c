import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { RuleDetector } from "../detection/rules.ts";
import { Conversation } from "../vault-store/conversation.ts";
import { VaultStore } from "../vault-store/store.ts";
import { rewriteMessage, withheld } from "./rewrite.ts";

const PHONE = `138${"0013".repeat(2)}`;
const AWS = `AK${"IA"}${"Q3EGZ7PLM2NVX4TY"}`;
const { privacy } = defaultConfig();
const detector = new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1");
let talk: Conversation;
beforeEach(() => {
  talk = new Conversation(new Vault(), "s");
});
const write = (message: object, privateTurn = false) =>
  rewriteMessage(message, { talk, detector, privateTurn }) as { content: unknown; details: unknown };

describe("what a transcript holds", () => {
  it("leaves a safe message as it is, the same object", () => {
    const message = { role: "user", content: "What is TLS?", timestamp: 1 };
    expect(rewriteMessage(message, { talk, detector, privateTurn: false })).toBe(message);
  });

  it("values become placeholders, a private message one lock, and both come back", () => {
    const soft = write({ role: "user", content: `call ${PHONE}` });
    expect(soft.content).toMatch(/^call \[REDACTED:/);
    const hard = write({
      role: "user",
      content: [
        { type: "text", text: `key ${AWS}\nthanks` },
        { type: "image", data: "AAAA", mimeType: "image/png" },
      ],
    });
    expect(JSON.stringify(hard)).not.toContain(AWS);
    expect(JSON.stringify(hard)).toContain('"data":"AAAA"');
    expect(talk.restore(JSON.stringify(soft))).toContain(PHONE);
    const lock = (hard.content as { text: string }[])[0]?.text ?? "";
    expect(lock).toMatch(/^🔒\[PRIVATE:TEXT_\d+\]$/);
    expect(talk.restore(lock)).toBe(`key ${AWS}\nthanks`);
  });

  it("writing the same message again changes nothing", () => {
    const once = write({ role: "user", content: `key ${AWS}` });
    expect(write(once)).toBe(once);
    const soft = write({ role: "assistant", content: [{ type: "text", text: `call ${PHONE}` }] });
    expect(write(soft)).toEqual(soft);
  });

  it("all of a private turn is locked: text, thoughts without their signature, arguments, results and details", () => {
    const assistant = write(
      {
        role: "assistant",
        model: "m",
        content: [
          { type: "thinking", thinking: "he has high blood pressure", thinkingSignature: "sig" },
          { type: "text", text: "You have high blood pressure." },
          {
            type: "toolCall",
            id: "t1",
            name: "write",
            arguments: { path: "diagnosis.txt", content: "high blood pressure" },
          },
        ],
      },
      true,
    );
    const text = JSON.stringify(assistant);
    expect(text).not.toContain("blood");
    expect(text).not.toContain('sig"');
    expect(text).not.toContain("diagnosis");
    expect(text).toContain('"name":"write"');
    const result = write(
      {
        role: "toolResult",
        toolCallId: "t1",
        toolName: "write",
        content: [{ type: "text", text: "wrote blood pressure" }],
        details: { status: "completed", diff: "+ blood" },
      },
      true,
    );
    expect(JSON.stringify(result)).not.toContain("blood");
    expect((result.details as { status: string }).status).toBe("completed");
  });

  it("details and arguments of a cloud turn lose their values, and stay JSON", () => {
    const result = write({
      role: "toolResult",
      toolCallId: "t",
      toolName: "exec",
      content: [{ type: "text", text: `phone ${PHONE}` }],
      details: { stdout: `phone ${PHONE}`, exitCode: 0 },
    });
    expect(JSON.stringify(result)).not.toContain(PHONE);
    expect((result.details as { exitCode: number }).exitCode).toBe(0);
    const call = write({
      role: "assistant",
      content: [{ type: "toolCall", id: "t", name: "x", arguments: { to: PHONE, n: 1 } }],
    });
    expect(JSON.stringify(call)).not.toContain(PHONE);
  });

  it("what tools show in a turn that only values made private is not looked for elsewhere, and comes back", () => {
    const dir = mkdtempSync(path.join(os.tmpdir(), "clawx-rewrite-"));
    const store = new VaultStore(path.join(dir, "vault.sqlite"), { maxValues: 1_000, retentionDays: 0 });
    onTestFinished(() => {
      store.close();
      rmSync(dir, { recursive: true, force: true });
    });
    const own = new Conversation(store.vault, "s");
    const readme = "This library draws widgets on the screen and keeps them in step.";
    const place = "/home/me/.openclaw/workspace";
    const shown = (privateText: string, valuesOnly: boolean) =>
      JSON.stringify(
        rewriteMessage(
          {
            role: "toolResult",
            toolName: "exec",
            content: [{ type: "text", text: `${readme}\n${privateText}` }],
            details: { cwd: place, aggregated: readme },
          },
          { talk: own, detector, privateTurn: true, valuesOnly },
        ),
      );
    const isKnown = (text: string) => own.findKnown(text).length > 0;
    const quiet = shown("all is well", true);
    for (const text of [readme, place]) {
      expect(quiet).not.toContain(text);
      expect(isKnown(text)).toBe(false);
    }
    expect(own.restore(JSON.parse(quiet).content[0].text)).toBe(`${readme}\nall is well`);
    // A secret that a tool shows is private by itself, and the meaning of a turn makes all of it private.
    shown(`key ${AWS}`, true);
    expect(isKnown(AWS)).toBe(true);
    shown("diagnosis: something else entirely, in words", false);
    expect([isKnown("diagnosis: something else entirely, in words"), isKnown(place)]).toEqual([true, false]);
    rewriteMessage(
      {
        role: "assistant",
        content: [{ type: "toolCall", id: "t", name: "read", arguments: { path: `${place}/README.md` } }],
      },
      { talk: own, detector, privateTurn: true, valuesOnly: true },
    );
    expect(isKnown(`please fix ${place}/README.md`)).toBe(false);
  });

  it("two tool results that begin alike stay two (case: same-prefix-results)", () => {
    const head = "x".repeat(300);
    const [a, b] = [`${head} ${AWS} first`, `${head} ${AWS} other`].map((text) =>
      write({ role: "toolResult", content: [{ type: "text", text }] }),
    );
    const textOf = (m: unknown) =>
      talk.restore((m as { content: { text: string }[] }).content[0]?.text ?? "");
    expect([textOf(a), textOf(b)]).toEqual([`${head} ${AWS} first`, `${head} ${AWS} other`]);
  });

  it("two names are two placeholders, the same ones in every turn (cases: two-people, remask)", () => {
    const [a, b] = [PHONE, `139${"2468".repeat(2)}`];
    const first = write({ role: "user", content: `${a} and ${b}` }).content as string;
    expect(new Set(first.match(/\[REDACTED:[A-Z_]+_\d+\]/g)).size).toBe(2);
    expect(write({ role: "assistant", content: `${a} and ${b}` }).content).toBe(first);
  });

  it("never throws, whatever the host hands over", () => {
    fc.assert(
      fc.property(fc.anything(), fc.boolean(), (message, privateTurn) => {
        rewriteMessage(message, { talk, detector, privateTurn });
        withheld(message);
      }),
      { numRuns: 300 },
    );
  });
});
