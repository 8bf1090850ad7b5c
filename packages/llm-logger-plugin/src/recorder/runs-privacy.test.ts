import { afterEach, expect, it, vi } from "vitest";
import { announce, answering, chatStream, type Lab, post, SSE, wireLab } from "../testing/wire-lab.ts";

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

it("a secret in an event between two runs is seen, and so is the tool call that holds it", async () => {
  const secret = `AK${"IA"}${"QX3ZP7LMN4TRB6WD"}`;
  const words = (word: string) =>
    chatStream(Array.from({ length: 60 }, (_, i) => `${word}${i} `)).split(
      'data: {"id":"c1","object":"chat.completion.chunk","model":"m1","choices":[{"index":0,"delta":{},',
    )[0];
  const call = {
    id: "c1",
    choices: [
      {
        index: 0,
        delta: {
          tool_calls: [{ index: 0, id: "t1", function: { name: "put", arguments: `{"to":"${secret}"}` } }],
        },
      },
    ],
  };
  const stream = `${chatStream(["a "]).split("\n\n")[0]}\n\ndata: ${JSON.stringify(call)}\n\n${words("w")}data: [DONE]\n\n`;
  lab = await wireLab({
    handler: answering((_b, _q, response) => {
      response.writeHead(200, SSE);
      response.end(stream);
    }),
  });
  await (await post(`${lab.origin}/v1/chat/completions`, announce())).text();
  const [line] = await lab.calls(1);
  expect(lab.everything()).not.toContain(secret);
  expect(line).toMatchObject({ message: { toolCalls: [{ id: "t1", name: "put" }] } });
  const [response] = lab.lines("http_response");
  expect(response?.redactions).toBeGreaterThan(0);
});

it("a secret whose pieces take turns with another block's is seen", async () => {
  const secret = `AK${"IA"}${"QX3ZP7LMN4TRB6WD"}`;
  const delta = (index: number, text: string) =>
    `event: content_block_delta\ndata: ${JSON.stringify({ type: "content_block_delta", index, delta: { type: "text_delta", text } })}\n\n`;
  const filler = (index: number) => delta(index, "some words ").repeat(6);
  const turns = (secret.match(/.{1,5}/g) ?? []).map(
    (part, i) =>
      `${[...part].map((char) => delta(0, char)).join("")}${i === 3 ? "" : delta(1, "other ").repeat(3)}`,
  );
  const stream = `${filler(0)}${delta(0, "key: ")}${turns.join("")}${delta(0, " end. ")}${filler(0)}`;
  lab = await wireLab({
    handler: answering((_b, _q, response) => {
      response.writeHead(200, SSE);
      response.end(stream);
    }),
  });
  await (await post(`${lab.origin}/v1/messages`, announce({ api: "anthropic-messages" }))).text();
  await lab.calls(1);
  const [response] = lab.lines("http_response");
  const said = [...String(response?.body).matchAll(/"index":0,.*"text":"([^"]*)"/g)]
    .map((m) => m[1])
    .join("");
  expect(said).toContain("some words");
  expect(said).not.toContain(secret);
  expect(said).toContain("REDACTED");
});
