/** No body holds up the event loop, on its whole way through the proxy. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PHONE } from "./testing/setup.ts";
import type { Watched } from "./testing/watched-proxy.ts";

const LIMIT_MS = 50;
const MB = 1024 * 1024;
/** A machine with other work on it may hold up any process: the best of some tries is the proxy's own. */
const TRIES = 4;

let child: ChildProcess;
let base = "";
async function told<T>(message?: object): Promise<T> {
  if (message) child.send(message);
  const [answer] = (await once(child, "message")) as [T];
  return answer;
}
async function send(
  body: Buffer | string,
  provider = "cloud",
  path = "/v1/chat/completions",
): Promise<number> {
  const { statusCode, body: answer } = await request(base + provider + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  await answer.dump();
  return statusCode;
}

beforeAll(async () => {
  const file = fileURLToPath(new URL("./testing/watched-proxy.ts", import.meta.url));
  child = fork(file, { execArgv: ["--disable-warning=ExperimentalWarning"], stdio: "inherit" });
  ({ base } = await told<{ base: string }>());
  // Rules and code are compiled once in the life of a process, not by an input.
  const warm = chat(Array.from({ length: 1000 }, (_, i) => user(`warm up ${i}, call ${PHONE}\n`)));
  for (let turn = 0; turn < 3; turn += 1)
    for (const provider of ["cloud", "home"]) await send(warm, provider);
  await send(chat([user("words and more words. ".repeat((2 * MB) / 22))]));
}, 60_000);
afterAll(() => {
  child.kill();
});

const worst = (seen: Watched | undefined): number =>
  seen ? Math.max(seen.delayMs, seen.stretchMs) : LIMIT_MS;
const user = (content: string) => ({ role: "user", content });
const chat = (messages: unknown): string => JSON.stringify({ model: "m", messages });
const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

const WORDS = "words and more words, ";
const BODIES: Array<[string, () => string]> = [
  [
    "20 MB in 10,000 messages",
    () =>
      chat(Array.from({ length: 10_000 }, (_, i) => user(`${i} ${WORDS.repeat(90)}${i % 50 ? "" : PHONE}`))),
  ],
  [
    "20 MB in 10,000 messages of Chinese",
    () => chat(Array.from({ length: 10_000 }, (_, i) => user(`${i} ${"这是一段普通的文字，".repeat(66)}`))),
  ],
  ["100,000 messages", () => chat(Array.from({ length: 100_000 }, (_, i) => user(`m ${i}`)))],
  ["25,000 messages", () => chat(Array.from({ length: 24_000 }, (_, i) => user(`message ${i} of many`)))],
  ["one text of 10 MB", () => chat([user(WORDS.repeat((10 * MB) / 22) + PHONE)])],
  ["one text of 10 MB without a space", () => chat([user("a".repeat(10 * MB))])],
  ["one text of 10 MB of digits", () => chat([user("1234567890".repeat(MB))])],
  ["one text of 10 MB of quotes", () => chat([user('"'.repeat(5 * MB))])],
  ["one text of 10 MB of backslashes", () => chat([user("\\".repeat(5 * MB))])],
  [
    "one text of 10 MB in escapes",
    () => `{"model":"m","messages":[{"role":"user","content":"${"\\u0061".repeat((10 * MB) / 6)}"}]}`,
  ],
  ["one text of 10 MB of line ends", () => chat([user("\n".repeat(5 * MB))])],
  [
    "one text of 10 MB of base64",
    () => chat([user(Buffer.alloc(7 * MB, "some text of ours ").toString("base64"))]),
  ],
  ["one text of 10 MB of half placeholders", () => chat([user("[REDACTED:[".repeat((10 * MB) / 11))])],
  ["one text of 10 MB of placeholders", () => chat([user("[REDACTED:EMAIL_7] ".repeat((10 * MB) / 19))])],
  [
    "one text of 10 MB of known values",
    () => chat([user("user7.55433@mail.example.org ".repeat((10 * MB) / 29))]),
  ],
  [
    "one text of 10 MB of private keys cut off",
    () => chat([user(`-----BEGIN RSA ${"PRIVATE"} KEY-----\nMIIEow `.repeat((10 * MB) / 39))]),
  ],
  [
    "one text of 10 MB that is JSON",
    () =>
      chat([
        user(
          JSON.stringify(
            Array.from({ length: 200_000 }, (_, i) => ({ id: i, note: "some words of a note" })),
          ),
        ),
      ]),
  ],
  [
    "JSON in JSON in JSON",
    () =>
      chat([user(JSON.stringify({ a: JSON.stringify({ b: JSON.stringify({ c: WORDS.repeat(50_000) }) }) }))]),
  ],
  ["arrays nested 100,000 deep", () => `{"model":"m","messages":${nested(100_000, "[", "]")}}`],
  [
    "objects nested 100,000 deep",
    () => `{"model":"m","x":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
  ],
  [
    "arrays nested 100,000 deep in tool arguments",
    () =>
      chat([
        {
          role: "assistant",
          tool_calls: [
            { id: "c", type: "function", function: { name: "f", arguments: nested(100_000, "[", "]") } },
          ],
        },
      ]),
  ],
  ["arrays nested 100,000 deep in a text", () => chat([user(nested(100_000, "[", "]"))])],
  [
    "arrays nested 400 deep, 20,000 times",
    () =>
      chat([
        user("x"),
        ...Array.from({ length: 2000 }, () => ({
          role: "user",
          content: [],
          x: JSON.parse(nested(200, "[", "]")) as unknown,
        })),
      ]),
  ],
  [
    "200,000 properties",
    () =>
      JSON.stringify({
        model: "m",
        messages: [user("x")],
        metadata: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key ${i}`, i])),
      }),
  ],
  [
    "a property name of 10 MB",
    () => JSON.stringify({ model: "m", messages: [user("x")], metadata: { ["k".repeat(10 * MB)]: 1 } }),
  ],
  ["an id of 10 MB", () => chat([{ role: "tool", tool_call_id: "c".repeat(10 * MB), content: "ok" }])],
  [
    "50,000 tools",
    () =>
      JSON.stringify({
        model: "m",
        messages: [user("x")],
        tools: Array.from({ length: 50_000 }, (_, i) => ({
          type: "function",
          function: {
            name: `tool_${i}`,
            parameters: {
              type: "object",
              properties: { [`p${i}`]: { type: "string", enum: ["a", `b${i}`] } },
            },
          },
        })),
      }),
  ],
  [
    "a schema of 10 MB",
    () =>
      JSON.stringify({
        model: "m",
        messages: [user("x")],
        tools: [
          {
            type: "function",
            function: {
              name: "f",
              parameters: { enum: Array.from({ length: 300_000 }, (_, i) => `value number ${i}`) },
            },
          },
        ],
      }),
  ],
  [
    "300,000 numbers",
    () =>
      JSON.stringify({ model: "m", messages: [user("x")], x: Array.from({ length: 290_000 }, (_, i) => i) }),
  ],
  [
    "20 MB of white space",
    () => `{"model":"m",${" ".repeat(20 * MB)}"messages":[{"role":"user","content":"x"}]}`,
  ],
  ["20 MB that is no JSON", () => `{"model":"m","messages":[${'"'.repeat(20 * MB)}`],
  [
    "5,000 values",
    () =>
      chat([
        user(Array.from({ length: 4900 }, (_, i) => `139${String(20_000_000 + i * 7)}`).join(", call\n")),
      ]),
  ],
  [
    "50,000 values",
    () =>
      chat([user(Array.from({ length: 50_000 }, (_, i) => `139${String(10_000_000 + i * 7)}`).join(",\n"))]),
  ],
  [
    "a picture of 15 MB",
    () =>
      chat([
        {
          role: "user",
          content: [
            {
              type: "image_url",
              image_url: {
                url: `data:image/png;base64,${Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(11 * MB, 7)]).toString("base64")}`,
              },
            },
          ],
        },
      ]),
  ],
];

