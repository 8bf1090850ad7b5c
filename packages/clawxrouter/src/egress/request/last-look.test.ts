import { Vault, type WireProtocol } from "@clawx/shared-security";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { AWS_KEY, CARD, PHONE, POLICY, ruleInspector } from "../testing/setup.ts";
import type { EgressPolicy } from "../types.ts";
import { CloudBodies } from "./cloud-body.ts";

function lab(vault = new Vault(), models: readonly string[] = [], policy: EgressPolicy = POLICY) {
  const bodies = new CloudBodies(ruleInspector(), vault);
  const send = async (
    body: JsonObject | string,
    session: string | undefined = "a",
    protocol: WireProtocol = "openai-chat",
  ) => {
    const { bytes, report } = await bodies.make({
      text: typeof body === "string" ? body : JSON.stringify(body),
      protocol,
      context: {
        requestId: "r",
        providerId: "p",
        model: undefined,
        session,
        signal: new AbortController().signal,
      },
      policy,
      familyOf: () => "m",
      adjust: () => undefined,
      models: new Set(models),
    });
    const wire = bytes.toString("utf8");
    return { wire, body: JSON.parse(wire) as JsonObject, report };
  };
  return { vault, send };
}

/** A key with the look of a real one, made here so that no scanner takes this file for a leak. */
function pem(label: string, lines: number, seed = 1): { text: string; lines: string[] } {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let state = seed;
  const unit = () => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return alphabet[(state >>> 16) % 64] ?? "A";
  };
  const body = Array.from({ length: lines }, () => Array.from({ length: 64 }, unit).join(""));
  const name = `${label}PRIVATE`;
  return {
    text: [`-----BEGIN ${name} KEY-----`, ...body, `-----END ${name} KEY-----`].join("\n"),
    lines: body,
  };
}

const chat = (...messages: JsonObject[]): JsonObject => ({
  model: "m",
  messages: [{ role: "system", content: "You are helpful." }, ...messages],
});

/** The forms in which a key comes along: escaped, quoted, JSON in JSON, cut, on one line, line by line. */
const FORMS: Record<string, (key: string) => string> = {
  plain: (key) => key,
  "with CRLF": (key) => key.replaceAll("\n", "\r\n"),
  "JSON string": (key) => JSON.stringify(key),
  "JSON object": (key) => JSON.stringify({ key }),
  "JSON in JSON": (key) => JSON.stringify({ a: JSON.stringify({ key }) }),
  "string in string": (key) => JSON.stringify(JSON.stringify({ key })),
  "first half": (key) => key.slice(0, key.length / 2),
  "second half": (key) => key.slice(key.length / 2),
  middle: (key) => key.slice(20, key.length - 20),
  "quoted mail": (key) => key.replace(/^/gm, "> "),
  indented: (key) => key.replace(/^/gm, "    "),
  "on one line": (key) => key.replaceAll("\n", " "),
  "without line ends": (key) => key.replaceAll("\n", ""),
  "escaped by hand": (key) => key.replaceAll("\n", "\\n"),
  "escaped twice": (key) => key.replaceAll("\n", "\\\\n"),
  "list of lines": (key) => JSON.stringify(key.split("\n")),
  "lines in data": (key) => JSON.stringify({ lines: key.split("\n"), other: "something_longer" }),
  "cut label": (key) => `label_json="${key.replaceAll("\n", "").slice(0, 37)}..."`,
  "cut after the border": (key) => `label_json=\\"${JSON.stringify(key).slice(1, 34)}\\..."`,
  "cut in an escape": (key) => JSON.stringify({ key }).slice(0, 41),
  tail: (key) => `…(truncated)…${key.slice(-80)}`,
  "in code": (key) =>
    key
      .split("\n")
      .map((line) => JSON.stringify(line))
      .join(" + "),
  "percent-encoded": (key) => encodeURIComponent(key),
  base64: (key) => Buffer.from(key).toString("base64"),
  "first line": (key) => key.split("\n")[0] ?? "",
  "last line": (key) => key.split("\n").at(-1) ?? "",
  "internal context": (key) =>
    `<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\n"## Recently Completed Subagents\\n- status=done; task_json=\\"${JSON.stringify(JSON.stringify(key)).slice(2, 120)}...\\""\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>`,
};

