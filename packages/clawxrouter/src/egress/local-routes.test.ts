import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import { json, recordingUpstream } from "./testing/recording-upstream.ts";
import { type Bench, PHONE, startBench } from "./testing/setup.ts";

const CHAT = "/v1/chat/completions";
const chat = (...messages: JsonObject[]): JsonObject => ({ model: "m1", messages });
const user = (content: string): JsonObject => ({ role: "user", content });

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

describe("local routes", () => {
  async function local(answer: "up" | "down") {
    await bench.close();
    const server = await recordingUpstream();
    bench = await startBench({
      more: { home: { baseUrl: `${server.url}/v1`, api: "openai-completions", local: true } },
    });
    if (answer === "down") await server.close();
    const token = bench.vault.tokenise("the private letter", "TEXT", "S3", "agent:main:main");
    const post = (body: JsonObject) =>
      fetch(`${bench.base("home")}${CHAT}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    return { server, token, post };
  }

  it("work on the real values, and answers come back as they are", async () => {
    const { server, token, post } = await local("up");
    server.answer((_request, response) =>
      json(response, 200, { choices: [{ message: { content: `about ${PHONE}` } }] }),
    );
    const answer = await post(chat(user(`summarise ${token} for ${PHONE}`)));
    expect(server.requests[0]?.json.messages).toEqual([user(`summarise the private letter for ${PHONE}`)]);
    expect(await answer.text()).toContain(`about ${PHONE}`);
    expect(bench.events[0]).toMatchObject({ kind: "forward", local: true });
    await server.close();
  });

  it("fallback-to-cloud: a private turn with the local model down ends with a clear answer", async () => {
    const { token, post } = await local("down");
    const answer = await post(chat(user(`summarise ${token}`)));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("The local model did not answer");
    expect(bench.cloud.requests).toHaveLength(0);
  });

  it("fallback-to-cloud: so does one whose local model answers 500", async () => {
    const { server, token, post } = await local("up");
    server.answer((_request, response) => json(response, 500, { error: "out of memory" }));
    const answer = await post(chat(user(`summarise ${token}`)));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain("HTTP 500");
    await server.close();
  });

  it("a model that the local server runs in its cloud gets what a cloud gets", async () => {
    const { server, token, post } = await local("up");
    for (const model of ["gpt-oss:120b-cloud", "minimax-m2:cloud"]) {
      server.answer(({ json: asked }, response) => {
        const [message] = asked.messages as JsonObject[];
        json(response, 200, { choices: [{ message: { content: `got: ${String(message?.content)}` } }] });
      });
      const answer = await post({ ...chat(user(`summarise ${token} for ${PHONE}`)), model });
      expect(server.requests.at(-1)?.body).not.toContain("the private letter");
      expect(server.requests.at(-1)?.body).not.toContain(PHONE);
      expect(await answer.text()).toContain(`for ${PHONE}`);
      expect(bench.events.findLast((event) => event.kind === "forward")).toMatchObject({ local: false });
    }
    await post({ ...chat(user(token)), model: "cloudy:7b" });
    expect(server.requests.at(-1)?.body).toContain("the private letter");
    await server.close();
  });

  it("a turn without anything private falls back as ever", async () => {
    const { post } = await local("down");
    expect((await post(chat(user("hello")))).status).toBe(502);
  });

  it("a local provider that is not local gets nothing", async () => {
    await bench.close();
    bench = await startBench({
      more: { home: { baseUrl: "http://models.example/v1", api: "openai-completions", local: true } },
    });
    const answer = await fetch(`${bench.base("home")}${CHAT}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(chat(user(PHONE))),
    });
    expect(await answer.text()).toContain("local-not-local");
  });

  it("one-id-two-providers: one model id at two providers goes where the path says", async () => {
    const { server, post } = await local("up");
    await post(chat(user("to home")));
    await bench.post(CHAT, chat(user("to the cloud")));
    expect(server.requests[0]?.body).toContain("to home");
    expect(bench.cloud.requests[0]?.body).toContain("to the cloud");
    await server.close();
  });
});
