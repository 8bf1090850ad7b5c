/** What somebody would try who wants another conversation's values, or a value past the check. */
import { Vault } from "@clawx/shared-security";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import { DIALECTS } from "./testing/dialects.ts";
import { json, type RecordingUpstream, recordingUpstream, sse } from "./testing/recording-upstream.ts";
import { AWS_KEY, type Bench, CARD, PHONE, startBench } from "./testing/setup.ts";
import type { EgressApi } from "./types.ts";

const CHAT = "/v1/chat/completions";
const user = (content: string): JsonObject => ({ role: "user", content });
const chat = (...messages: JsonObject[]): JsonObject => ({ model: "m1", messages });

/** Trace ids of two conversations; any other belongs to none. */
const TRACES: Record<string, string> = { ["a".repeat(32)]: "agent:main:a", ["b".repeat(32)]: "agent:main:b" };
const trace = (name: string) => ({ traceparent: `00-${name.repeat(32)}-${"1".repeat(16)}-01` });

let bench: Bench;
let home: RecordingUpstream;
async function start(api: EgressApi = "openai-completions"): Promise<void> {
  bench = await startBench({
    api,
    vault: new Vault(),
    upstreamPath: "",
    sessionOf: ({ traceId }) => (traceId === undefined ? undefined : TRACES[traceId]),
    more: { home: { baseUrl: home.url, api, local: true } },
  });
}
beforeEach(async () => {
  home = await recordingUpstream();
});
afterEach(async () => {
  await bench.close();
  await home.close();
});

describe("a placeholder of another conversation", () => {
  const APIS: EgressApi[] = [
    "openai-completions",
    "openai-responses",
    "anthropic-messages",
    "google-generative-ai",
    "ollama",
  ];

  it.each(
    DIALECTS.map(
      (dialect, index) => [dialect.protocol.id, dialect, APIS[index] ?? "openai-completions"] as const,
    ),
  )(
    "%s: emitted by a model in text, in pieces and in tool arguments it stays one",
    async (_, dialect, api) => {
      await start(api);
      const token = bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:a");
      const text = `call ${token} now`;
      const args = JSON.stringify({ number: token, note: `say ${token}` });
      for (const who of ["b", "x", "a"]) {
        const own = who === "a";
        for (const size of [1, 3, 1000]) {
          const cut = (whole: string) => whole.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? [];
          bench.cloud.answer((_request, response) =>
            dialect.protocol.id === "ollama"
              ? void response
                  .writeHead(200, { "content-type": "application/x-ndjson" })
                  .end(dialect.stream(cut(text), cut(args)))
              : sse(response, dialect.stream(cut(text), cut(args))),
          );
          const path = dialect.path.includes("generateContent")
            ? dialect.path.replace(/:generate/, ":streamGenerate")
            : dialect.path;
          const query = path.includes("streamGenerateContent") ? "?alt=sse" : "";
          // The other one's placeholder stands in the request, too: who asks with it must not be told its value.
          const asked = dialect.request(`what is ${token}, and who is it?`, true);
          const answer = await bench.post(path.split("?")[0] + query, asked, { headers: trace(who) });
          const wire = await answer.text();
          const got = dialect.assemble(wire);
          if (own) expect(got.text).toBe(`call ${PHONE} now`);
          else {
            expect(wire).not.toContain(PHONE);
            expect(got.text).toBe(text);
            expect(JSON.stringify(got.args)).toContain(token);
          }
        }
        bench.cloud.answer((_request, response) => json(response, 200, dialect.whole(text, args)));
        const path = dialect.path.replace(":streamGenerate", ":generate").split("?")[0] ?? "";
        const whole = await bench.post(path, dialect.request(`who is ${token}?`, false), {
          headers: trace(who),
        });
        const body = await whole.text();
        expect(body.includes(PHONE)).toBe(own);
      }
      expect(bench.cloud.requests.map(({ body }) => body).join()).not.toContain(PHONE);
    },
  );

  it("typed by a user comes back as it was typed", async () => {
    await start();
    const token = bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:a");
    bench.cloud.answer(({ json: asked }, response) => {
      const [message] = asked.messages as JsonObject[];
      json(response, 200, { choices: [{ message: { content: `you said: ${String(message?.content)}` } }] });
    });
    for (const who of ["b", "x"]) {
      const answer = await bench.post(CHAT, chat(user(`what is ${token}?`)), { headers: trace(who) });
      const body = (await answer.json()) as { choices: Array<{ message: { content: string } }> };
      expect(body.choices[0]?.message.content).toBe(`you said: what is ${token}?`);
    }
  });

  it("two calls without a conversation do not share what each of them said", async () => {
    await start();
    bench.cloud.answer((_request, response) =>
      json(response, 200, { choices: [{ message: { content: "it is [REDACTED:PHONE_1]" } }] }),
    );
    const first = await (await bench.post(CHAT, chat(user(`call ${PHONE}`)))).text();
    expect(first).toContain(PHONE);
    const second = await (await bench.post(CHAT, chat(user("what is [REDACTED:PHONE_1]?")))).text();
    expect(second).not.toContain(PHONE);
    // Long enough to be remembered turn by turn: what an earlier turn said still comes back, and only there.
    const talk = (last: string) =>
      chat(...Array.from({ length: 12 }, (_, i) => user(`${i} ${"words ".repeat(99)}`)), user(last));
    await (await bench.post(CHAT, talk(`call ${CARD}`))).text();
    const token = [...bench.vault.entries()].find(({ value }) => value === CARD)?.token ?? "";
    bench.cloud.answer((_request, response) =>
      json(response, 200, { choices: [{ message: { content: `it is ${token}` } }] }),
    );
    const other = await (await bench.post(CHAT, talk(`what is ${token}?`))).text();
    expect(other).not.toContain(CARD);
  });

  it("is not restored for a local model of another conversation, or of none", async () => {
    await start();
    const letter = bench.vault.tokenise("the private letter", "TEXT", "S3", "agent:main:a");
    const phone = bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:a");
    const ask = (who: string) =>
      fetch(bench.base("home") + CHAT, {
        method: "POST",
        headers: { "content-type": "application/json", ...trace(who) },
        body: JSON.stringify(chat(user(`read ${letter} to ${phone}`))),
      });
    for (const who of ["b", "x", "a"]) await ask(who);
    const [other, none, own] = home.requests.map(({ body }) => body);
    for (const body of [other, none]) {
      expect(body).not.toContain("the private letter");
      expect(body).not.toContain(PHONE);
      expect(body).toContain(letter);
    }
    expect(own).toContain(`read the private letter to ${PHONE}`);
  });
});

