import { base64, EMBED, number, type Place, RESPONSES } from "./place.ts";

/** Responses and embeddings. */
export const RESPONSES_PLACES: Record<string, Place[]> = {
  "openai-completions": [
    ["resp instr", RESPONSES, (s) => ({ model: "m", input: "hi", instructions: s })],
    ["resp input str", RESPONSES, (s) => ({ model: "m", input: s })],
    ["resp prev", RESPONSES, (s) => ({ model: "m", input: "x", previous_response_id: s })],
    ["resp item ref", RESPONSES, (s) => ({ model: "m", input: [{ type: "item_reference", id: s }] })],
    [
      "resp enc",
      RESPONSES,
      (s) => ({
        model: "m",
        input: [
          { type: "reasoning", id: "r", encrypted_content: s, summary: [{ type: "summary_text", text: s }] },
        ],
      }),
    ],
    [
      "resp fco",
      RESPONSES,
      (s) => ({
        model: "m",
        input: [{ type: "function_call_output", call_id: s, output: [{ type: "input_text", text: s }] }],
      }),
    ],
    [
      "resp fco obj",
      RESPONSES,
      (s) => ({
        model: "m",
        input: [{ type: "function_call_output", call_id: "c", output: JSON.stringify({ a: number(s) }) }],
      }),
    ],
    [
      "resp prompt vars",
      RESPONSES,
      (s) => ({ model: "m", prompt: { id: "p", variables: { a: s, b: { type: "input_text", text: s } } } }),
    ],
    ["resp conv", RESPONSES, (s) => ({ model: "m", input: "x", conversation: s })],
    [
      "resp tool mcp",
      RESPONSES,
      (s) => ({
        model: "m",
        input: "x",
        tools: [
          {
            type: "mcp",
            server_label: s,
            server_url: `https://x/?t=${s}`,
            authorization: s,
            headers: { a: s },
            allowed_tools: [s],
          },
        ],
      }),
    ],
    [
      "resp text format",
      RESPONSES,
      (s) => ({
        model: "m",
        input: "x",
        text: {
          format: {
            type: "json_schema",
            name: "n",
            schema: { properties: { a: { enum: ["b", s], examples: [s], default: s } } },
          },
        },
      }),
    ],
    ["resp include", RESPONSES, (s) => ({ model: "m", input: "x", include: [s] })],
    [
      "resp cs call",
      RESPONSES,
      (s) => ({
        model: "m",
        input: [
          {
            type: "computer_call",
            call_id: "c",
            action: { type: "type", text: s },
            pending_safety_checks: [{ id: s, code: s, message: s }],
          },
        ],
      }),
    ],
    [
      "resp result img",
      RESPONSES,
      (s) => ({ model: "m", input: [{ type: "image_generation_call", id: "c", result: base64(s) }] }),
    ],
    [
      "resp code",
      RESPONSES,
      (s) => ({
        model: "m",
        input: [{ type: "code_interpreter_call", code: s, outputs: [{ type: "logs", logs: s }] }],
      }),
    ],
    ["emb batch", EMBED, (s) => ({ model: "m", input: [s, "x", [s]], user: s, dimensions: Number(s) || 5 })],
  ],
};
