import { base64, CHAT, hi, number, type Place, said } from "./place.ts";

/** Chat Completions. */
export const CHAT_PLACES: Record<string, Place[]> = {
  "openai-completions": [
    ["chat user", CHAT, (s) => ({ model: "m", messages: hi, user: s })],
    [
      "chat safety_identifier",
      CHAT,
      (s) => ({ model: "m", messages: hi, safety_identifier: s, prompt_cache_key: s }),
    ],
    ["chat metadata", CHAT, (s) => ({ model: "m", messages: hi, metadata: { a: s } })],
    ["chat name", CHAT, (s) => ({ model: "m", messages: [{ role: "user", name: s, content: "hi" }] })],
    [
      "chat tool_call_id",
      CHAT,
      (s) => ({ model: "m", messages: [{ role: "tool", tool_call_id: s, content: "hi" }] }),
    ],
    [
      "chat tool call name",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          {
            role: "assistant",
            tool_calls: [{ id: "x", type: "function", function: { name: s, arguments: "{}" } }],
          },
        ],
      }),
    ],
    [
      "chat args key",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          {
            role: "assistant",
            tool_calls: [
              { id: "x", type: "function", function: { name: "f", arguments: JSON.stringify({ [s]: 1 }) } },
            ],
          },
        ],
      }),
    ],
    [
      "chat args num",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          {
            role: "assistant",
            tool_calls: [
              {
                id: "x",
                type: "function",
                function: { name: "f", arguments: JSON.stringify({ a: /^\d+$/.test(s) ? Number(s) : s }) },
              },
            ],
          },
        ],
      }),
    ],
    [
      "chat schema enum",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [
          {
            type: "function",
            function: {
              name: "f",
              parameters: { type: "object", properties: { a: { type: "string", enum: [s] } } },
            },
          },
        ],
      }),
    ],
    [
      "chat schema const",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [
          {
            type: "function",
            function: { name: "f", parameters: { type: "object", properties: { a: { const: s } } } },
          },
        ],
      }),
    ],
    [
      "chat schema default",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [
          {
            type: "function",
            function: { name: "f", parameters: { type: "object", properties: { a: { default: s } } } },
          },
        ],
      }),
    ],
    [
      "chat schema pattern",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [
          {
            type: "function",
            function: { name: "f", parameters: { type: "object", properties: { a: { pattern: s } } } },
          },
        ],
      }),
    ],
    [
      "chat schema propname",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [
          {
            type: "function",
            function: { name: "f", parameters: { type: "object", properties: { [s]: { type: "string" } } } },
          },
        ],
      }),
    ],
    [
      "chat schema x-unknown",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [
          {
            type: "function",
            function: { name: "f", parameters: { type: "object", "x-note": `call ${s}` } },
          },
        ],
      }),
    ],
    [
      "chat tool name",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        tools: [{ type: "function", function: { name: s, parameters: {} } }],
      }),
    ],
    [
      "chat rf schema enum",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        response_format: { type: "json_schema", json_schema: { name: "n", schema: { enum: [s] } } },
      }),
    ],
    [
      "chat rf name",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        response_format: { type: "json_schema", json_schema: { name: s, schema: {} } },
      }),
    ],
    [
      "chat rf desc",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        response_format: {
          type: "json_schema",
          json_schema: { name: "n", description: s, schema: { description: s } },
        },
      }),
    ],
    ["chat stop", CHAT, (s) => ({ model: "m", messages: hi, stop: [s] })],
    [
      "chat prediction",
      CHAT,
      (s) => ({ model: "m", messages: hi, prediction: { type: "content", content: s } }),
    ],
    ["chat logit_bias", CHAT, (s) => ({ model: "m", messages: hi, logit_bias: { [s]: 1 } })],
    ["chat service_tier", CHAT, (s) => ({ model: "m", messages: hi, service_tier: s })],
    ["chat unknown num", CHAT, (s) => ({ model: "m", messages: hi, foo: number(s) })],
    ["chat unknown num deep", CHAT, (s) => ({ model: "m", messages: hi, foo: { bar: { baz: number(s) } } })],
    ["chat unknown arr num", CHAT, (s) => ({ model: "m", messages: hi, foo: [number(s), "x"] })],
    ["chat content num", CHAT, (s) => ({ model: "m", messages: [said(number(s))] })],
    [
      "chat image url query",
      CHAT,
      (s) => ({
        model: "m",
        messages: [said([{ type: "image_url", image_url: { url: `https://x.test/a.png?k=${s}` } }])],
      }),
    ],
    [
      "chat data url text",
      CHAT,
      (s) => ({
        model: "m",
        messages: [said([{ type: "image_url", image_url: { url: `data:text/plain,${s}` } }])],
      }),
    ],
    [
      "chat data url b64 text",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          said([
            {
              type: "file",
              file: { filename: `${s}.txt`, file_data: `data:text/plain;base64,${base64(`call ${s}`)}` },
            },
          ]),
        ],
      }),
    ],
    [
      "chat audio",
      CHAT,
      (s) => ({
        model: "m",
        messages: [said([{ type: "input_audio", input_audio: { data: base64(s), format: "wav" } }])],
      }),
    ],
    [
      "chat file_id",
      CHAT,
      (s) => ({ model: "m", messages: [said([{ type: "file", file: { file_id: s } }])] }),
    ],
    [
      "chat split parts",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          said([
            { type: "text", text: s.slice(0, 6) },
            { type: "text", text: s.slice(6) },
          ]),
        ],
      }),
    ],
    [
      "chat split msgs",
      CHAT,
      (s) => ({ model: "m", messages: [said(`call ${s.slice(0, 6)}`), said(`${s.slice(6)} now`)] }),
    ],
    [
      "chat refusal",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          {
            role: "assistant",
            content: null,
            refusal: s,
            reasoning_content: s,
            reasoning: s,
            annotations: [{ type: "url_citation", url_citation: { url: `https://x/?${s}`, title: s } }],
          },
        ],
      }),
    ],
    [
      "chat annotations deep",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          { role: "assistant", content: "x", reasoning_details: [{ type: "reasoning.encrypted", data: s }] },
        ],
      }),
    ],
    [
      "chat reasoning sig",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          {
            role: "assistant",
            content: "x",
            reasoning_details: [{ type: "reasoning.text", text: "x", signature: s }],
          },
        ],
      }),
    ],
    [
      "chat fullwidth",
      CHAT,
      (s) => ({
        model: "m",
        messages: [said(s.replace(/[!-~]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)))],
      }),
    ],
    ["chat zwsp", CHAT, (s) => ({ model: "m", messages: [said([...s].join("\u200b"))] })],
    [
      "chat html ent",
      CHAT,
      (s) => ({ model: "m", messages: [said([...s].map((c) => `&#${c.charCodeAt(0)};`).join(""))] }),
    ],
    [
      "chat u in text",
      CHAT,
      (s) => ({
        model: "m",
        messages: [said([...s].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join(""))],
      }),
    ],
    ["chat b64", CHAT, (s) => ({ model: "m", messages: [said(`x ${base64(`my key ${s} end`)}`)] })],
    [
      "chat proto",
      CHAT,
      (s) =>
        JSON.parse(
          `{"model":"m","messages":[{"role":"user","content":"hi"}],"__proto__":{"a":"${s}"},"constructor":{"prototype":{"b":"${s}"}}}`,
        ),
    ],
    [
      "chat nested content",
      CHAT,
      (s) => ({ model: "m", messages: [said([[[{ type: "text", text: [[s]] }]]])] }),
    ],
    [
      "chat tool result arr",
      CHAT,
      (s) => ({
        model: "m",
        messages: [
          { role: "tool", tool_call_id: "x", content: [{ type: "text", text: s }, { json: { a: [s] } }] },
        ],
      }),
    ],
    [
      "chat tool result obj",
      CHAT,
      (s) => ({ model: "m", messages: [{ role: "tool", tool_call_id: "x", content: { a: { b: [s] } } }] }),
    ],
    [
      "chat web_search_options",
      CHAT,
      (s) => ({
        model: "m",
        messages: hi,
        web_search_options: { user_location: { approximate: { city: s } } },
      }),
    ],
    [
      "chat fn name choice",
      CHAT,
      (s) => ({ model: "m", messages: hi, tool_choice: { type: "function", function: { name: s } } }),
    ],
  ],
};
