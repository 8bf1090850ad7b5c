import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import WebSocket, { WebSocketServer } from "ws";
import { runInCall } from "../correlate/call-scope.ts";
import { announce, type Lab, wireLab } from "../testing/wire-lab.ts";

// Real sockets on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 });

const secret = `gh${"p_"}${"A1b2C3d4E5f6".repeat(3)}`;

let lab: Lab;
let server: WebSocketServer;
let url: string;
let reply: (text: string) => string[] = () => [];

beforeEach(async () => {
  const http = createServer();
  server = new WebSocketServer({ server: http });
  server.on("connection", (socket) =>
    socket.on("message", (data) => reply(String(data)).forEach((frame) => void socket.send(frame))),
  );
  await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
  const { port } = http.address() as AddressInfo;
  url = `ws://127.0.0.1:${port}/v1/responses`;
  lab = await wireLab({ config: { endpoints: [`http://127.0.0.1:${port}/v1`] }, handler: () => undefined });
});
afterEach(async () => {
  for (const client of server.clients) client.terminate();
  server.close();
  await lab.close();
});

function events(pieces: string[], id = "r1"): string[] {
  const output = [{ type: "message", content: [{ type: "output_text", text: pieces.join("") }] }];
  return [
    ...pieces.map((delta) => JSON.stringify({ type: "response.output_text.delta", delta })),
    JSON.stringify({
      type: "response.completed",
      response: { id, status: "completed", output, usage: { input_tokens: 1, output_tokens: 2 } },
    }),
  ];
}

async function ask(socket: { send(data: string): void }, question: string): Promise<void> {
  const call = announce({ api: "openai-responses" });
  const info = lab.logger.recorder.correlator.calls.bySpan(call.spanId);
  if (!info) throw new Error("not announced");
  runInCall(info, () =>
    socket.send(JSON.stringify({ type: "response.create", model: "m1", input: question })),
  );
}

describe.each(["ws-module", "web-socket"] as const)("%s", (seam) => {
  const connect = async () => {
    if (seam === "web-socket") {
      const socket = new globalThis.WebSocket(url);
      await new Promise((done) => socket.addEventListener("open", done, { once: true }));
      return socket;
    }
    const socket = new WebSocket(url);
    await new Promise((done) => socket.once("open", done));
    return socket;
  };
  afterEach(async () => {
    await lab.logger.stop();
    expect(Object.hasOwn(WebSocket.prototype, "emit")).toBe(false);
  });

  it("two calls on one socket are two attempts, frame for frame", async () => {
    reply = (text) =>
      events(text.includes("two") ? ["b", "2"] : ["a", "1"], text.includes("two") ? "r2" : "r1");
    const socket = await connect();
    await ask(socket, "one");
    await lab.calls(1);
    await ask(socket, "two");
    const calls = await lab.calls(2);
    expect(
      calls.map((call) => [call.responseId, (call.message as { text: string }).text, call.outcome]),
    ).toEqual([
      ["r1", "a1", "ok"],
      ["r2", "b2", "ok"],
    ]);
    for (const call of calls) {
      expect(lab.lines("ws_send").filter((line) => line.attemptId === call.attemptId)).toHaveLength(1);
      expect(lab.lines("ws_message").filter((line) => line.attemptId === call.attemptId)).toHaveLength(3);
    }
    expect(lab.lines("ws_message").map((line) => line.seam)).toContain(seam);
    socket.close();
  });

  it("sees a secret that is split over frames", async () => {
    reply = () => events(["your key ", secret.slice(0, 9), secret.slice(9, 20), secret.slice(20), " done"]);
    const socket = await connect();
    await ask(socket, "show");
    await lab.calls(1);
    const said = lab
      .lines("ws_message")
      .map((line) => (JSON.parse(String(line.body)) as { delta?: string }).delta ?? "")
      .join("");
    expect(said).toMatch(/^your key \[REDACTED:[A-Z_]+\] done$/);
    expect(lab.everything()).not.toContain(secret.slice(9, 20));
    socket.close();
  });

  it("a socket that closes in the middle is a network error with what came", async () => {
    reply = () => {
      setTimeout(() => server.clients.forEach((client) => void client.terminate()), 20);
      return [JSON.stringify({ type: "response.output_text.delta", delta: "half" })];
    };
    const socket = await connect();
    if (socket instanceof WebSocket) socket.on("error", () => undefined);
    await ask(socket, "cut");
    expect((await lab.calls(1))[0]).toMatchObject({
      outcome: "network_error",
      complete: false,
      message: { text: "half" },
    });
  });

  it("leaves sockets to other places alone, and is gone after stop", async () => {
    await lab.logger.stop();
    reply = () => events(["x"]);
    const socket = await connect();
    socket.send(JSON.stringify({ type: "response.create" }));
    await wait(50);
    expect(lab.lines()).toEqual([]);
    expect(Object.hasOwn(socket, "send")).toBe(false);
    socket.close();
  });
});
