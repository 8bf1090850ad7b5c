import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detect } from "../detect/detect.ts";
import type { Finding } from "../types.ts";
import { Vault } from "../vault/vault.ts";
import { FIXTURES } from "./fixtures/index.ts";
import { openPayload } from "./payload.ts";
import type { WireProtocol } from "./types.ts";
import { VerdictCache } from "./verdict-cache.ts";
import { detectPayload, detectPayloadAsync, type View, viewsOf } from "./views.ts";

const chat = (...contents: unknown[]): unknown => ({
  model: "m",
  messages: contents.map((content) => ({ role: "user", content })),
});

/** What each leaf becomes when all that was found is taken out. */
function redacted(
  body: unknown,
  protocol: WireProtocol = "openai-chat",
  find = (view: View): readonly Finding[] => detect(view.text),
): unknown {
  const payload = openPayload(body, protocol);
  const findings = detectPayload(payload, find);
  const vault = new Vault();
  return payload.rewrite((leaf) => vault.replaceFindings(leaf.text, findings.get(leaf) ?? [])).body;
}

const KEY = `sk-${"proj-"}a8Kd03mfLq92hTz7RwXc51vBnE6yUo4GsJ`;
const AWS = `AK${"IA"}Q3EGRSTUVWXYZ234`;
const BEGIN = "-----BEGIN ";
const PEM = `${BEGIN}PRIVATE KEY-----\n${Array.from({ length: 16 }, (_, i) => `${i}MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us${String.fromCharCode(65 + i)}`).join("\n")}\n-----END PRIVATE KEY-----`;

describe("detectPayload: secrets cut across texts", () => {
  it.each([
    ["an access key", AWS],
    ["an address", "alice.w@example.com"],
    ["a phone number", "+86 138 0013 8000"],
  ])("finds %s cut at every place, over parts and over messages", (_name, secret) => {
    for (let at = 1; at < secret.length; at++) {
      const [head, tail] = [secret.slice(0, at), secret.slice(at)];
      const parts = [
        { type: "text", text: `look at ${head}` },
        { type: "text", text: `${tail} please` },
      ];
      for (const body of [chat(parts), chat(`look at ${head}`, `${tail} please`)]) {
        const out = JSON.stringify(redacted(body));
        const left = [...out.matchAll(/"(?:look at ([^"]*)|([^"]*) please)"/g)].map(
          (match) => match[1] ?? match[2] ?? "",
        );
        expect(
          left
            .join("")
            .replace(/\[\w+:\w+\]/g, "")
            .trim(),
          `cut at ${at}`,
        ).toBe("");
      }
    }
  });

  it("finds a key given one character a part", () => {
    const body = chat([...`use ${AWS} now`].map((text) => ({ type: "text", text })));
    expect(JSON.stringify(redacted(body)).match(/"text":"\[/g)).toHaveLength(AWS.length);
  });

  it("finds the second half of a private key, wherever it was cut", () => {
    for (const at of [60, 200, 401, 460, 700, PEM.length - 40]) {
      const body = chat(`my key:\n${PEM.slice(0, at)}`, `${PEM.slice(at)}\nthat is all`);
      const out = JSON.stringify(redacted(body));
      expect(out, `cut at ${at}`).not.toContain("MIIEvQIBADANBgkqhkiG9w0");
    }
  });

  it("does not join words that only stand side by side", () => {
    const body = chat("the number is 138", "00138000 is another", "End of text", "Start of another");
    const views: View[] = [];
    redacted(body, "openai-chat", (view) => {
      views.push(view);
      return [];
    });
    expect(views.filter(({ kind }) => kind === "seam").map(({ text }) => text.slice(0, 30))).toHaveLength(1);
  });
});

describe("detectPayload: data", () => {
  it("judges values with their names, in arguments, results and objects", () => {
    const args = { user: "root", password: "hunter2-x9", nested: { list: ["a", "b"] } };
    const body = {
      messages: [
        {
          role: "assistant",
          tool_calls: [
            { id: "c1", type: "function", function: { name: "login", arguments: JSON.stringify(args) } },
          ],
        },
        { role: "tool", tool_call_id: "c1", content: JSON.stringify({ ok: true, password: "hunter3-x9" }) },
      ],
    };
    const out = JSON.stringify(redacted(body));
    expect(out).not.toMatch(/hunter[23]/);
    expect(out).toContain("root");
    const anthropic = {
      messages: [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "login", input: args }] }],
    };
    expect(JSON.stringify(redacted(anthropic, "anthropic-messages"))).not.toContain("hunter2");
  });

  it("takes numbers and property names for what they are", () => {
    const body = {
      contents: [
        {
          role: "model",
          parts: [{ functionCall: { name: "f", args: { phone: 13800138000, "alice@example.com": 1 } } }],
        },
      ],
    };
    expect(redacted(body, "google-generative-ai")).toEqual({
      contents: [
        {
          role: "model",
          parts: [
            { functionCall: { name: "f", args: { phone: "[REDACTED:PHONE_1]", "[REDACTED:EMAIL_1]": 1 } } },
          ],
        },
      ],
    });
  });
});