/** Where it stands in a request. */
const PLACES: Record<string, (text: string) => JsonObject> = {
  user: (text) => ({ role: "user", content: text }),
  "part of a user's": (text) => ({ role: "user", content: [{ type: "text", text }] }),
  assistant: (text) => ({ role: "assistant", content: text }),
  arguments: (text) => call(JSON.stringify({ id: "sessions_spawn", args: { task: text } })),
  "arguments in arguments": (text) =>
    call(JSON.stringify({ id: "sessions_spawn", args: JSON.stringify({ task: text, label: "some_label" }) })),
  "broken arguments": (text) => call(JSON.stringify({ task: text }).slice(0, -2)),
  result: (text) => ({
    role: "tool",
    tool_call_id: "call_1",
    content: JSON.stringify({ status: "accepted", task: text, children: [text, "otherwords12"] }, null, 2),
  }),
};

function call(argument: string): JsonObject {
  const made = { id: "call_1", type: "function", function: { name: "tool_call", arguments: argument } };
  return { role: "assistant", content: null, tool_calls: [made] };
}

/** What ordinary conversations say; some of it is about keys. */
const CLEAN = [
  "Hello there, what is a symlink?",
  "-----END RSA PRIVATE KEY----- is the last line of a key, -----BEGIN RSA PRIVATE KEY----- the first",
  "status accepted runId something_longer otherwords12 sessions_spawn some_label",
  'Say "yes" or \\"no\\" and press \\n',
];

describe("a private key, in any form and place", () => {
  const keys = [pem("RSA ", 26), pem("OPENSSH ", 3, 7), pem("", 1, 9), pem("EC ", 2, 11)];

  it.each(Object.keys(FORMS))(
    "%s: no line of it leaves, no turn is refused, here or elsewhere",
    async (name) => {
      const form = FORMS[name] ?? String;
      for (const [place, put] of Object.entries(PLACES)) {
        for (const key of keys) {
          const { send } = lab();
          const turns: JsonObject[] = [];
          for (const text of [
            key.text,
            `Is this fine?\n${form(key.text)}`,
            `${form(key.text)}\nand go on`,
            form(key.text),
          ]) {
            turns.push(put(text), { role: "assistant", content: "Done." });
            const { wire } = await send(chat(...turns));
            for (const line of key.lines) expect(wire, `${place}, ${name}`).not.toContain(line);
          }
          for (const text of CLEAN) {
            const { wire } = await send(chat({ role: "user", content: text }), "another");
            expect(wire, `${place}, ${name}`).toBe(JSON.stringify(chat({ role: "user", content: text })));
          }
        }
      }
    },
  );

  it("any sequence of them is answered in every conversation", async () => {
    const step = fc.record({
      form: fc.constantFrom(...Object.values(FORMS)),
      put: fc.constantFrom(...Object.values(PLACES)),
      key: fc.constantFrom(...keys),
      session: fc.constantFrom("a", "b", undefined),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 5 }), async (steps) => {
        const { send } = lab();
        const turns: JsonObject[] = [];
        // Half a key tells nobody that it is one: the whole has been seen before.
        for (const { text } of keys) await send(chat({ role: "user", content: text }));
        for (const { form, put, key, session } of steps) {
          turns.push(put(form(key.text)));
          const { wire } = await send(chat(...turns), session);
          for (const line of key.lines) expect(wire).not.toContain(line);
          for (const text of CLEAN) await send(chat({ role: "user", content: text }), "another");
        }
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 60) },
    );
  });
});

