import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Conversation } from "../vault-store/conversation.ts";
import { exportTrack, sessionFileName } from "./export.ts";

describe("sessions export", () => {
  it("gives the full track its values and the clean track none", () => {
    const vault = new Vault();
    const talk = new Conversation(vault, "s");
    const lock = talk.lock("my private text");
    const events = [
      { type: "message", message: { role: "user", content: lock } },
      { type: "message", message: { role: "assistant", content: [{ type: "text", text: "fine" }] } },
    ];
    const full = exportTrack(events, "full", talk, (text) => text);
    const clean = exportTrack(events, "clean", talk, (text) => text);
    expect(full).toContain("my private text");
    expect(clean).not.toContain("my private text");
    expect(
      clean
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as object),
    ).toEqual(events);
  });

  it("two sessions never share a file (case: two-users-one-file)", () => {
    expect(sessionFileName("telegram:张三")).not.toBe(sessionFileName("telegram:李四"));
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
        fc.pre(a !== b && a.isWellFormed() && b.isWellFormed());
        expect(sessionFileName(a)).not.toBe(sessionFileName(b));
        expect(sessionFileName(a)).toMatch(/^[^/\\:*?"<>|]+$/);
      }),
    );
  });
});