describe("views", () => {
  it("hold every leaf once, at the place they say", () => {
    for (const [name, protocol, body] of FIXTURES) {
      const payload = openPayload(body, protocol);
      const seen = viewsOf(payload).flatMap((view) =>
        view.segments.map(({ leaf, from, at, length }) => {
          expect(view.text.slice(at, at + length)).toBe(leaf.text.slice(from, from + length));
          return leaf;
        }),
      );
      expect(new Set(seen), name).toEqual(new Set(payload.leaves));
      expect(seen).toHaveLength(payload.leaves.length);
    }
  });

  it("bring any finding back to the leaves it covers", () => {
    const body = FIXTURES[0]?.[2];
    const payload = openPayload(body, "openai-chat");
    const count = viewsOf(payload).length;
    expect(count).toBeGreaterThan(10);
    fc.assert(
      fc.property(fc.nat(), fc.nat(), fc.nat(), (pick, from, length) => {
        let call = 0;
        const findings = detectPayload(payload, (view) => {
          if (call++ !== pick % count) return [];
          const start = from % (view.text.length + 1);
          const end = Math.min(view.text.length, start + length);
          return [
            {
              start,
              end,
              type: "X",
              level: "S2",
              rule: "test/x",
              confidence: 1,
              value: view.text.slice(start, end),
            },
          ];
        });
        for (const [leaf, list] of findings) {
          for (const finding of list) expect(finding.value).toBe(leaf.text.slice(finding.start, finding.end));
        }
      }),
    );
  });

  it("give the async detector all at once, and refuse a wrong number of answers", async () => {
    const body = chat(`key ${KEY.slice(0, 20)}`, `${KEY.slice(20)} x`, "13800138000");
    const payload = openPayload(body, "openai-chat");
    let calls = 0;
    const found = await detectPayloadAsync(payload, async (views) => {
      calls++;
      return views.map((view) => detect(view.text));
    });
    expect(calls).toBe(2);
    expect(found).toEqual(detectPayload(payload, (view) => detect(view.text)));
    await expect(detectPayloadAsync(payload, async () => [])).rejects.toThrow(/0 answers for 3 texts/);
  });
});

describe("VerdictCache", () => {
  it("judges a text once a version, keeps its bound and drops the least used", () => {
    const cache = new VerdictCache<number>(2);
    let judged = 0;
    const judge = (): number => ++judged;
    expect([cache.get("a", "1", judge), cache.get("a", "1", judge), cache.get("b", "1", judge)]).toEqual([
      1, 1, 2,
    ]);
    expect(cache.get("a", "1", judge)).toBe(1);
    expect(cache.get("c", "1", judge)).toBe(3);
    expect(cache.get("a", "1", judge)).toBe(1);
    expect(cache.get("b", "1", judge)).toBe(4);
    expect(cache.size).toBe(2);
    expect(cache.get("a", "2", judge)).toBe(5);
  });
});
