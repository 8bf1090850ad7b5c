import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import zlib from "node:zlib";
import { afterEach, expect, it, vi } from "vitest";
import { BodyCollector } from "../body/collector.ts";
import { startLogger } from "../logger.ts";
import { announce, answering, chatStream, type Lab, post, SSE, wireLab } from "../testing/wire-lab.ts";

vi.setConfig({ testTimeout: 60_000, hookTimeout: 30_000 });

let lab: Lab | undefined;
afterEach(async () => {
  await lab?.close();
  lab = undefined;
});

const CODINGS: Record<string, (plain: Buffer) => Buffer> = {
  gzip: (plain) => zlib.gzipSync(plain),
  br: (plain) => zlib.brotliCompressSync(plain, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
  zstd: (plain) => zlib.zstdCompressSync(plain),
};

/** A stream that only this call gets, of another size than its neighbours'. */
function streamOf(n: number): string {
  const words = Array.from({ length: 3 + ((n * 397) % 2300) }, (_, i) =>
    i % 97 === n % 97 ? `"${n}\\n你好😀${i}` : `call${n}-word${i} `,
  );
  return chatStream(words, { prompt_tokens: n, completion_tokens: 2 });
}

const sha = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

it.each([
  { parallel: 8, maxBodyBytes: 1_048_576 },
  { parallel: 64, maxBodyBytes: 1_048_576 },
  { parallel: 32, maxBodyBytes: 1024 },
  { parallel: 32, maxBodyBytes: 65_537 },
])(
  "$parallel streams at once, $maxBodyBytes bytes kept: each line holds its own call's bytes",
  async ({ parallel, maxBodyBytes }) => {
    lab = await wireLab({
      config: { maxBodyBytes },
      handler: answering(async (body, _q, response) => {
        const n = Number(JSON.parse(body.toString()).messages[0].content);
        const plain = Buffer.from(streamOf(n));
        const coding = Object.keys(CODINGS)[n % 5];
        const wire = coding === undefined ? plain : (CODINGS[coding] as (b: Buffer) => Buffer)(plain);
        response.writeHead(200, { ...SSE, ...(coding !== undefined && { "content-encoding": coding }) });
        const size = 1 + ((n * 7919) % 9000);
        for (let at = 0; at < wire.length; at += size) {
          response.write(wire.subarray(at, at + size));
          if ((at / size) % 3 === n % 3) await pause(0);
        }
        response.end();
      }),
    });
    const { origin } = lab;
    const total = parallel * 2;
    let next = 0;
    const worker = async () => {
      while (next < total) {
        const n = next++;
        const call = announce({ callId: `call-${n}`, runId: `run-${n}` });
        const body = {
          model: "m1",
          messages: [{ role: "user", content: String(n) }],
          pad: "é".repeat((n * 611) % 3000),
        };
        expect(await (await post(`${origin}/v1/chat/completions`, call, body)).text()).toBe(streamOf(n));
        call.end();
      }
    };
    await Promise.all(Array.from({ length: parallel }, worker));
    const calls = await lab.calls(total);
    expect(calls).toHaveLength(total);
    const responses = lab.lines("http_response");
    expect(responses).toHaveLength(total);
    for (const line of responses) {
      const n = Number(String(line.callId).slice(5));
      const plain = Buffer.from(streamOf(n));
      const body = Buffer.from(String(line.body));
      expect(line).toMatchObject({
        sha256: sha(plain),
        originalLength: plain.length,
        truncated: plain.length > maxBodyBytes,
      });
      expect(body.length).toBeGreaterThan(Math.min(maxBodyBytes, plain.length) - 4);
      expect(plain.subarray(0, body.length).equals(body)).toBe(true);
      if (plain.length <= maxBodyBytes) expect(body.length).toBe(plain.length);
    }
    for (const line of lab.lines("http_request")) {
      const n = String(line.callId).slice(5);
      expect(String(line.body)).toContain(`"content":"${n}"`);
    }
    for (const call of calls)
      expect(call.usage).toMatchObject({ input: Number(String(call.callId).slice(5)) });
  },
);

it("a reload in the middle of calls: what is under way is written once, as far as it came, and nothing of another's", async () => {
  lab = await wireLab({
    handler: answering(async (body, _q, response) => {
      const n = Number(JSON.parse(body.toString()).messages[0].content);
      const plain = Buffer.from(streamOf(n));
      response.writeHead(200, SSE);
      for (let at = 0; at < plain.length; at += 2000) {
        response.write(plain.subarray(at, at + 2000));
        await pause(1);
      }
      response.end();
    }),
  });
  const { origin, logger } = lab;
  const asked = (n: number) =>
    post(`${origin}/v1/chat/completions`, announce({ callId: `call-${n}`, runId: `run-${n}` }), {
      model: "m1",
      messages: [{ role: "user", content: String(n) }],
    }).then((response) => response.text());
  const first = Promise.all(Array.from({ length: 16 }, (_, n) => asked(n)));
  await pause(25);
  await startLogger(logger.options);
  const second = Promise.all(Array.from({ length: 16 }, (_, n) => asked(n + 16)));
  const texts = [...(await first), ...(await second)];
  expect(texts).toEqual(Array.from({ length: 32 }, (_, n) => streamOf(n)));
  const calls = await lab.calls(32);
  expect(calls).toHaveLength(32);
  expect(calls.filter((call) => call.outcome === "shutdown").length).toBeGreaterThan(0);
  for (const line of lab.lines("http_response")) {
    const plain = streamOf(Number(String(line.callId).slice(5)));
    expect(plain.startsWith(String(line.body).replace(/\ufffd$/, ""))).toBe(true);
  }
});

it("chunks that come after the end neither move nor change a body that is still being decoded", async () => {
  lab = await wireLab({ handler: answering((_b, _q, response) => response.end()) });
  const plain = streamOf(5);
  const wire = zlib.gzipSync(plain);
  for (let n = 0; n < 20; n++) {
    const sink = lab.logger.recorder.http({
      seam: "undici-channels",
      origin: lab.origin,
      path: "/v1/chat/completions",
      method: "POST",
      headers: [["traceparent", announce().traceparent]],
    });
    if (!sink) throw new Error("not followed");
    sink.requestChunk("{}");
    sink.requestSent();
    sink.responseHead(200, "OK", [
      ["content-type", "text/event-stream"],
      ["content-encoding", "gzip"],
    ]);
    sink.responseChunk(wire);
    sink.end();
    // The line is made in the next turn; decoding is then under way in another thread.
    await new Promise(setImmediate);
    for (let late = 0; late < 30; late++) {
      sink.responseChunk(Buffer.alloc(20_000, 0x78));
      const other = new BodyCollector("all");
      other.push(Buffer.alloc(wire.length, 0x79));
    }
  }
  await lab.calls(20);
  for (const line of lab.lines("http_response"))
    expect(line).toMatchObject({ body: plain, wireBytes: wire.length, sha256: sha(plain) });
});
