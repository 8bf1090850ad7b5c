import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { detect } from "../detect/detect.ts";
import { restoreStream } from "../stream/restore.ts";
import { openPayload } from "../walk/payload.ts";
import { detectPayload } from "../walk/views.ts";
import { Vault } from "./vault.ts";

const DATA = path.resolve(import.meta.dirname, "../../../../../shared/data");
const FOLDERS = ["pii-en", "pii-zh", "secrets", "injection", "routing"];

/** All texts of the development data, as far as it is there: one line of JSONL may hold several. */
function texts(): string[] {
  return FOLDERS.flatMap((folder) => {
    const dir = path.join(DATA, folder);
    if (!existsSync(dir)) return [];
    return readdirSync(dir)
      .filter((name) => /\.jsonl?$/.test(name))
      .flatMap((name) => {
        const content = readFileSync(path.join(dir, name), "utf8");
        const rows: unknown[] = name.endsWith(".json")
          ? [JSON.parse(content)]
          : content
              .split("\n")
              .filter(Boolean)
              .map((line): unknown => JSON.parse(line));
        return rows.flatMap((row) => stringsOf(row));
      });
  });
}

function stringsOf(value: unknown, key?: string): string[] {
  if (typeof value === "string")
    return [key === "text_base64" ? Buffer.from(value, "base64").toString("utf8") : value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, item]) => stringsOf(item, name));
}

/** Cut into pieces of 1 to 9 units, the same way each time. */
function pieces(text: string, seed: number): string[] {
  const cut: string[] = [];
  for (let at = 0, i = seed; at < text.length; i++) {
    const length = 1 + ((i * 7919) % 9);
    cut.push(text.slice(at, at + length));
    at += length;
  }
  return cut;
}

const ALL = texts();

describe("round trip over the development data with the built-in rules", () => {
  it.skipIf(ALL.length === 0)(`restores every text, whole and in pieces (skipped without ${DATA})`, () => {
    const vault = new Vault();
    let findings = 0;
    expect(ALL.length).toBeGreaterThan(2500);
    for (const [index, text] of ALL.entries()) {
      const found = detect(text);
      findings += found.length;
      const redacted = vault.replaceFindings(text, found, { session: "s" });
      expect(vault.restore(redacted, { session: "s" })).toBe(text);
      const stream = restoreStream(vault, { session: "s" });
      expect(
        pieces(redacted, index)
          .map((piece) => stream.push(piece))
          .join("") + stream.end(),
      ).toBe(text);
    }
    expect(findings).toBeGreaterThan(1000);
  });

  it.skipIf(ALL.length === 0)(
    "restores whole conversations made of them, after their values were found in other turns",
    () => {
      const vault = new Vault();
      for (let at = 0; at < ALL.length; at += 40) {
        const messages = ALL.slice(at, at + 40).flatMap((text, index) => [
          { role: "user", content: text },
          {
            role: "assistant",
            content: null,
            tool_calls: [
              {
                id: `call_${index}`,
                type: "function",
                function: { name: "note", arguments: JSON.stringify({ text, list: [text] }) },
              },
            ],
          },
        ]);
        const body = { model: "m", messages };
        const payload = openPayload(body, "openai-chat");
        const findings = detectPayload(payload, (view) => [
          ...detect(view.text),
          ...vault.findKnown(view.text),
        ]);
        const sent = payload.rewrite((leaf) =>
          vault.replaceFindings(leaf.text, findings.get(leaf) ?? [], { session: "s" }),
        );
        const back = openPayload(sent.body, "openai-chat").rewrite((leaf) =>
          vault.restore(leaf.text, { session: "s" }),
        );
        expect(JSON.parse(JSON.stringify(back.body))).toEqual(body);
      }
    },
  );
});