describe("a value that redaction did not see", () => {
  /** A value that is only known once the texts have been read: the last look meets it first. */
  function late(value: string, type = "SECRET") {
    const { vault, send } = lab();
    vault.tokenise(value, type, "S3", "elsewhere");
    return send;
  }

  it("that is structure of the request: the texts around it go", async () => {
    const send = late('{"role":"user","content":"Hello there"}');
    const { body } = await send(chat({ role: "user", content: "Hello there" }));
    expect(JSON.stringify(body)).not.toContain("Hello there");
    expect(JSON.stringify(body)).toContain("withheld by ClawXRouter");
  });

  it("an id: another one, the same for call and result", async () => {
    const id = `call_${PHONE}`;
    const send = late(PHONE, "PHONE");
    const { wire, body } = await send(
      chat(
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id, type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: id, content: "ok" },
      ),
    );
    expect(wire).not.toContain(PHONE);
    const messages = body.messages as Array<{ tool_calls?: Array<{ id: string }>; tool_call_id?: string }>;
    expect(messages[2]?.tool_call_id).toBe(messages[1]?.tool_calls?.[0]?.id);
    expect(messages[2]?.tool_call_id).toMatch(/^call_[0-9a-f]{24}$/);
  });

  it.each([
    ["its name", { name: `ask_${PHONE}`, parameters: {} }],
    [
      "a property",
      { name: "ask", parameters: { type: "object", properties: { [`q${PHONE}`]: { type: "string" } } } },
    ],
    [
      "a number with dashes",
      { name: "ask", parameters: { pattern: `${PHONE.slice(0, 3)}-${PHONE.slice(3, 7)}-${PHONE.slice(7)}` } },
    ],
    [
      "full width",
      {
        name: "ask",
        parameters: {
          pattern: [...PHONE].map((c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0)).join(""),
        },
      },
    ],
  ])("in the definition of a tool, %s: the tool is left out, the others stay", async (_, definition) => {
    const send = late(PHONE, "PHONE");
    const tools = [
      { type: "function", function: { name: "read", parameters: {} } },
      { type: "function", function: definition },
    ];
    const { body, report } = await send({
      ...chat({ role: "user", content: "hi" }),
      tools,
      tool_choice: "auto",
    });
    expect(body.tools).toEqual([tools[0]]);
    expect(body.tool_choice).toBe("auto");
    expect(report.reasons.join()).toContain("withheld: PHONE");
    const alone = await send({
      ...chat({ role: "user", content: "hi" }),
      tools: tools.slice(1),
      tool_choice: "auto",
    });
    expect(alone.body).not.toHaveProperty("tools");
    expect(alone.body).not.toHaveProperty("tool_choice");
  });

  it.each([
    ["an enum", { enum: ["you", PHONE] }],
    ["a const, with dashes", { const: `${PHONE.slice(0, 3)}-${PHONE.slice(3, 7)}-${PHONE.slice(7)}` }],
    ["a word of nobody's", { enumDescriptions: [`call ${PHONE}`], "x-note": `call ${PHONE}` }],
  ])("in the definition of a tool, %s: a placeholder stands in its place", async (_, parameters) => {
    const send = late(PHONE, "PHONE");
    const tools = [{ type: "function", function: { name: "ask", parameters } }];
    const { wire, body } = await send({ ...chat({ role: "user", content: "hi" }), tools });
    expect(body.tools).toHaveLength(1);
    expect(wire).toMatch(/\[(?:PRIVATE|REDACTED):PHONE_\d+\]/);
    expect(wire).not.toContain(PHONE.slice(7));
  });

  it("a tool among Google's declarations, Anthropic's and Responses' tools", async () => {
    const send = late(CARD, "BANK_CARD");
    const google = await send(
      {
        contents: [{ role: "user", parts: [{ text: "hi" }] }],
        tools: [{ functionDeclarations: [{ name: `pay_${CARD}` }, { name: "read" }] }, { googleSearch: {} }],
      },
      "a",
      "google-generative-ai",
    );
    expect(google.body.tools).toEqual([{ functionDeclarations: [{ name: "read" }] }, { googleSearch: {} }]);
    const anthropic = await send(
      {
        model: "m",
        messages: [{ role: "user", content: "hi" }],
        tools: [
          { name: `pay_${CARD}`, input_schema: {} },
          { name: "read", input_schema: {} },
        ],
      },
      "a",
      "anthropic-messages",
    );
    expect(anthropic.body.tools).toEqual([{ name: "read", input_schema: {} }]);
    const responses = await send(
      { model: "m", input: "hi", tools: [{ type: "function", name: `pay_${CARD}`, parameters: {} }] },
      "a",
      "openai-responses",
    );
    expect(responses.body).not.toHaveProperty("tools");
  });

  it("ends the turn instead, where the policy says so for its level", async () => {
    const { vault, send } = lab(new Vault(), [], { ...POLICY, s3: "block" });
    vault.tokenise(`mine-${PHONE}`, "SECRET", "S3", "elsewhere");
    const tools = [{ type: "function", function: { name: `mine-${PHONE}`, parameters: {} } }];
    const sent = send({ ...chat({ role: "user", content: "hi" }), tools });
    await expect(sent).rejects.toMatchObject({ code: "policy-s3" });
  });

  it("the name of a tool that was called: another name", async () => {
    const send = late(PHONE, "PHONE");
    const { wire } = await send(
      chat(
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "c", type: "function", function: { name: `t${PHONE}`, arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "c", content: "ok" },
      ),
    );
    expect(wire).not.toContain(PHONE);
    expect(wire).toContain('"name":"withheld"');
  });

  it.each([
    ["a model", { ...chat({ role: "user", content: "hi" }), model: `m-${PHONE}` }],
    [
      "an answer's schema",
      {
        ...chat({ role: "user", content: "hi" }),
        response_format: { type: "json_schema", json_schema: { name: "x", schema: { const: PHONE } } },
      },
    ],
    ["a word of the protocol", chat({ role: `user${PHONE}`, content: "hi" })],
    [
      "an unknown field's name",
      { ...chat({ role: "user", content: "hi" }), x_13: { [`b${AWS_KEY}`]: { type: "x" } } },
    ],
  ])("%s cannot change: the request is refused, and says where", async (_, body) => {
    const send = late(PHONE, "PHONE");
    const other = late(AWS_KEY, "AWS_ACCESS_KEY");
    const sent = JSON.stringify(body).includes(AWS_KEY) ? other(body) : send(body);
    await sent.then(
      ({ wire }) => {
        expect(wire).not.toContain(PHONE);
        expect(wire).not.toContain(AWS_KEY);
      },
      (error: Error) => {
        expect(error.message).toMatch(/a value of type \w+ stands where it cannot be replaced/);
        expect(error.message).not.toContain(PHONE);
      },
    );
  });
});

