/**
 * `pnpm bench:logger`: what logging costs a model call, beside the public design's way and beside no logging, and how
 * fast the reader is. Every variant runs in a process of its own, in turns, against one stub server in another process.
 *
 *   node bench/logger.ts [--requests 600] [--rounds 5] [--reader-mb 600]
 */
import { fork } from "node:child_process";
import diagnosticsChannel from "node:diagnostics_channel";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { atLeast, atMost, printVerdict } from "./verdict.ts";

const RESPONSE_BYTES = 200_000;
const PARALLEL = 8;
/** Of the numbers that make each answer another text. */
const DIGITS = 6;
/** Calls before the measured ones: a gateway runs for weeks, its code is compiled. */
const WARM_UP = 400;
/**
 * `parsing`: the client also parses every event, as the providers' SDKs do; that is what a real call costs without us.
 * `empty subscribers`: functions that do nothing on the channels of undici that a logger needs, the least that seeing a
 * stream can cost.
 */
const VARIANTS = [
  "none",
  "ours",
  "ours, no bodies",
  "design's way",
  "none, parsing",
  "empty subscribers, parsing",
  "ours, no bodies, parsing",
] as const;
/** Of undici: what a logger listens to. */
const CHANNELS = ["create", "bodyChunkSent", "bodySent", "headers", "bodyChunkReceived", "trailers", "error"];
type Variant = (typeof VARIANTS)[number];

interface Result {
  requestsPerSecond: number;
  /** CPU time of the client process a request, milliseconds. */
  cpuMs: number;
}

const { values } = parseArgs({
  options: {
    role: { type: "string", default: "main" },
    variant: { type: "string", default: "none" },
    origin: { type: "string", default: "" },
    requests: { type: "string", default: "600" },
    rounds: { type: "string", default: "5" },
    "reader-mb": { type: "string", default: "600" },
  },
});

if (values.role === "server") serve();
else if (values.role === "client")
  await client(values.variant as Variant, values.origin, Number(values.requests));
else await main();

// ---- the stub: a 200 kB streamed answer, an event a write, other words in each answer --------------------------------

interface Stream {
  bytes: Buffer;
  /** Where events start, and where the last one ends. */
  starts: number[];
  /** Where the number of a word stands, `DIGITS` long. */
  numbers: number[];
}

function streamTemplate(): Stream {
  const events: Buffer[] = [];
  const starts = [0];
  const numbers: number[] = [];
  let size = 0;
  const add = (text: string) => {
    const event = Buffer.from(text);
    events.push(event);
    size += event.length;
    starts.push(size);
  };
  const mark = "#".repeat(DIGITS);
  for (let i = 0; size < RESPONSE_BYTES; i++) {
    const content =
      i % 17 === 0 ? `line ${mark}:\n` : i % 3 === 0 ? `你好 ${mark} ` : `word${mark} and more `;
    const event = `data: ${JSON.stringify({ id: "chatcmpl-bench-0123456789", object: "chat.completion.chunk", created: 1_700_000_000, model: "bench-model", system_fingerprint: "fp_bench", choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }] })}\n\n`;
    numbers.push(size + Buffer.from(event).indexOf(mark));
    add(event);
  }
  add(
    `data: ${JSON.stringify({ id: "chatcmpl-bench-0123456789", choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\n`,
  );
  add(
    `data: ${JSON.stringify({ id: "chatcmpl-bench-0123456789", choices: [], usage: { prompt_tokens: 4000, completion_tokens: 900, total_tokens: 4900 } })}\n\ndata: [DONE]\n\n`,
  );
  return { bytes: Buffer.concat(events), starts, numbers };
}

function serve(): void {
  const { bytes, starts, numbers } = streamTemplate();
  let word = 0;
  const server = http.createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      const answer = Buffer.from(bytes);
      for (const at of numbers)
        answer.write(String(word++ % 10 ** DIGITS).padStart(DIGITS, "0"), at, "latin1");
      let at = 0;
      // A few events a turn of the loop: the client gets many small chunks, as from a real model, and is never starved.
      const step = () => {
        for (let i = 0; i < 4 && at < starts.length - 1; i++, at++)
          response.write(answer.subarray(starts[at], starts[at + 1]));
        if (at < starts.length - 1) setImmediate(step);
        else response.end();
      };
      step();
    });
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
  process.on("disconnect", () => process.exit());
}

