import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { bodyChunks, bodyText, closeIdleConnections, sendRequest } from "./http.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  closeIdleConnections();
  for (const close of closers.splice(0)) await close();
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  );
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const TEXT = "data: 好\n\n".repeat(50);

describe("a server that never finishes", () => {
  it.each([
    ["before the head", () => undefined],
    [
      "in the body, drop by drop",
      (reply: import("node:http").ServerResponse) => {
        reply.writeHead(200);
        const drip = setInterval(() => reply.write(" "), 20);
        reply.once("close", () => clearInterval(drip));
      },
    ],
  ])("%s: says that the time was up", async (_, serveIt) => {
    const url = await serve((_request, reply) => serveIt(reply));
    const signal = AbortSignal.timeout(150);
    const read = async () => bodyText(await sendRequest(url, { signal }), signal);
    await expect(read()).rejects.toMatchObject({ kind: "timeout", message: "no complete reply in time" });
  });
});

describe("compressed replies nobody asked for", () => {
  it.each([
    ["gzip", gzipSync(TEXT)],
    ["deflate", deflateSync(TEXT)],
    ["br", brotliCompressSync(TEXT)],
    ["gzip, identity", gzipSync(TEXT)],
  ])("reads %s", async (encoding, body) => {
    let asked: string | undefined;
    const url = await serve((request, reply) => {
      asked = String(request.headers["accept-encoding"]);
      reply.writeHead(200, { "content-encoding": encoding }).end(body);
    });
    expect(await bodyText(await sendRequest(url, {}))).toBe(TEXT);
    expect(asked).toBe("identity");
  });

  it("gives what came before a cut, then an error", async () => {
    const url = await serve((_, reply) => {
      reply.writeHead(200, { "content-encoding": "gzip" });
      const zipped = gzipSync(Array.from({ length: 5_000 }, (_x, i) => `line ${i * 7919}\n`).join(""));
      reply.write(zipped.subarray(0, zipped.length - 200), () => setTimeout(() => reply.destroy(), 50));
    });
    let got = 0;
    await expect(async () => {
      for await (const chunk of bodyChunks(await sendRequest(url, {}))) got += chunk.byteLength;
    }).rejects.toThrow(/cut/);
    expect(got).toBeGreaterThan(0);
  });

  it("names damage and unknown codings, and stops a bomb", async () => {
    const reply = (encoding: string, body: Buffer) =>
      serve((_, r) => void r.writeHead(200, { "content-encoding": encoding }).end(body));
    const read = async (url: string) => bodyText(await sendRequest(url, {}), undefined, 100_000);
    await expect(read(await reply("gzip", Buffer.from("no gzip at all")))).rejects.toThrow(
      /compression is damaged/,
    );
    await expect(read(await reply("zstd", Buffer.from("x")))).rejects.toThrow(/compressed as "zstd"/);
    await expect(read(await reply("gzip", gzipSync(Buffer.alloc(50_000_000))))).rejects.toThrow(
      /larger than/,
    );
  });
});
