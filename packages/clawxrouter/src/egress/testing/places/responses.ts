import { base64, EMBED, type Holding, number, type Place, placesOf, RESPONSES } from "./place.ts";

const responses = placesOf(RESPONSES, { model: "m", input: "x" });
const item = (name: string, of: Holding): Place => responses(name, (s) => ({ input: [of(s)] }));

/** Responses and embeddings. */
export const RESPONSES_PLACES: Record<string, Place[]> = {
  "openai-completions": [
    responses("resp instr", (s) => ({ instructions: s })),
    responses("resp input str", (s) => ({ input: s })),
    responses("resp prev", (s) => ({ previous_response_id: s })),
    item("resp item ref", (s) => ({ type: "item_reference", id: s })),
    item("resp enc", (s) => ({
      type: "reasoning",
      id: "r",
      encrypted_content: s,
      summary: [{ type: "summary_text", text: s }],
    })),
    item("resp fco", (s) => ({
      type: "function_call_output",
      call_id: s,
      output: [{ type: "input_text", text: s }],
    })),
    item("resp fco obj", (s) => ({
      type: "function_call_output",
      call_id: "c",
      output: JSON.stringify({ a: number(s) }),
    })),
    [
      "resp prompt vars",
      RESPONSES,
      (s) => ({ model: "m", prompt: { id: "p", variables: { a: s, b: { type: "input_text", text: s } } } }),
    ],
    responses("resp conv", (s) => ({ conversation: s })),
    responses("resp tool mcp", (s) => ({
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
    })),
    responses("resp text format", (s) => ({
      text: {
        format: {
          type: "json_schema",
          name: "n",
          schema: { properties: { a: { enum: ["b", s], examples: [s], default: s } } },
        },
      },
    })),
    responses("resp include", (s) => ({ include: [s] })),
    item("resp cs call", (s) => ({
      type: "computer_call",
      call_id: "c",
      action: { type: "type", text: s },
      pending_safety_checks: [{ id: s, code: s, message: s }],
    })),
    item("resp result img", (s) => ({ type: "image_generation_call", id: "c", result: base64(s) })),
    item("resp code", (s) => ({
      type: "code_interpreter_call",
      code: s,
      outputs: [{ type: "logs", logs: s }],
    })),
    ["emb batch", EMBED, (s) => ({ model: "m", input: [s, "x", [s]], user: s, dimensions: Number(s) || 5 })],
  ],
};