// ---- one variant ---------------------------------------------------------------------------------------------------

async function client(variant: Variant, origin: string, requests: number): Promise<void> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-logger-"));
  const { call, finish } = await install(variant, dir, origin);
  // A conversation: the same history with each call, and one message that is new.
  const history = Array.from({ length: 19 }, (_, i) => ({
    role: i % 2 ? "assistant" : "user",
    content: `message ${i} `.repeat(150),
  }));
  const promptOf = (number: number) =>
    JSON.stringify({
      model: "bench-model",
      stream: true,
      messages: [...history, { role: "user", content: `question ${number} `.repeat(130) }],
    });
  let calls = 0;
  const run = async (count: number) => {
    let next = 0;
    const worker = async (lane: number) => {
      while (next < count) {
        next++;
        const number = calls++;
        await call(lane, number, promptOf(number));
      }
    };
    await Promise.all(Array.from({ length: PARALLEL }, (_, lane) => worker(lane)));
  };
  await run(WARM_UP);
  const cpu = process.cpuUsage();
  const started = performance.now();
  await run(requests);
  await finish();
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  rmSync(dir, { recursive: true, force: true });
  process.send?.({
    requestsPerSecond: requests / seconds,
    cpuMs: (user + system) / 1000 / requests,
  } satisfies Result);
  process.disconnect();
}

/** Reads a stream as the providers' SDKs do: decode, cut into events, parse each. */
async function parseEvents(response: Response): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true });
    const events = rest.split("\n\n");
    rest = events.pop() ?? "";
    for (const event of events) if (event.startsWith("data: {")) JSON.parse(event.slice(6));
  }
}

type Call = (lane: number, number: number, prompt: string) => Promise<void>;

async function install(
  variant: Variant,
  dir: string,
  origin: string,
): Promise<{ call: Call; finish: () => Promise<void> }> {
  const url = `${origin}/v1/chat/completions`;
  const parsing = variant.endsWith(", parsing");
  const send = async (prompt: string, headers: Record<string, string>) => {
    const response = await fetch(url, {
      method: "POST",
      body: prompt,
      headers: { "content-type": "application/json", authorization: "Bearer bench", ...headers },
    });
    if (parsing) {
      await parseEvents(response);
      return;
    }
    for await (const _chunk of response.body ?? []) {
      // The model's client reads every chunk.
    }
  };
  const hex = (value: number, digits: number) => (value + 1).toString(16).padStart(digits, "0");
  const trace = (lane: number, number: number) => ({ traceId: hex(lane, 32), spanId: hex(number, 16) });
  const plain: Call = (lane, number, prompt) => {
    const { traceId, spanId } = trace(lane, number);
    return send(prompt, { traceparent: `00-${traceId}-${spanId}-01` });
  };
  if (variant === "empty subscribers, parsing") {
    const nothing = () => undefined;
    for (const name of CHANNELS) diagnosticsChannel.subscribe(`undici:request:${name}`, nothing);
  }
  if (variant.startsWith("none") || variant.startsWith("empty"))
    return { call: plain, finish: async () => undefined };
  if (variant === "design's way") {
    const { designScope, installDesignWay } = await import("./logger-design-way.ts");
    const finish = installDesignWay(dir, 262_144);
    const call: Call = (lane, number, prompt) =>
      designScope.run(
        { callId: `call-${number}`, sessionId: `session-${lane}`, provider: "bench", model: "bench-model" },
        () => plain(lane, number, prompt),
      );
    return { call, finish };
  }
  const { startLogger, stopLogger } = await import("../packages/llm-logger-plugin/src/logger.ts");
  const { onModelCallStarted, onModelCallEnded } = await import(
    "../packages/llm-logger-plugin/src/hooks/model-call.ts"
  );
  const { parseConfig } = await import("../packages/llm-logger-plugin/src/config.ts");
  await startLogger({
    config: parseConfig({ includeBodies: variant === "ours" }),
    stateDir: dir,
    hostConfig: { models: { providers: { bench: { baseUrl: `${origin}/v1`, models: [] } } } },
    conversationAccess: true,
    hostVersion: undefined,
    log: { info() {}, warn: console.warn, error: console.error },
  });
  const call: Call = async (lane, number, prompt) => {
    const event = {
      runId: `run-${number}`,
      callId: `call-${number}`,
      sessionId: `session-${lane}`,
      sessionKey: `agent:main:${lane}`,
      provider: "bench",
      model: "bench-model",
      api: "openai-completions",
    };
    const ctx = { trace: trace(lane, number) };
    onModelCallStarted(event, ctx);
    await plain(lane, number, prompt);
    onModelCallEnded({ ...event, outcome: "completed" }, ctx);
  };
  return { call, finish: stopLogger };
}

