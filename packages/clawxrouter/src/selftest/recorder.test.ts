import { request as httpRequest } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DIALECTS, type Dialect, sseEvents } from "../egress/testing/dialects.ts";
import { type Recorder, startRecorder } from "./recorder.ts";
import { LeakSearch } from "./search.ts";
import { manySecrets } from "./secrets.ts";
import { Values } from "./values.ts";

let recorder: Recorder;
beforeEach(async () => {
  recorder = await startRecorder();
});
afterEach(() => recorder.close());

const post = (path: string, body: object) =>
  fetch(recorder.origin + path, { method: "POST", body: JSON.stringify(body) }).then((r) => r.text());

/** Tool arguments of a stream; the dialect's own reader of `responses` expects words before a call. */
function argsOf(dialect: Dialect, wire: string): unknown {
  if (dialect.protocol.id !== "openai-responses") return dialect.assemble(wire).args;
  const done = sseEvents(wire).find(({ type }) => type === "response.function_call_arguments.done");
  return JSON.parse(String(done?.arguments));
}

describe.each(DIALECTS.map((dialect) => [dialect.protocol.id, dialect] as const))(
  "recorder, %s",
  (_, dialect) => {
    const offering = (text: string, stream: boolean) => ({
      ...dialect.request(text, stream),
      tools: [{ name: "read" }],
    });

    it("echoes the user's words, whole and streamed", async () => {
      const wholePath = dialect.path
        .replace(":streamGenerateContent", ":generateContent")
        .replace("?alt=sse", "");
      const whole = JSON.parse(await post(wholePath, dialect.request("打给 one two", false)));
      expect(dialect.read(whole).text).toBe("echo 打给 one two");
      const { path } = dialect;
      expect(dialect.assemble(await post(path, dialect.request("打给 one two", true))).text).toBe(
        "echo 打给 one two",
      );
    });

    it("calls the tool that is scripted for a turn, once, and leaves other requests alone", async () => {
      const { path } = dialect;
      recorder.script(
        "read it",
        { toolCalls: [{ name: "read", arguments: { path: "a b.txt" } }] },
        { text: "done" },
      );
      expect(dialect.assemble(await post(path, dialect.request("please read it", true))).text).toBe(
        "echo please read it",
      );
      expect(argsOf(dialect, await post(path, offering("please read it", true)))).toEqual({
        path: "a b.txt",
      });
      expect(dialect.assemble(await post(path, offering("please read it", true))).text).toBe("done");
      expect(dialect.assemble(await post(path, offering("please read it", true))).text).toBe(
        "echo please read it",
      );
    });
  },
);

it("records what was broken off, and what is no HTTP", async () => {
  const search = new LeakSearch([{ name: "canary", values: ["canary-4711-0815-值"] }]);
  const seen = () => recorder.requests.some((wire) => search.find(wire).length > 0);
  const req = httpRequest(`${recorder.origin}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-length": "5000" },
  });
  req.on("error", () => {});
  req.write("canary-4711-0815-值");
  await sleep(50);
  req.destroy();
  for (let i = 0; i < 50 && !seen(); i++) await sleep(20);
  expect(seen()).toBe(true);
});

it("a path has at least 40 values of each level, and only what it sent can leak there", () => {
  const values = new Values("seed");
  expect(values.used).toEqual([]);
  values.s2;
  expect(values.used.length).toBeGreaterThanOrEqual(40);
  expect(values.used.every(({ level }) => level === "S2")).toBe(true);
  const before = values.used.length;
  values.both;
  expect(values.used.length - before).toBeGreaterThanOrEqual(40);
  expect(new Set(values.used.map(({ name }) => name)).size).toBe(values.used.length);
  expect(manySecrets("seed", 2)).toEqual(manySecrets("seed", 2));
});
