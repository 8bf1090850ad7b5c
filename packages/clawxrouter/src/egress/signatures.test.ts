import { describe, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import { modelFamily, SignatureLedger } from "./signatures.ts";

it.each([
  ["claude-sonnet-4.6", "claude"],
  ["anthropic/claude-opus-4", "claude"],
  ["gpt-5-mini", "openai"],
  ["o4-mini", "openai"],
  ["gemini-3-pro", "gemini"],
  ["glm-4.5-air", "glm"],
  ["minimax-m2.5", "minimax"],
])("family of %s", (model, family) => {
  expect(modelFamily(model)).toBe(family);
});

/** An answer that teaches the signature, the request that brings it back, and what another family gets. */
const KINDS: Array<[string, string, JsonObject, JsonObject, JsonObject]> = [
  [
    "Anthropic thinking",
    "claude",
    { type: "content_block_delta", index: 0, delta: { type: "signature_delta", signature: "sig-1" } },
    {
      messages: [
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "hm", signature: "sig-1" },
            { type: "text", text: "yes" },
          ],
        },
      ],
    },
    { messages: [{ role: "assistant", content: [{ type: "text", text: "yes" }] }] },
  ],
  [
    "Anthropic redacted thinking alone in its message",
    "claude",
    { content_block: { type: "redacted_thinking", data: "sig-2" } },
    { messages: [{ role: "assistant", content: [{ type: "redacted_thinking", data: "sig-2" }] }] },
    { messages: [{ role: "assistant", content: [{ type: "text", text: "(reasoning omitted)" }] }] },
  ],
  [
    "OpenAI encrypted_content",
    "openai",
    {
      type: "response.output_item.done",
      item: { type: "reasoning", id: "rs_1", encrypted_content: "sig-3" },
    },
    {
      input: [
        { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "sig-3" },
        { role: "user", content: "x" },
      ],
    },
    { input: [{ role: "user", content: "x" }] },
  ],
  [
    "Google thoughtSignature on a call",
    "gemini",
    { candidates: [{ content: { parts: [{ functionCall: { name: "f" }, thoughtSignature: "sig-4" }] } }] },
    {
      contents: [
        {
          parts: [
            { functionCall: { name: "f" }, thoughtSignature: "sig-4" },
            { text: "a", thoughtSignature: "sig-4" },
          ],
        },
      ],
    },
    {
      contents: [
        {
          parts: [
            { functionCall: { name: "f" }, thoughtSignature: "skip_thought_signature_validator" },
            { text: "a" },
          ],
        },
      ],
    },
  ],
  [
    "OpenRouter reasoning_details",
    "claude",
    {
      choices: [
        { delta: { reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "sig-5" }] } },
      ],
    },
    {
      messages: [
        {
          role: "assistant",
          content: "x",
          reasoning_details: [{ type: "reasoning.text", text: "hm", signature: "sig-5" }],
        },
      ],
    },
    { messages: [{ role: "assistant", content: "x", reasoning_details: [] }] },
  ],
];

describe.each(KINDS)("%s", (_name, family, answer, request, stripped) => {
  it("stays with its own family and goes for another", () => {
    const ledger = new SignatureLedger();
    ledger.learn(answer, family);
    const own = structuredClone(request);
    expect(ledger.strip(own, family)).toBe(0);
    expect(own).toEqual(request);
    const foreign = structuredClone(request);
    expect(ledger.strip(foreign, "other")).toBeGreaterThan(0);
    expect(foreign).toEqual(stripped);
  });

  it("stays when nobody knows where it came from", () => {
    const ledger = new SignatureLedger();
    ledger.learn({ signature: "something else" }, family);
    const body = structuredClone(request);
    expect(ledger.strip(body, "other")).toBe(0);
    expect(body).toEqual(request);
  });
});

it("forgets the oldest first", () => {
  const ledger = new SignatureLedger(2);
  for (const signature of ["a", "b", "c"]) ledger.learn({ signature }, "claude");
  const thinking = (signature: string): JsonObject => ({ content: [{ type: "thinking", signature }] });
  expect(ledger.strip(thinking("a"), "other")).toBe(0);
  expect(ledger.strip(thinking("c"), "other")).toBe(1);
});
