/** Request bodies made to hold up whoever reads them at once, and the process in which the proxy is watched. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { PHONE } from "./setup.ts";
import type { Watched } from "./watched-proxy.ts";

const MB = 1024 * 1024;

const user = (content: string) => ({ role: "user", content });
const chat = (messages: unknown): string => JSON.stringify({ model: "m", messages });
const nested = (depth: number, open: string, close: string): string =>
  open.repeat(depth) + close.repeat(depth);

const WORDS = "words and more words, ";
/** Name of a body, and how to make it: made one at a time, as together they are hundreds of megabytes. */
export const HEAVY_BODIES: ReadonlyArray<readonly [name: string, build: () => string]> = [
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
  ["one text of 30 MB", () => chat([user(WORDS.repeat((30 * MB) / 22) + PHONE)])],
  ["one text of 30 MB without a space", () => chat([user("a".repeat(30 * MB))])],
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
  ["an id of 30 MB", () => chat([{ role: "tool", tool_call_id: "c".repeat(30 * MB), content: "ok" }])],
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
    "a picture of 30 MB",
    () =>
      chat([
        {
          role: "user",
          content: [
            {
              type: "image_url",
              image_url: {
                url: `data:image/png;base64,${Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(22 * MB, 7)]).toString("base64")}`,
              },
            },
          ],
        },
      ]),
  ],
];

/** What a body did to the proxy's event loop: the best of some tries, as other work on the machine may hold up any process. */
export interface HeldUp extends Watched {
  /** HTTP status of the last try. */
  status: number;
  bytes: number;
}

/** A proxy and its upstream in a process of their own; see `watched-proxy.ts`. */
export interface WatchedProxy {
  /** Sends `body` up to `tries` times, until `enough` says that a try was good. Leaks of all tries are added up. */
  send(
    body: string,
    to: "cloud" | "home",
    tries: number,
    enough: (seen: Watched) => boolean,
  ): Promise<HeldUp>;
  stop(): void;
}

const longest = (seen: Watched): number => Math.max(seen.delayMs, seen.stretchMs);

/** Starts the watched proxy and warms it up: rules and code are compiled once in the life of a process, not by an input. */
export async function startWatchedProxy(): Promise<WatchedProxy> {
  const file = fileURLToPath(new URL("./watched-proxy.ts", import.meta.url));
  const child = fork(file, { execArgv: ["--disable-warning=ExperimentalWarning"], stdio: "inherit" });
  const { base } = await told<{ base: string }>(child);
  const warm = chat(Array.from({ length: 1000 }, (_, i) => user(`warm up ${i}, call ${PHONE}\n`)));
  for (let turn = 0; turn < 3; turn += 1)
    for (const provider of ["cloud", "home"]) await post(base, provider, warm);
  await post(base, "cloud", chat([user("words and more words. ".repeat((2 * MB) / 22))]));
  return {
    async send(body, to, tries, enough) {
      const bytes = Buffer.from(body);
      let best: HeldUp | undefined;
      let leaks = 0;
      for (let run = 0; run < tries && !(best && enough(best)); run += 1) {
        await told(child, { watch: true });
        const status = await post(base, to, bytes);
        const seen = await told<Watched>(child, { told: true });
        leaks += seen.leaks;
        if (!best || longest(seen) < longest(best)) best = { ...seen, status, bytes: bytes.length };
      }
      if (!best) throw new RangeError("`tries` must be at least 1");
      return { ...best, leaks };
    },
    stop: () => void child.kill(),
  };
}

async function told<T>(child: ChildProcess, message?: object): Promise<T> {
  if (message) child.send(message);
  const [answer] = (await once(child, "message")) as [T];
  return answer;
}

async function post(base: string, provider: string, body: Buffer | string): Promise<number> {
  const { statusCode, body: answer } = await request(`${base}${provider}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    headersTimeout: 120_000,
    bodyTimeout: 120_000,
  });
  await answer.dump();
  return statusCode;
}