describe("turn after turn", () => {
  const talk = Array.from({ length: 14 }, (_, i) => ({
    role: i % 2 ? "assistant" : "user",
    content: `${i} ${"words of it. ".repeat(60)}`,
  }));
  const id = `call_${PHONE}`;
  const calledBy = (name: string) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id: name, type: "function", function: { name: "f", arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: name, content: "ok" },
  ];
  const called = calledBy(id);

  it("what was withheld once is withheld alike, and one who knows no last turn gets the same", async () => {
    const vault = new Vault();
    vault.tokenise(PHONE, "PHONE", "S2", "elsewhere");
    const { send } = lab(vault);
    let messages: JsonObject[] = [...talk, ...called];
    for (let turn = 0; turn < 4; turn += 1) {
      const { wire } = await send({ model: "m", messages });
      expect(wire).not.toContain(PHONE);
      const cold = await lab(vault).send({ model: "m", messages });
      expect(wire).toBe(cold.wire);
      messages = [...messages, { role: "user", content: `and ${turn}? ${"more words. ".repeat(60)}` }];
    }
  });

  it("what becomes private later is taken out of what was sent before, names and tools included", async () => {
    const vault = new Vault();
    const { send } = lab(vault);
    // No rule knows it: somebody says later that it is private.
    const name = "ZEPHYR7Q42";
    const tools = [{ type: "function", function: { name: `ask_${name}`, parameters: {} } }];
    const body = { model: "m", messages: [...talk, ...calledBy(`call_${name}`)], tools };
    expect((await send(body)).wire).toContain(name);
    vault.tokenise(name, "CODENAME", "S2", "elsewhere");
    for (let turn = 0; turn < 3; turn += 1) expect((await send(body)).wire).not.toContain(name);
  });
});

describe("what one conversation knows leaves the others usable", () => {
  const tools = [
    {
      type: "function",
      function: { name: "sessions_spawn", parameters: { type: "object", additionalProperties: false } },
    },
  ];

  it.each([
    ["the name of a tool", "sessions_spawn", "PASSWORD"],
    ["a word of a schema", "additionalProperties", "PASSWORD"],
    ["a field of the protocol", "parallel_tool_calls", "PASSWORD"],
    ["the model", "gpt-5.4-mini", "PRODUCT"],
    ["a border of a key", `-----BEGIN RSA ${"PRIVATE"} KEY-----`, "PRIVATE_KEY"],
    ["a border that a cut left an escape on", `-----BEGIN RSA ${"PRIVATE"} KEY-----\\`, "PRIVATE_KEY"],
    ["punctuation", '",', "SECRET"],
    ["an escape", "\\n", "SECRET"],
    ["a word", "assistant", "USERNAME"],
  ])("%s as somebody's value", async (_, value, type) => {
    const { vault, send } = lab(new Vault(), ["gpt-5.4-mini"]);
    vault.tokenise(value, type, "S3", "elsewhere");
    const { body } = await send({
      ...chat({ role: "user", content: 'Say "hi",\nplease' }),
      model: "gpt-5.4-mini",
      tools,
      parallel_tool_calls: true,
    });
    expect(body.tools).toEqual(tools);
    expect(body.model).toBe("gpt-5.4-mini");
    expect(body.parallel_tool_calls).toBe(true);
  });

  it("words of the user's own rules are kept from names all the same", async () => {
    const { vault, send } = lab();
    vault.tokenise("sessions_spawn", "KEYWORD", "S2", "elsewhere");
    const { body } = await send({ ...chat({ role: "user", content: "hi" }), tools });
    expect(body).not.toHaveProperty("tools");
  });
});
