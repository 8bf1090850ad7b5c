/** A value that no text holds and nobody has said before, at every place of a request where one can stand. */
import { afterEach, describe, expect, it } from "vitest";
import { CHAT_PLACES } from "./testing/places/chat.ts";
import { base64, CHAT, hi } from "./testing/places/place.ts";
import { RESPONSES_PLACES } from "./testing/places/responses.ts";
import { VENDORS } from "./testing/places/vendors.ts";
import { json, sse } from "./testing/recording-upstream.ts";
import { AWS_KEY, type Bench, CARD, PHONE, startBench } from "./testing/setup.ts";
import type { EgressApi } from "./types.ts";

let bench: Bench;
afterEach(() => bench.close());

for (const [api, places] of [CHAT_PLACES, RESPONSES_PLACES, VENDORS].flatMap((table) =>
  Object.entries(table),
)) {
  describe(api, () => {
    it.each(places)("%s: no value leaves, and the caller is answered", async (_, path, body) => {
      bench = await startBench({ api: api as EgressApi, upstreamPath: "" });
      for (const secret of [PHONE, AWS_KEY, CARD]) {
        const answer = await bench.post(path, body(secret));
        const text = await answer.text();
        expect([200, 400]).toContain(answer.status);
        if (answer.status === 400) expect(text).toMatch(/ClawXRouter: \w/);
        expect(text).not.toContain(secret);
      }
      for (const { body: sent, url } of bench.cloud.requests) {
        for (const secret of [PHONE, AWS_KEY, CARD]) {
          expect(sent + url).not.toContain(secret);
          expect(sent).not.toContain(base64(secret).replace(/=+$/, "").slice(0, 10));
        }
      }
    });
  });
}

describe("values of a tool's schema", () => {
  const tool = (values: string[]) => ({
    model: "m",
    messages: hi,
    tools: [
      {
        type: "function",
        function: {
          name: "call",
          parameters: { type: "object", properties: { to: { type: "string", enum: values } } },
        },
      },
    ],
  });

  it("go out as placeholders, and come back as what they are", async () => {
    bench = await startBench({ upstreamPath: "" });
    bench.cloud.answer(({ json: asked }, response) => {
      const [first] = asked.tools as [
        { function: { parameters: { properties: { to: { enum: string[] } } } } },
      ];
      const to = first.function.parameters.properties.to.enum[1];
      const call = {
        id: "c",
        type: "function",
        function: { name: "call", arguments: JSON.stringify({ to }) },
      };
      json(response, 200, { choices: [{ message: { role: "assistant", tool_calls: [call] } }] });
    });
    const answer = (await (await bench.post(CHAT, tool(["nobody", PHONE]))).json()) as {
      choices: [{ message: { tool_calls: [{ function: { arguments: string } }] } }];
    };
    expect(bench.cloud.requests[0]?.body).toContain('"nobody"');
    expect(bench.cloud.requests[0]?.body).not.toContain(PHONE);
    expect(JSON.parse(answer.choices[0].message.tool_calls[0].function.arguments)).toEqual({ to: PHONE });
  });

  it("that are plain words stay", async () => {
    bench = await startBench({ upstreamPath: "" });
    const body = tool(["spawn", "list", "kill", "application/json", "2026-11", "en-US"]);
    await bench.post(CHAT, body);
    expect(bench.cloud.requests[0]?.json).toEqual(body);
  });
});

describe("headers", () => {
  const ask = (headers: Record<string, string>) =>
    bench.post(CHAT, { model: "m", messages: [{ role: "user", content: "hi" }] }, { headers });

  it.each([
    ["a quoted prompt", { "x-note": `call ${PHONE} at once` }],
    ["a session named after a number", { "x-session-affinity": `agent:main:whatsapp:+86${PHONE}` }],
    ["baggage", { baggage: `user=${PHONE}` }],
    ["percent-encoded", { "x-title": [...PHONE].map((c) => `%${c.charCodeAt(0).toString(16)}`).join("") }],
  ])("%s does not go along; the request does", async (_, headers) => {
    bench = await startBench({ upstreamPath: "" });
    bench.vault.tokenise(PHONE, "PHONE", "S2", "agent:main:other");
    await ask({ ...headers, "x-custom": "kept-1", "anthropic-beta": "tools-2026-01-01" });
    const sent = JSON.stringify(bench.cloud.requests[0]?.headers);
    expect(sent).not.toContain(Object.keys(headers)[0]);
    expect(sent).toContain("kept-1");
    expect(sent).toContain("tools-2026-01-01");
    expect(bench.events).toContainEqual(
      expect.objectContaining({
        kind: "forward",
        reasons: [`header ${Object.keys(headers)[0]} withheld: PHONE`],
      }),
    );
  });

  it("said for the first time, in a list of models too", async () => {
    bench = await startBench({ upstreamPath: "" });
    await ask({ "x-note": `call ${PHONE}` });
    await (await fetch(`${bench.base()}/v1/models`, { headers: { "x-note": `key ${AWS_KEY}` } })).text();
    expect(bench.cloud.requests).toHaveLength(2);
    for (const { headers } of bench.cloud.requests) expect(headers).not.toHaveProperty("x-note");
  });

  it("the provider's own key goes along, whoever has spoken of it", async () => {
    bench = await startBench({ upstreamPath: "" });
    bench.vault.tokenise(AWS_KEY, "API_KEY", "S3", "agent:main:other");
    await ask({ authorization: `Bearer ${AWS_KEY}`, "x-api-key": AWS_KEY, "x-goog-api-key": AWS_KEY });
    expect(bench.cloud.requests[0]?.headers).toMatchObject({
      authorization: `Bearer ${AWS_KEY}`,
      "x-api-key": AWS_KEY,
      "x-goog-api-key": AWS_KEY,
    });
  });
});

it("an error, sources and notes in a stream come back with the values", async () => {
  bench = await startBench({ upstreamPath: "" });
  const events = [
    { error: { message: "cannot call [REDACTED:PHONE_1]" } },
    {
      choices: [{ index: 0, delta: { content: "see" } }],
      citations: ["https://x.test/?q=[REDACTED:PHONE_1]"],
    },
    { choices: [{ index: 0, delta: { annotations: [{ url_citation: { title: "[REDACTED:PHONE_1]" } }] } }] },
  ];
  bench.cloud.answer((_request, response) =>
    sse(response, `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("")}data: [DONE]\n\n`),
  );
  const body = { model: "m", stream: true, messages: [{ role: "user", content: `call ${PHONE}` }] };
  const wire = await (await bench.post(CHAT, body)).text();
  expect(wire.split(PHONE)).toHaveLength(4);
  expect(wire).not.toContain("REDACTED");
});
