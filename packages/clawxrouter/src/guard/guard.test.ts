import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
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
    let body = "";
    req.on("data", (chunk: Buffer) => {
      body += chunk.toString();
    });
    req.on("end", () => {
      bodies.push(body);
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

describe("in-process guard", () => {
  it.each(senders)("refuses a body with a vault value and lets others through: %s", async (_, send) => {
    stop = guard();
    expect(await send("harmless body")).toBe("ok");
    await expect(send("here: vault-value!")).rejects.toThrow();
    expect(bodies).toEqual(["harmless body"]);
    expect(refused).toEqual(["SECRET"]);
    stop();
    await send("after: vault-value");
    expect(bodies.at(-1)).toBe("after: vault-value");
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
      await expect(fetch(origin + path, { method: "POST", body: "vault-value" }), path).rejects.toThrow();
    }
    expect(bodies).toEqual(["vault-value"]);
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
