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

  it("pings, settings and cancels open no call of their own", async () => {
    reply = (text) => (text.includes("response.create") ? events(["hi"]) : []);
    const socket = await connect();
    socket.send(JSON.stringify({ type: "session.update", session: {} }));
    await ask(socket, "q");
    await lab.calls(1);
    socket.send(JSON.stringify({ type: "ping" }));
    await wait(50);
    socket.close();
    await wait(50);
    expect(lab.lines("llm_call").map(({ outcome }) => outcome)).toEqual(["ok"]);
    expect(lab.lines("ws_send")).toHaveLength(3);
    expect(lab.logger.recorder.counters.requests).toBe(1);
  });

  it("binary frames of every kind are seen, as what they are", async () => {
    const socket = await connect();
    const bytes = new Uint8Array([0xff, 0, 1, 2]);
    for (const frame of [
      bytes,
      bytes.buffer,
      new DataView(bytes.buffer),
      new Uint16Array(bytes.buffer),
      new Blob([bytes]),
    ])
      socket.send(frame as Uint8Array);
    await vi.waitFor(() => expect(lab.lines("ws_send")).toHaveLength(5), { timeout: 5000 });
    for (const line of lab.lines("ws_send"))
      expect(line).toMatchObject({ body: Buffer.from(bytes).toString("base64"), bodyEncoding: "base64" });
    for (const client of server.clients) client.send(bytes);
    await wait(100);
    socket.close();
    await vi.waitFor(() => expect(lab.lines("ws_message")).toHaveLength(1), { timeout: 5000 });
  });

  it("the arguments of two calls in turns: a secret split over them is in no frame and in no answer", async () => {
    const args = [JSON.stringify({ cmd: `echo ${secret}` }), JSON.stringify({ cmd: "ls -la" })];
    const frames: object[] = [0, 1].map((output_index) => ({
      type: "response.output_item.added",
      output_index,
      item: { type: "function_call", call_id: `c${output_index}`, name: "exec" },
    }));
    for (let at = 0; at < (args[0]?.length ?? 0); at += 4)
      for (const output_index of [0, 1]) {
        const delta = args[output_index]?.slice(at, at + 4) ?? "";
        if (delta !== "")
          frames.push({ type: "response.function_call_arguments.delta", output_index, delta });
      }
    frames.push({ type: "response.completed", response: { id: "r", status: "completed", output: [] } });
    reply = () => frames.map((frame) => JSON.stringify(frame));
    const socket = await connect();
    await ask(socket, "q");
    const [call] = await lab.calls(1);
    socket.close();
    expect(call).toMatchObject({
      outcome: "ok",
      message: { toolCalls: [{ name: "exec" }, { arguments: { cmd: "ls -la" } }] },
    });
    expect(JSON.stringify(call)).not.toContain(secret);
    const said = lab
      .lines("ws_message")
      .map(({ body }) => JSON.parse(String(body)) as { output_index?: number; delta?: string })
      .filter(({ output_index }) => output_index === 0)
      .map(({ delta }) => delta ?? "")
      .join("");
    expect(said).toContain("REDACTED");
    expect(said).not.toContain(secret.slice(0, 20));
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
