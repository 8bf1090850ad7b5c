import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { AWS_KEY, PHONE, PHONE_2, POLICY, ruleInspector } from "../testing/setup.ts";
import type { EgressPolicy, TextInspector } from "../types.ts";
import { BodyText } from "./body-text.ts";
import { CloudBodies } from "./cloud-body.ts";
import { findElements } from "./elements.ts";

function bodies(inspector: TextInspector = ruleInspector()) {
  const vault = new Vault();
  const made = new CloudBodies(inspector, vault);
  const make = async (body: JsonObject | string, more: { policy?: EgressPolicy; session?: string } = {}) => {
    const { bytes, report } = await made.make({
      text: typeof body === "string" ? body : new BodyText(Buffer.from(JSON.stringify(body))),
      protocol: "openai-chat",
      context: {
        requestId: "r",
        providerId: "p",
        model: undefined,
        session: more.session ?? "s",
        signal: new AbortController().signal,
      },
      policy: more.policy ?? POLICY,
      familyOf: (parsed) => String(parsed.model ?? ""),
      adjust: () => undefined,
      models: new Set(),
    });
    return { wire: bytes.toString("utf8"), report };
  };
  return { vault, make };
}

const message = (content: string, index: number): JsonObject => ({
  role: index % 2 === 0 ? "user" : "assistant",
  content,
});
const chat = (contents: readonly string[]): JsonObject => ({
  model: "m",
  messages: contents.map(message),
  temperature: 0.5,
});

/** Counts the units that the inspector is asked about. */
function counting() {
  const rules = ruleInspector();
  const seen = { units: 0 };
  const inspector: TextInspector = {
    version: () => "1",
    inspect: (items, context) => {
      for (const { text } of items) seen.units += text.length;
      return rules.inspect(items, context);
    },
  };
  return { inspector, seen };
}