describe("a body that is not what it seems", () => {
  const raw = (text: string) => bench.post(CHAT, text);
  const escaped = [...PHONE].map((digit) => `\\u003${digit}`).join("");

  it.each([
    [
      "a field twice, the private one first",
      `{"model":"m1","messages":[{"role":"user","content":"${PHONE}"}],"messages":[{"role":"user","content":"hi"}]}`,
    ],
    [
      "a field twice, the private one last",
      `{"model":"m1","messages":[{"role":"user","content":"hi"}],"messages":[{"role":"user","content":"${PHONE}"}]}`,
    ],
    ["a content twice", `{"model":"m1","messages":[{"role":"user","content":"${PHONE}","content":"hi"}]}`],
    [
      "a content twice in a long list",
      `{"model":"m1","messages":[${`{"role":"user","content":"x"},`.repeat(12)}{"role":"user","content":"${PHONE}","content":"hi"}]}`,
    ],
    [
      "a name in escapes",
      `{"model":"m1","m\\u0065ssages":[{"role":"user","content":"${PHONE}"}],"messages":[{"role":"user","content":"hi"}]}`,
    ],
    ["a value in escapes", `{"model":"m1","messages":[{"role":"user","content":"${escaped}"}]}`],
    [
      "a value in escapes under an escaped name",
      `{"model":"m1","messages":[{"role":"user","cont\\u0065nt":"call ${escaped}"}]}`,
    ],
    ["white space between", `{ "model" : "m1" ,\n"messages":[\t{"role":"user","content":"${PHONE}"} ] }`],
    [
      "a property named __proto__",
      `{"model":"m1","messages":[{"role":"user","content":"hi","__proto__":{"content":"${PHONE}"}}]}`,
    ],
    [
      "a number in another notation",
      `{"model":"m1","messages":[{"role":"user","content":"hi"}],"user":1.${PHONE.slice(1)}e10}`,
    ],
    [
      "a number in tool arguments",
      `{"model":"m1","messages":[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\\"p\\":1.${PHONE.slice(1)}E+10}"}}]}]}`,
    ],
  ])("%s: what leaves is what was inspected", async (_, text) => {
    await start();
    await raw(text);
    for (const { body } of bench.cloud.requests) {
      expect(body).not.toContain(PHONE);
      expect(body).not.toContain(PHONE.slice(1));
      expect(body).not.toContain(escaped);
      expect(body).toBe(JSON.stringify(JSON.parse(body)));
    }
    expect(bench.cloud.requests).toHaveLength(1);
  });

  it.each([
    ["a byte order mark", `\ufeff${JSON.stringify(chat(user(PHONE)))}`],
    ["text behind the body", `${JSON.stringify(chat(user("hi")))} ${PHONE}`],
    ["two bodies", JSON.stringify(chat(user("hi"))) + JSON.stringify(chat(user(PHONE)))],
    ["a comment", `{"model":"m1",/* ${PHONE} */"messages":[]}`],
    ["no object", JSON.stringify([user(PHONE)])],
    ["a raw line end in a string", `{"model":"m1","messages":[{"role":"user","content":"${PHONE}\n"}]}`],
  ])("%s: nothing leaves", async (_, text) => {
    await start();
    expect((await raw(text)).status).toBe(400);
    expect(bench.cloud.requests).toHaveLength(0);
  });

  it.each([
    ["UTF-16", Buffer.from(JSON.stringify(chat(user(PHONE))), "utf16le"), "application/json; charset=utf-16"],
    [
      "bytes that are no UTF-8",
      Buffer.concat([
        Buffer.from('{"model":"m1","messages":[{"role":"user","content":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`${PHONE}"}]}`),
      ]),
      "application/json",
    ],
  ])("%s: no value leaves", async (_, body, type) => {
    await start();
    await fetch(bench.base() + CHAT, { method: "POST", headers: { "content-type": type }, body });
    for (const request of bench.cloud.requests) expect(request.body).not.toContain(PHONE);
  });

  it("a remembered message that comes back with a field twice is looked at anew", async () => {
    await start();
    const list = Array.from(
      { length: 12 },
      (_, i) => `{"role":"user","content":"${i} ${"words ".repeat(60)}"}`,
    );
    await raw(`{"model":"m1","messages":[${list.join()}]}`);
    list[3] = `{"role":"user","content":"${PHONE}","content":"3"}`;
    await raw(`{"model":"m1","messages":[${list.join()}]}`);
    expect(bench.cloud.requests[1]?.body).not.toContain(PHONE);
    expect(bench.cloud.requests[1]?.body).toContain('"content":"3"');
  });
});

describe("a value beside the texts", () => {
  const known = () => {
    bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:a");
    bench.vault.tokenise(AWS_KEY, "AWS_ACCESS_KEY", "S3", "agent:main:a");
  };

  it.each([
    ["the path", `/v1beta/models/m-${PHONE}:generateContent`],
    [
      "the path, in groups",
      `/v1beta/models/m-${PHONE.slice(0, 3)}-${PHONE.slice(3, 7)}-${PHONE.slice(7)}:generateContent`,
    ],
    ["a deployment", `/openai/deployments/${AWS_KEY}/chat/completions`],
    ["the query", `${CHAT}?api-version=${PHONE}`],
    ["a list of models", `/v1/models/${AWS_KEY}`],
  ])("%s: refused, and nothing leaves", async (_, path) => {
    await start();
    known();
    const init = path.includes("/models/") && !path.includes(":") ? { method: "GET" } : undefined;
    const response = init
      ? await fetch(bench.base() + path, init)
      : await bench.post(path, { contents: [{ parts: [{ text: "hi" }] }], messages: [user("hi")] });
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain(AWS_KEY);
    expect(bench.cloud.requests).toHaveLength(0);
    expect(bench.events.at(-1)).toMatchObject({ kind: "refused", code: "final-check" });
  });

  it("the provider's own key in the query passes, whoever has spoken of it", async () => {
    await start("google-generative-ai");
    known();
    const path = `/v1beta/models/gemini:generateContent?key=${AWS_KEY}`;
    expect((await bench.post(path, { contents: [{ role: "user", parts: [{ text: "hi" }] }] })).status).toBe(
      200,
    );
  });

  it.each([
    ["an id of a message", { messages: [user("hi")], previous_response_id: `r${PHONE}` }],
    ["an unknown field's name", { messages: [{ ...user("hi"), [PHONE]: true }] }],
    ["a known field's word", { messages: [user("hi")], service_tier: PHONE }],
    [
      "a name of a property deep in a schema",
      {
        messages: [user("hi")],
        response_format: {
          type: "json_schema",
          json_schema: {
            name: "n",
            schema: { properties: { a: { properties: { [AWS_KEY]: { type: "string" } } } } },
          },
        },
      },
    ],
    [
      "half of a key, in other case",
      {
        messages: [user("hi")],
        tools: [
          { type: "function", function: { name: "f", parameters: { pattern: AWS_KEY.toLowerCase() } } },
        ],
      },
    ],
  ])("%s: never leaves", async (_, body) => {
    await start();
    known();
    await bench.post(CHAT, { model: "m1", ...body });
    for (const request of bench.cloud.requests) {
      expect(request.body).not.toContain(PHONE);
      expect(request.body.toUpperCase()).not.toContain(AWS_KEY);
    }
  });
});
