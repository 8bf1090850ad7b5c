/** Requests that go on from an answer which the provider keeps: `previous_response_id` and `conversation`. */
import type { ServerResponse } from "node:http";
import { afterEach, expect, it } from "vitest";
import { Chains } from "./chains.ts";
import { openaiResponses } from "./protocols/openai-responses.ts";
import { json } from "./testing/recording-upstream.ts";
import { type Bench, PHONE, startBench } from "./testing/setup.ts";

const PATH = "/v1/responses";
let bench: Bench;
afterEach(() => bench.close());

/** The provider's answer: an id and a text, whole or as a stream. */
function answer(response: ServerResponse, id: string, text: string, stream = false): void {
  const whole = {
    ...openaiResponses.completion(text, { model: "m", endpoint: "responses", now: 0, requestId: id }),
    id,
  };
  if (!stream) {
    json(response, 200, whole);
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of openaiResponses.streamOf(whole))
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  response.end();
}

const ask = async (body: object): Promise<string> =>
  (await bench.post(PATH, { model: "m", store: true, ...body })).text();

/** The first request of a chain, and the placeholder that the provider keeps from it. */
async function begin(id: string, stream = false): Promise<string> {
  bench.cloud.answer((_request, response) => answer(response, id, "noted", stream));
  await ask({ input: `my number is ${PHONE}`, stream });
  const token = /\[REDACTED:PHONE_\d+\]/.exec(bench.cloud.requests.at(-1)?.body ?? "")?.[0];
  if (token === undefined) throw new Error("no placeholder was sent");
  return token;
}

it.each([
  ["in a known conversation", "agent:main:main", false],
  ["in a known conversation, as a stream", "agent:main:main", true],
  ["of a caller whose conversation nobody knows", undefined, false],
  ["of a caller whose conversation nobody knows, as a stream", undefined, true],
])("placeholders of a chained answer come back: %s", async (_name, session, stream) => {
  bench = await startBench({ api: "openai-responses", sessionOf: () => session });
  const token = await begin("resp_1", stream);
  // Twice: what the second answer goes on from is in the third, too.
  for (const [before, id] of [
    ["resp_1", "resp_2"],
    ["resp_2", "resp_3"],
  ] as const) {
    bench.cloud.answer((_request, response) => answer(response, id, `it is ${token}`, stream));
    const told = await ask({ input: "and what was it?", previous_response_id: before, stream });
    expect(told).toContain(`it is ${PHONE}`);
    expect(told).not.toContain(token);
    expect(bench.cloud.requests.at(-1)?.body).not.toContain(PHONE);
  }
});

it("so do those of a conversation that the provider keeps", async () => {
  bench = await startBench({ api: "openai-responses" });
  const token = await begin("resp_1");
  bench.cloud.answer((_request, response) => answer(response, "resp_2", `it is ${token}`));
  expect(await ask({ input: "and what was it?", conversation: { id: "conv_1" } })).toContain(PHONE);
  expect(await ask({ input: "and what was it?", conversation: "conv_1" })).toContain(PHONE);
});

it("an answer's id opens nothing to another conversation, nor one that nobody has seen", async () => {
  let session: string | undefined = "agent:main:zhang";
  bench = await startBench({ api: "openai-responses", sessionOf: () => session });
  const token = await begin("resp_1");
  bench.cloud.answer((_request, response) => answer(response, "resp_2", `it is ${token}`));
  for (const other of ["agent:main:li", undefined]) {
    session = other;
    for (const previous_response_id of ["resp_1", "resp_9"])
      expect(await ask({ input: "what was it?", previous_response_id })).not.toContain(PHONE);
  }
});

it("remembers no more answers than it may", () => {
  bench = { close: async () => {} } as Bench;
  const chains = new Chains(2);
  const tokens = new Set(["[REDACTED:PHONE_1]"]);
  for (const id of ["a", "b", "c"]) chains.learn("p", id, "s", tokens);
  expect(["a", "b", "c"].map((id) => chains.tokens("p", id, "s").size)).toEqual([0, 1, 1]);
  expect(chains.tokens("q", "c", "s").size).toBe(0);
});