describe("memory of the last turn", () => {
  it("gives what would be given without, for any conversation and any turn after it", async () => {
    const content = fc.oneof(
      fc.string(),
      fc.string({ minLength: 300, maxLength: 900 }),
      fc.constantFrom(
        "ok",
        "",
        `call ${PHONE}`,
        `key ${AWS_KEY.slice(0, 9)}`,
        `${AWS_KEY.slice(9)} rest`,
        "[REDACTED:PHONE_99]",
        `${PHONE_2}`,
      ),
    );
    const step = fc.record({
      keep: fc.nat(14),
      add: fc.array(content, { maxLength: 5 }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(content, { minLength: 8, maxLength: 14 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        async (first, steps) => {
          const warm = bodies();
          let contents = first;
          for (const { keep, add } of [{ keep: 99, add: [] as string[] }, ...steps]) {
            contents = [...contents.slice(0, Math.max(keep, 1)), ...add];
            const { wire } = await warm.make(chat(contents));
            const restored: { messages: Array<{ content: string }> } = JSON.parse(wire);
            expect(restored.messages).toHaveLength(contents.length);
            for (const secret of [PHONE, PHONE_2, AWS_KEY]) expect(wire).not.toContain(secret);
            // The same vault without memory: whoever has no last turn gets the same.
            const cold = await warm.make(chat(contents), { session: "s" });
            expect(cold.wire).toBe(wire);
            const other = new CloudBodies(ruleInspector(), warm.vault);
            const fresh = await other.make({
              text: JSON.stringify(chat(contents)),
              protocol: "openai-chat",
              context: {
                requestId: "r",
                providerId: "p",
                model: undefined,
                session: "s",
                signal: new AbortController().signal,
              },
              policy: POLICY,
              familyOf: () => "m",
              adjust: () => undefined,
              models: new Set(),
            });
            expect(fresh.bytes.toString("utf8")).toBe(wire);
          }
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 60) },
    );
  });

  it("asks for what is new only, and reports the whole", async () => {
    const { inspector, seen } = counting();
    const { make } = bodies(inspector);
    const talk = Array.from(
      { length: 40 },
      (_, index) => `Message ${index}. ${"Words of it. ".repeat(50)} call ${PHONE}!`,
    );
    await make(chat(talk));
    seen.units = 0;
    const { report, wire } = await make(chat([...talk, "And now?"]));
    expect(seen.units).toBeLessThan(100);
    expect(report.level).toBe("S2");
    expect(report.counts.PHONE).toBe(40);
    expect(JSON.parse(wire).messages).toHaveLength(41);
  });

  it("a value learnt later is taken out of what was kept", async () => {
    const { make, vault } = bodies();
    const talk = Array.from({ length: 20 }, (_, index) => `Message ${index} of Nachtfalter.`);
    expect((await make(chat(talk))).wire).toContain("Nachtfalter");
    vault.tokenise("Nachtfalter", "CODENAME", "S2", "s");
    const { wire } = await make(chat([...talk, "go on"]));
    expect(wire).not.toContain("Nachtfalter");
    expect(wire.match(/\[REDACTED:CODENAME_1\]/g)).toHaveLength(20);
  });

  it("policies, sessions, models and rules have memories of their own", async () => {
    let version = "1";
    const { inspector, seen } = counting();
    const { make } = bodies({ ...inspector, version: () => version });
    const talk = Array.from({ length: 20 }, (_, index) => `Message ${index}: call ${PHONE}!`);
    await make(chat(talk));
    await expect(make(chat([...talk, "x"]), { policy: { ...POLICY, s2: "block" } })).rejects.toThrow(
      /rule|phone/,
    );
    expect((await make({ ...chat([...talk, "y"]), model: "other" })).wire).not.toContain(PHONE);
    seen.units = 0;
    version = "2";
    await make(chat([...talk, "z"]));
    expect(seen.units).toBeGreaterThan(400);
  });

  it("the rest of the body is always looked at", async () => {
    const { make } = bodies();
    const talk = Array.from({ length: 20 }, (_, index) => `Message ${index}.`);
    await make(chat(talk));
    const { wire, report } = await make({
      ...chat([...talk, "x"]),
      user: `u ${PHONE}`,
      tools: [{ type: "function", function: { name: "f", description: `call ${PHONE}` } }],
    });
    expect(wire).not.toContain(PHONE);
    expect(report.counts.PHONE).toBe(2);
  });
});

describe("findElements", () => {
  it("finds each element's text, as JSON.parse sees them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.boolean(),
        fc.constantFrom(0, 1, 2),
        (list, rest, first, indent) => {
          const { messages: _m, input: _i, contents: _c, ...others } = rest;
          const text = JSON.stringify(
            first ? { messages: list, ...others } : { ...others, messages: list },
            null,
            indent,
          );
          const found = findElements(text);
          // A name with an escape in it could be any name: such bodies are read the long way.
          fc.pre(!Object.keys(others).some((key) => JSON.stringify(key).includes("\\")));
          expect(found?.key).toBe("messages");
          expect(found?.spans.map(([start, end]) => JSON.parse(text.slice(start, end)))).toEqual(
            JSON.parse(text).messages,
          );
        },
      ),
    );
  });

  it.each([
    ["two lists", '{"messages":[1],"messages":[2]}'],
    ["two kinds of list", '{"messages":[1],"input":[2]}'],
    ["an escaped name", '{"mess\\u0061ges":[1],"messages":[2]}'],
    ["no object", "[1]"],
    ["no list", '{"messages":"text"}'],
    ["text after it", '{"messages":[1]} x'],
    ["an open list", '{"messages":[1'],
    ["nothing", ""],
  ])("%s: not found", (_name, text) => {
    expect(findElements(text)).toBeUndefined();
  });

  it("takes nothing for valid that is not: broken elements are refused by the parser", async () => {
    const { make } = bodies();
    for (const text of [
      '{"messages":[1,2,3,4,5,{]}]}',
      '{"messages":[tru,1,2,3,4,5]}',
      '{"messages":[01,1,2,3,4,5]}',
    ]) {
      await expect(make(text)).rejects.toThrow(/not a JSON object/);
    }
  });
});