it.each(
  BODIES.flatMap(([name, build]) => (["cloud", "home"] as const).map((to) => [name, to, build] as const)),
)(
  "%s to %s: nobody waits longer than 50 ms",
  async (name, to, build) => {
    const body = Buffer.from(build());
    let best: Watched | undefined;
    let status = 0;
    for (let tries = 0; tries < TRIES && worst(best) >= LIMIT_MS; tries += 1) {
      await told({ watch: true });
      status = await send(body, to);
      const seen = await told<Watched>({ told: true });
      if (to === "cloud") expect(seen.leaks).toBe(0);
      if (!best || worst(seen) < worst(best)) best = seen;
    }
    console.log(
      `${name} -> ${to}: ${best?.delayMs.toFixed(0)} ms, CPU ${best?.stretchMs.toFixed(0)} ms (${(body.length / MB).toFixed(1)} MB, HTTP ${status})`,
    );
    expect([200, 400, 413]).toContain(status);
    expect(best?.stretchMs).toBeLessThan(LIMIT_MS);
    // With more to run than processors everybody waits for one: then only the proxy's own share tells something.
    if ((loadavg()[0] ?? 0) <= availableParallelism()) expect(best?.delayMs).toBeLessThan(LIMIT_MS);
  },
  120_000,
);
