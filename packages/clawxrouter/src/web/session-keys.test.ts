/** Session keys say whom a conversation is with: what the browser gets of them. */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import type { AuditItem, ConfigPreview, Detection, SessionItem } from "./contract.ts";
import { SessionKeys } from "./session-keys.ts";
import { type Served, serveDashboard } from "./testing/serve.ts";

const json = <T>(reply: { json: unknown }) => reply.json as T;
const keysWith = (secret: string, over: Partial<ReturnType<typeof defaultConfig>> = {}) => {
  const config = { ...defaultConfig(), ...over };
  return new SessionKeys(
    () => secret,
    () => config,
  );
};
const keys = keysWith("a secret of this installation");

const PRIVATE: readonly [key: string, secret: string][] = [
  ["agent:main:whatsapp:direct:+8613800138000", "8613800138000"],
  ["agent:main:whatsapp:direct:+15551234567", "5551234567"],
  ["agent:main:whatsapp:direct:8613800138000", "8613800138000"],
  ["agent:main:signal:direct:+49 151 23456789", "23456789"],
  ["agent:main:telegram:direct:123456789", "123456789"],
  ["agent:main:telegram:direct:123456789:thread:42", "123456789"],
  ["agent:main:whatsapp:work:direct:8613800138000", "8613800138000"],
  ["agent:main:imessage:direct:alice.b@example.org", "alice"],
  ["agent:main:whatsapp:group:4915123456789-1500000000@g.us", "4915123456789"],
];
const PLAIN = [
  "agent:main:main",
  "agent:main:subagent:3f2b8c1e-1234-4abc-8def-1234567890ab",
  "agent:main:cron:12345678-1234-1234-1234-123456789012",
  "agent:main:telegram:group:-1001234567890:topic:42",
  "agent:main:discord:channel:123456789012345678",
  "agent:main:dashboard:1796073161578",
  "agent:main:{PHONE.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA}",
  "agent:main:{}",
  "",
];

describe("a session key", () => {
  it("is sealed where it is private, and opens again", () => {
    for (const [key, secret] of PRIVATE) {
      const hidden = keys.hide(key);
      expect(hidden, key).not.toContain(secret);
      expect(hidden, key).toMatch(/^agent:main:\w+:.*\{[A-Z_]+\.[\w-]+\}/);
      expect(keys.open(hidden)).toBe(key);
      expect(keys.hide(key)).toBe(hidden);
      expect(keys.masked(key)).not.toContain(secret);
      expect(keysWith("another").open(hidden)).toBe(hidden);
    }
  });

  it("that holds nothing private is as it was", () => {
    for (const key of PLAIN) {
      expect(keys.hide(key)).toBe(key);
      expect(keys.open(key)).toBe(key);
    }
  });

  it("follows the user's own rules", () => {
    const privacy = structuredClone(defaultConfig().privacy);
    privacy.rules.keywords.S3 = ["Falcon"];
    const own = keysWith("s", { privacy });
    expect(own.hide("agent:main:slack:channel:Falcon")).not.toContain("Falcon");
    expect(own.open(own.hide("agent:main:slack:channel:Falcon"))).toBe("agent:main:slack:channel:Falcon");
  });

  it("comes back whatever it is (property)", () => {
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(...PRIVATE.flat(), ":", "{", "}"),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 5 }), (pieces) => {
        const key = pieces.join(":");
        expect(keys.open(keys.hide(key))).toBe(key.isWellFormed() ? key : keys.open(keys.hide(key)));
      }),
    );
  });
});

describe("no answer holds the number of whom the user talks to", () => {
  const NUMBER = "+8613800138000";
  const KEY = `agent:main:whatsapp:direct:${NUMBER}`;
  let served: Served;
  beforeAll(async () => {
    served = await serveDashboard();
    await served.signIn();
    for (const [i, text] of ["hello", "mail a.b@example.org", "once more"].entries())
      await served.engine.router.decide({
        runId: `r${i}`,
        sessionKey: KEY,
        agentId: "main",
        prompt: text,
        currentModel: {},
      });
  }, 60_000);
  afterAll(async () => {
    await served?.close();
  });

  it("and yet every list, filter, page and stream of the session works", async () => {
    const answers: string[] = [];
    const get = async (...args: Parameters<Served["get"]>) => {
      const reply = await served.get(...args);
      expect(reply.status, args.join(" ")).toBe(200);
      answers.push(reply.text, Buffer.from(reply.text).toString("base64url"));
      return reply;
    };
    const first = json<{ items: SessionItem[]; next: string | null }>(await get("sessions", "?limit=1"));
    const key = first.items[0]?.key ?? "";
    expect(key).toMatch(/^agent:main:whatsapp:direct:\{PHONE\./);
    expect(json<{ items: SessionItem[] }>(await get("sessions", "?text=13800138")).items).toHaveLength(1);
    const query = encodeURIComponent(key);
    expect(json<{ items: unknown[] }>(await get("sessionDetections", `?key=${query}`)).items).toHaveLength(3);
    expect(json<{ items: unknown[] }>(await get("detections", `?session=${query}`)).items).toHaveLength(3);
    expect(json<{ items: unknown[] }>(await get("requests", `?session=${query}`)).items).toEqual([]);
    const [detection] = json<{ items: Detection[] }>(await get("detections", "?level=S2")).items;
    expect(detection?.session).toBe(key);
    const config = json<{ version: string; raw: Record<string, unknown> }>(await get("config"));
    const preview = await served.post("previewConfig", {
      raw: { ...config.raw, privacy: { rules: { keywords: { S3: ["once more"] } } } },
    });
    answers.push(preview.text);
    expect(json<ConfigPreview>(preview).effect?.samples[0]?.session).toBe(key);
    const revealed = await served.post("reveal", { session: key });
    expect(revealed.json).toEqual({ text: KEY });
    await served.post("reveal", { detection: detection?.id });
    const { items } = json<{ items: AuditItem[] }>(await get("audit"));
    expect(items.filter(({ action }) => action === "reveal").map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/^detection \d+, session agent:main:whatsapp:direct:\[PHONE\]$/),
      "session agent:main:whatsapp:direct:[PHONE]",
    ]);
    for (const name of ["summary", "hourly", "facets", "posture"] as const) await get(name);
    const stream = await fetch(
      `${served.origin}/plugins/clawxrouter/stats/api/session-detections/stream?key=${query}&lastEventId=x`,
      { headers: served.own(), signal: AbortSignal.timeout(10_000) },
    );
    const reader = stream.body?.getReader();
    await served.engine.router.decide({
      runId: "live",
      sessionKey: KEY,
      agentId: "main",
      prompt: "live",
      currentModel: {},
    });
    let text = "";
    while (!text.includes("event: detection"))
      text += new TextDecoder().decode((await reader?.read())?.value ?? new Uint8Array());
    await reader?.cancel();
    answers.push(text);
    for (const answer of answers) {
      expect(answer).not.toContain("8613800138000");
      expect(answer).not.toContain("13800138000");
    }
    const cursors = answers.join(" ").match(/\d+\.[\w-]{20,}/g) ?? [];
    for (const cursor of cursors)
      expect(Buffer.from(cursor.split(".")[1] ?? "", "base64url").toString()).not.toContain("13800138000");
  });

  it("and from another machine nothing is revealed", async () => {
    const { items } = json<{ items: SessionItem[] }>(await served.get("sessions"));
    const reply = await served.post("reveal", { session: items[0]?.key }, { "x-forwarded-for": "10.0.0.9" });
    expect(reply.status).toBe(403);
    expect(reply.text).not.toContain(NUMBER);
  });
});
