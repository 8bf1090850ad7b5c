import { type ClientRequest, createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { gunzipSync, gzipSync } from "node:zlib";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startBench } from "../egress/testing/setup.ts";
import { startGuard } from "./guard.ts";

let server: Server;
let origin = "";
let bodies: string[] = [];
let refused: string[] = [];
let stop: (() => void) | undefined;

beforeEach(async () => {
  bodies = [];
  refused = [];
  server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
    });
    req.on("end", () => {
      const whole = Buffer.concat(chunks);
      bodies.push((whole[0] === 0x1f ? gunzipSync(whole) : whole).toString());
      res.end("ok");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  stop?.();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const guard = (isModelOrigin = true) =>
  startGuard({
    isLocalOrigin: () => false,
    isModelOrigin: () => isModelOrigin,
    findPrivate: (body) => (body.includes("vault-value") ? "SECRET" : undefined),
    refused: (_, reason) => refused.push(reason),
  });

const senders: [string, (body: string) => Promise<unknown>][] = [
  [
    "undici.request, string",
    (body) => undici.request(origin, { method: "POST", body }).then((r) => r.body.text()),
  ],
  [
    "undici.request, buffer",
    (body) => undici.request(origin, { method: "POST", body: Buffer.from(body) }).then((r) => r.body.text()),
  ],
  ["undici.fetch", (body) => undici.fetch(origin, { method: "POST", body }).then((r) => r.text())],
  ["global fetch", (body) => fetch(origin, { method: "POST", body }).then((r) => r.text())],
  [
    "a stream",
    (body) =>
      fetch(origin, {
        method: "POST",
        body: new ReadableStream({
          start(c) {
            c.enqueue(Buffer.from(body.slice(0, 5)));
            c.enqueue(Buffer.from(body.slice(5)));
            c.close();
          },
        }),
        duplex: "half",
      } as RequestInit).then((r) => r.text()),
  ],
];

function fail(): never {
  throw new Error("broken");
}

const at = () => new URL(origin);
const nodeRequest = (write: (request: ClientRequest) => void, headers: Record<string, string> = {}) =>
  new Promise<string>((resolve, reject) => {
    const { hostname, port } = at();
    const request = httpRequest({ hostname, port, method: "POST", path: "/v1/x", headers }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => {
        text += chunk.toString();
      });
      response.on("end", () => resolve(text));
    });
    request.on("error", reject);
    write(request);
  });
const form = (body: string): FormData => {
  const made = new FormData();
  made.append("file", new File([body], "a.jsonl"));
  return made;
};
const zipped = { "content-encoding": "gzip" };

senders.push(
  [
    "a blob",
    (body) =>
      undici.request(origin, { method: "POST", body: new Blob([body]) as never }).then((r) => r.body.text()),
  ],
  [
    "a form with a file",
    (body) =>
      undici.request(origin, { method: "POST", body: form(body) as never }).then((r) => r.body.text()),
  ],
  [
    "a form through fetch",
    (body) => fetch(origin, { method: "POST", body: form(body) }).then((r) => r.text()),
  ],
  [
    "an iterable",
    (body) =>
      undici
        .request(origin, {
          method: "POST",
          body: [Buffer.from(body.slice(0, 8)), Buffer.from(body.slice(8))] as never,
        })
        .then((r) => r.body.text()),
  ],
  [
    "a Node stream",
    (body) =>
      undici.request(origin, { method: "POST", body: Readable.from([body]) }).then((r) => r.body.text()),
  ],
  [
    "zipped",
    (body) =>
      undici
        .request(origin, { method: "POST", headers: zipped, body: gzipSync(body) })
        .then((r) => r.body.text()),
  ],
  [
    "zipped, and nobody says so",
    (body) => undici.request(origin, { method: "POST", body: gzipSync(body) }).then((r) => r.body.text()),
  ],
  [
    "more than is judged at once",
    (body) =>
      undici
        .request(origin, { method: "POST", body: `${body}${" ".repeat(600_000)}${body}` })
        .then((r) => r.body.text()),
  ],
  ["a request object", (body) => fetch(new Request(origin, { method: "POST", body })).then((r) => r.text())],
  [
    "undici.stream",
    (body) =>
      new Promise((resolve, reject) => {
        undici
          .stream(origin, { method: "POST", body }, () => new PassThrough().resume())
          .then(() => resolve("ok"), reject);
      }),
  ],
  [
    "undici.pipeline",
    (body) =>
      new Promise((resolve, reject) => {
        const duplex = undici.pipeline(origin, { method: "POST" }, ({ body: answer }) => answer);
        duplex.on("error", reject).on("data", (data: Buffer) => resolve(data.toString()));
        duplex.end(body);
      }),
  ],
  ["node:http, at once", (body) => nodeRequest((request) => request.end(body))],
  [
    "node:http, in pieces",
    (body) =>
      nodeRequest((request) => {
        for (const letter of body) request.write(Buffer.from(letter));
        request.end();
      }),
  ],
  ["node:http, a pipe", (body) => nodeRequest((request) => Readable.from([body]).pipe(request))],
  ["node:http, zipped", (body) => nodeRequest((request) => request.end(gzipSync(body)), zipped)],
  [
    "node:http, in hexadecimal",
    (body) => nodeRequest((request) => request.end(Buffer.from(body).toString("hex"), "hex")),
  ],
);

