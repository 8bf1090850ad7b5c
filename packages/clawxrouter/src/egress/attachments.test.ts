import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "./json.ts";
import type { RecordedRequest } from "./testing/recording-upstream.ts";
import { type Bench, PHONE, POLICY, startBench } from "./testing/setup.ts";

const CHAT = "/v1/chat/completions";
const chat = (...messages: JsonObject[]): JsonObject => ({ model: "m1", messages });

let bench: Bench;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

/** Sends a body and gives what arrived at the cloud. */
async function sent(route: string, body: JsonObject): Promise<RecordedRequest> {
  await (await bench.post(route, body)).text();
  const request = bench.cloud.requests.at(-1);
  if (!request) throw new Error("nothing arrived");
  return request;
}

const wrapped = (base64: string, gap = "\n"): string => base64.match(/.{1,76}/g)?.join(gap) ?? "";

describe("attachments", () => {
  const image = `data:image/png;base64,iVBORw0KGgo${"A".repeat(600)}`;
  const requests: Array<[string, string, JsonObject]> = [
    [
      "chat",
      CHAT,
      chat({
        role: "user",
        content: [
          { type: "text", text: "see" },
          { type: "image_url", image_url: { url: image } },
        ],
      }),
    ],
    [
      "responses",
      "/v1/responses",
      { model: "m", input: [{ role: "user", content: [{ type: "input_image", image_url: image }] }] },
    ],
    [
      "messages",
      "/v1/messages",
      {
        model: "c",
        messages: [
          {
            role: "user",
            content: [
              {
                type: "image",
                source: { type: "base64", media_type: "image/png", data: image.split(",")[1] },
              },
            ],
          },
        ],
      },
    ],
    [
      "google",
      "/v1beta/models/g:generateContent",
      { contents: [{ parts: [{ inlineData: { mimeType: "image/png", data: image.split(",")[1] } }] }] },
    ],
    [
      "ollama",
      "/api/chat",
      {
        model: "m",
        messages: [{ role: "user", content: "see", images: [image.split(",")[1] ?? "", "iVBORw0KGgoBBBB"] }],
      },
    ],
    ["a tool result", CHAT, chat({ role: "tool", tool_call_id: "c", content: image })],
  ];

  it.each(requests)("%s: withheld and said", async (_name, route, body) => {
    const request = await sent(route, structuredClone(body));
    expect(request.body).not.toContain("iVBORw0KGgo");
    expect(request.body).toContain("image withheld by ClawXRouter");
    expect(bench.events[0]).toMatchObject({ mediaWithheld: _name === "ollama" ? 2 : 1 });
  });

  it.each([
    ["in Markdown", `before ![chart](${image}) and after`],
    ["without a word that says so", `before ${image.split(",")[1]} and after`],
    ["in lines without a word that says so", `before\n${wrapped(image.split(",")[1] ?? "")}\nand after`],
    ["in lines of a quoted mail", `before\n> ${wrapped(image.split(",")[1] ?? "", "\n> ")}\nand after`],
    ["in HTML", `<p>before<img src="${image}">and after</p>`],
    [
      "in a style",
      `before url(${image.replace("image/png", "application/font-woff;charset=utf-8")}) and after`,
    ],
  ])("a picture among the words of a text, %s: withheld and said, the words go", async (_name, content) => {
    const request = await sent(CHAT, chat({ role: "tool", tool_call_id: "c", content }));
    expect(request.body).not.toContain("iVBORw0KGgo");
    expect(request.body).toMatch(/before.*withheld by ClawXRouter.*and after/s);
    expect(request.body).not.toContain("AAAAAAAA");
    expect(bench.events[0]).toMatchObject({ mediaWithheld: 1 });
  });

  it("in JSON that stands in a text: the text is withheld, and the conversation goes on", async () => {
    const payload = image.split(",")[1];
    const result = JSON.stringify({ name: "a.png", data: payload, more: [{ data: image }] });
    const request = await sent(
      CHAT,
      chat(
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "c",
              type: "function",
              function: { name: "f", arguments: JSON.stringify({ data: image }) },
            },
          ],
        },
        { role: "tool", tool_call_id: "c", content: result },
        { role: "user", content: "what is it?" },
      ),
    );
    expect(request.body).not.toContain("iVBORw0KGgo");
    const [call, answer, question] = request.json.messages as [
      { tool_calls: [{ function: { arguments: string } }] },
      { content: string },
      { content: string },
    ];
    expect(JSON.parse(call.tool_calls[0].function.arguments).withheld).toContain("image withheld");
    expect(answer.content).toContain("withheld by ClawXRouter");
    expect(question.content).toBe("what is it?");
  });

  it("audio and files too; text files are read", async () => {
    const text = Buffer.from(`call ${PHONE}`).toString("base64");
    const request = await sent("/v1/messages", {
      model: "c",
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: `JVBERi0${"A".repeat(600)}` },
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: `call ${PHONE}` } },
            { type: "document", source: { type: "base64", media_type: "text/plain", data: text } },
          ],
        },
      ],
    });
    expect(request.body).not.toContain("JVBERi0");
    expect(request.body).not.toContain(PHONE);
    expect(request.body).not.toContain(text);
  });

  it("allowed or blocked when the policy says so", async () => {
    const [, route = "", body = {}] = requests[0] ?? [];
    for (const rule of ["allow", "block"] as const) {
      await bench.close();
      bench = await startBench({
        policy: () => ({ ...POLICY, media: { image: rule, audio: rule, file: rule } }),
      });
      const answer = await bench.post(route, body);
      const text = await answer.text();
      expect(bench.cloud.requests.length, rule).toBe(rule === "allow" ? 1 : 0);
      if (rule === "allow") expect(bench.cloud.requests[0]?.body).toContain("iVBORw0KGgo");
      else expect(text).toContain("cannot be checked");
    }
  });
});
