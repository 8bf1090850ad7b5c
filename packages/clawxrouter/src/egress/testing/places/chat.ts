import { base64, CHAT, type Holding, hi, number, type Place, placesOf, said } from "./place.ts";

const chat = placesOf(CHAT, { model: "m", messages: hi });
const message = (name: string, of: Holding): Place => chat(name, (s) => ({ messages: [of(s)] }));
const content = (name: string, of: Holding<unknown>): Place => message(name, (s) => said(of(s)));
const part = (name: string, of: Holding): Place => content(name, (s) => [of(s)]);
const toolCall = (name: string, of: Holding): Place =>
  message(name, (s) => ({
    role: "assistant",
    tool_calls: [{ id: "x", type: "function", function: { name: "f", arguments: "{}", ...of(s) } }],
  }));
const tool = (name: string, of: Holding): Place =>
  chat(name, (s) => ({ tools: [{ type: "function", function: { name: "f", parameters: {}, ...of(s) } }] }));
const property = (name: string, of: Holding): Place =>
  tool(name, (s) => ({ parameters: { type: "object", properties: { a: of(s) } } }));
const responseFormat = (name: string, of: Holding): Place =>
  chat(name, (s) => ({
    response_format: { type: "json_schema", json_schema: { name: "n", schema: {}, ...of(s) } },
  }));
/** The value in another spelling of each of its characters. */
const spelt = (name: string, spell: (character: string) => string): Place =>
  content(name, (s) => [...s].map(spell).join(""));

/** Chat Completions. */
export const CHAT_PLACES: Record<string, Place[]> = {
  "openai-completions": [
    chat("chat user", (s) => ({ user: s })),
    chat("chat safety_identifier", (s) => ({ safety_identifier: s, prompt_cache_key: s })),
    chat("chat metadata", (s) => ({ metadata: { a: s } })),
    message("chat name", (s) => ({ role: "user", name: s, content: "hi" })),
    message("chat tool_call_id", (s) => ({ role: "tool", tool_call_id: s, content: "hi" })),
    toolCall("chat tool call name", (s) => ({ name: s })),
    toolCall("chat args key", (s) => ({ arguments: JSON.stringify({ [s]: 1 }) })),
    toolCall("chat args num", (s) => ({ arguments: JSON.stringify({ a: number(s) }) })),
    property("chat schema enum", (s) => ({ type: "string", enum: [s] })),
    property("chat schema const", (s) => ({ const: s })),
    property("chat schema default", (s) => ({ default: s })),
    property("chat schema pattern", (s) => ({ pattern: s })),
    tool("chat schema propname", (s) => ({
      parameters: { type: "object", properties: { [s]: { type: "string" } } },
    })),
    tool("chat schema x-unknown", (s) => ({ parameters: { type: "object", "x-note": `call ${s}` } })),
    tool("chat tool name", (s) => ({ name: s })),
    responseFormat("chat rf schema enum", (s) => ({ schema: { enum: [s] } })),
    responseFormat("chat rf name", (s) => ({ name: s })),
    responseFormat("chat rf desc", (s) => ({ description: s, schema: { description: s } })),
    chat("chat stop", (s) => ({ stop: [s] })),
    chat("chat prediction", (s) => ({ prediction: { type: "content", content: s } })),
    chat("chat logit_bias", (s) => ({ logit_bias: { [s]: 1 } })),
    chat("chat service_tier", (s) => ({ service_tier: s })),
    chat("chat unknown num", (s) => ({ foo: number(s) })),
    chat("chat unknown num deep", (s) => ({ foo: { bar: { baz: number(s) } } })),
    chat("chat unknown arr num", (s) => ({ foo: [number(s), "x"] })),
    content("chat content num", number),
    part("chat image url query", (s) => ({
      type: "image_url",
      image_url: { url: `https://x.test/a.png?k=${s}` },
    })),
    part("chat data url text", (s) => ({ type: "image_url", image_url: { url: `data:text/plain,${s}` } })),
    part("chat data url b64 text", (s) => ({
      type: "file",
      file: { filename: `${s}.txt`, file_data: `data:text/plain;base64,${base64(`call ${s}`)}` },
    })),
    part("chat audio", (s) => ({ type: "input_audio", input_audio: { data: base64(s), format: "wav" } })),
    part("chat file_id", (s) => ({ type: "file", file: { file_id: s } })),
    content("chat split parts", (s) => [
      { type: "text", text: s.slice(0, 6) },
      { type: "text", text: s.slice(6) },
    ]),
    chat("chat split msgs", (s) => ({
      messages: [said(`call ${s.slice(0, 6)}`), said(`${s.slice(6)} now`)],
    })),
    message("chat refusal", (s) => ({
      role: "assistant",
      content: null,
      refusal: s,
      reasoning_content: s,
      reasoning: s,
      annotations: [{ type: "url_citation", url_citation: { url: `https://x/?${s}`, title: s } }],
    })),
    message("chat annotations deep", (s) => ({
      role: "assistant",
      content: "x",
      reasoning_details: [{ type: "reasoning.encrypted", data: s }],
    })),
    message("chat reasoning sig", (s) => ({
      role: "assistant",
      content: "x",
      reasoning_details: [{ type: "reasoning.text", text: "x", signature: s }],
    })),
    spelt("chat fullwidth", (c) => (/[!-~]/.test(c) ? String.fromCharCode(c.charCodeAt(0) + 0xfee0) : c)),
    content("chat zwsp", (s) => [...s].join("\u200b")),
    spelt("chat html ent", (c) => `&#${c.charCodeAt(0)};`),
    spelt("chat u in text", (c) => `\\u00${c.charCodeAt(0).toString(16)}`),
    content("chat b64", (s) => `x ${base64(`my key ${s} end`)}`),
    [
      "chat proto",
      CHAT,
      (s) =>
        JSON.parse(
          `{"model":"m","messages":[{"role":"user","content":"hi"}],"__proto__":{"a":"${s}"},"constructor":{"prototype":{"b":"${s}"}}}`,
        ),
    ],
    content("chat nested content", (s) => [[[{ type: "text", text: [[s]] }]]]),
    message("chat tool result arr", (s) => ({
      role: "tool",
      tool_call_id: "x",
      content: [{ type: "text", text: s }, { json: { a: [s] } }],
    })),
    message("chat tool result obj", (s) => ({
      role: "tool",
      tool_call_id: "x",
      content: { a: { b: [s] } },
    })),
    chat("chat web_search_options", (s) => ({
      web_search_options: { user_location: { approximate: { city: s } } },
    })),
    chat("chat fn name choice", (s) => ({ tool_choice: { type: "function", function: { name: s } } })),
  ],
};