describe("in-process guard", () => {
  it.each(senders)("refuses a body with a vault value and lets others through: %s", async (_, send) => {
    stop = guard();
    expect(await send("harmless body")).toBe("ok");
    await expect(send("here: vault-value!")).rejects.toThrow();
    expect(bodies).toHaveLength(1);
    expect(bodies[0]).toContain("harmless body");
    expect(refused).toEqual(["SECRET"]);
    stop();
    await send("after: vault-value");
    expect(bodies.at(-1)).toContain("after: vault-value");
  });

  it("lets other traffic through, and knows model endpoints on any host", async () => {
    stop = guard(false);
    expect(
      await (await fetch(`${origin}/bot123/sendMessage`, { method: "POST", body: "vault-value" })).text(),
    ).toBe("ok");
    for (const path of [
      "/v1/chat/completions",
      "/v1/messages",
      "/v1beta/models/g:streamGenerateContent?alt=sse",
      "/api/chat",
      "/v1/embeddings",
    ]) {
      await expect(
        fetch(origin + path, { method: "POST", body: '{"model": "m", "x": "vault-value"}' }),
        path,
      ).rejects.toThrow();
    }
    expect(bodies).toEqual(["vault-value"]);
  });

  it.each(["/api/v10/channels/1/messages", "/v17.0/1/messages", "/v1/messages"])(
    "a reply that a channel delivers goes out, whatever it holds: %s",
    async (path) => {
      stop = guard(false);
      await fetch(origin + path, { method: "POST", body: JSON.stringify({ content: "vault-value" }) });
      await undici.request(origin + path, {
        method: "POST",
        body: Buffer.from(JSON.stringify({ text: { body: "vault-value" } })),
      });
      expect(bodies).toHaveLength(2);
      expect(refused).toEqual([]);
    },
  );

  it("what the proxy sends was gone through by it, and is not stopped by a name that is somebody's value", async () => {
    const bench = await startBench({ upstreamPath: "" });
    bench.vault.tokenise("sessions_spawn", "PASSWORD", "S3", "agent:main:other");
    stop = startGuard({
      isLocalOrigin: (where) => !where.startsWith(bench.cloud.url),
      isModelOrigin: () => true,
      findPrivate: (body) => bench.vault.findKnown(body)[0]?.type,
      refused: (_, reason) => refused.push(reason),
    });
    const answer = await bench.post("/v1/chat/completions", {
      model: "m",
      messages: [{ role: "user", content: "hi" }],
      tools: [{ type: "function", function: { name: "sessions_spawn", parameters: {} } }],
    });
    expect(answer.status).toBe(200);
    expect(bench.cloud.requests).toHaveLength(1);
    expect(refused).toEqual([]);
    await bench.close();
  });

  it("an address is judged, too, its key aside", async () => {
    stop = guard();
    await expect(fetch(`${origin}/v1/files/vault-value`)).rejects.toThrow();
    await expect(fetch(`${origin}/v1/files?q=vault%2Dvalue`)).rejects.toThrow();
    expect(await (await fetch(`${origin}/v1/models?key=vault-value`)).text()).toBe("ok");
    expect(refused).toHaveLength(2);
  });

  it("what follows a redirect is judged again", async () => {
    server.prependListener("request", (req, res) => {
      if (req.url === "/elsewhere") res.writeHead(307, { location: `${origin}/v1/chat/completions` });
    });
    stop = guard(false);
    await expect(fetch(`${origin}/elsewhere`, { method: "POST", body: "vault-value" })).rejects.toThrow();
    expect(refused).toEqual(["SECRET"]);
  });

  it.each([
    ["refused", { refused: () => fail() }],
    ["isLocalOrigin", { isLocalOrigin: () => fail() }],
    ["isModelOrigin", { isModelOrigin: () => fail() }],
    ["findPrivate", { findPrivate: () => fail() }],
  ])("%s may throw: the value stays, the process lives", async (_, broken) => {
    const uncaught: unknown[] = [];
    const listen = (error: unknown) => uncaught.push(error);
    process.on("uncaughtException", listen);
    stop = startGuard({
      isLocalOrigin: () => false,
      isModelOrigin: () => true,
      findPrivate: (body) => (body.includes("vault-value") ? "SECRET" : undefined),
      refused: () => undefined,
      ...broken,
    });
    for (const [, send] of senders) await expect(send("here: vault-value!")).rejects.toThrow();
    await new Promise((resolve) => setTimeout(resolve, 20));
    process.off("uncaughtException", listen);
    expect(uncaught).toEqual([]);
    expect(bodies).toEqual([]);
  });

  it("refuses when the check itself fails", async () => {
    stop = startGuard({
      isLocalOrigin: () => false,
      isModelOrigin: () => true,
      findPrivate: () => {
        throw new Error("broken");
      },
      refused: (_, reason) => refused.push(reason),
    });
    await expect(fetch(origin, { method: "POST", body: "x" })).rejects.toThrow();
    expect(refused).toEqual(["it could not be checked"]);
  });
});