// ---- the table -----------------------------------------------------------------------------------------------------

async function main(): Promise<void> {
  const server = fork(import.meta.filename, ["--role", "server"]);
  const [port] = (await once(server, "message")) as [number];
  const rounds = Number(values.rounds);
  const results = new Map<Variant, Result[]>(VARIANTS.map((variant) => [variant, []]));
  for (let round = 0; round < rounds; round++) {
    // The order turns from round to round: no variant always runs on the warm machine.
    for (let i = 0; i < VARIANTS.length; i++) {
      const variant = VARIANTS[(i + round) % VARIANTS.length] as Variant;
      const child = fork(import.meta.filename, [
        "--role",
        "client",
        "--variant",
        variant,
        "--origin",
        `http://127.0.0.1:${port}`,
        "--requests",
        values.requests,
      ]);
      const [result] = (await Promise.race([
        once(child, "message"),
        once(child, "exit").then(([code]) => {
          throw new Error(`the process of "${variant}" ended with ${String(code)} before it had a result`);
        }),
      ])) as [Result];
      results.get(variant)?.push(result);
      process.stderr.write(
        `round ${round + 1}/${rounds} ${variant}: ${result.requestsPerSecond.toFixed(0)} requests/s, ${result.cpuMs.toFixed(2)} ms CPU\n`,
      );
    }
  }
  server.kill();
  const median = (variant: Variant, key: keyof Result) =>
    middle((results.get(variant) ?? []).map((result) => result[key]));
  const none = median("none", "cpuMs");
  const design = median("design's way", "cpuMs") - none;
  console.log(
    `\n${RESPONSE_BYTES / 1000} kB streamed responses, ${PARALLEL} in parallel, ${values.requests} requests x ${rounds} rounds after ${WARM_UP} to warm up (medians), Node ${process.version}\n`,
  );
  console.log("| variant | requests/s | CPU a request | CPU added | of the design's way |");
  console.log("|---|---:|---:|---:|---:|");
  for (const variant of VARIANTS) {
    const base = variant.endsWith(", parsing") ? median("none, parsing", "cpuMs") : none;
    const added = median(variant, "cpuMs") - base;
    const share = variant.startsWith("none") ? "" : `${(added / design).toFixed(2)}x`;
    console.log(
      `| ${variant} | ${median(variant, "requestsPerSecond").toFixed(0)} | ${median(variant, "cpuMs").toFixed(2)} ms | ${added.toFixed(2)} ms (${((100 * added) / base).toFixed(1)} %) | ${share} |`,
    );
  }
  const { benchReader } = await import("./logger-reader.ts");
  const reader = await benchReader(Number(values["reader-mb"]));
  console.log(
    `\n\`llm-logs stats\` over ${(reader.bytes / 1e6).toFixed(0)} MB, ${reader.lines} lines: ${reader.megabytesPerSecond.toFixed(0)} MB/s, peak RSS ${reader.peakRssMb.toFixed(0)} MB\n`,
  );
  const speed = median("ours", "requestsPerSecond") / median("design's way", "requestsPerSecond");
  const ours = (median("ours", "cpuMs") - none) / design;
  const parsing = median("none, parsing", "cpuMs");
  const idle = (median("ours, no bodies, parsing", "cpuMs") - parsing) / parsing;
  printVerdict([
    atLeast("requests/s of the design's way", speed, 1.5, "x"),
    atMost("CPU added, of what the design's way adds", ours, 0.5, "x"),
    atMost("no bodies: CPU over none, client that parses", 100 * idle, 3, "%"),
    atLeast("reader", reader.megabytesPerSecond, 150, "MB/s"),
  ]);
}

function middle(numbers: number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const at = Math.floor(sorted.length / 2);
  return sorted.length % 2 ? (sorted[at] ?? 0) : ((sorted[at - 1] ?? 0) + (sorted[at] ?? 0)) / 2;
}
