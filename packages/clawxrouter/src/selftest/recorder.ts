/** A tiny upstream on loopback that records what reaches it and echoes, in each protocol of the proxy. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

export interface Recorder {
  /** Base URL without a path. */
  origin: string;
  /** Bodies as they arrived. */
  bodies: string[];
  close(): Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const bodies: string[] = [];
  const server: Server = createServer((req, res) => {
    let body = "";
    req.on("data", (chunk: Buffer) => {
      body += chunk.toString("utf8");
    });
    req.on("end", () => {
      bodies.push(body);
      res.setHeader("content-type", "application/json");
      res.end(JSON.stringify(answer(req.url ?? "", body)));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bodies,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The last user text, so that a test can see whether the way back restores it. */
function answer(url: string, body: string): unknown {
  const text = `echo ${lastText(body)}`;
  const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (url.includes("/embeddings"))
    return { object: "list", data: [{ object: "embedding", index: 0, embedding: [0.1, 0.2] }], usage };
  if (url.includes("/messages")) {
    return {
      id: "m",
      type: "message",
      role: "assistant",
      model: "m",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage: { input_tokens: 1, output_tokens: 1 },
    };
  }
  if (url.includes("/responses")) {
    return {
      id: "r",
      object: "response",
      status: "completed",
      model: "m",
      output: [
        {
          type: "message",
          id: "o",
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text, annotations: [] }],
        },
      ],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    };
  }
  if (url.includes("enerateContent"))
    return { candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP" }] };
  if (url.includes("/api/chat"))
    return { model: "m", message: { role: "assistant", content: text }, done: true };
  return {
    id: "c",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: text }, finish_reason: "stop" }],
    usage,
  };
}

function lastText(body: string): string {
  let last = "";
  try {
    JSON.parse(body, (key, value: unknown) => {
      if (
        typeof value === "string" &&
        (key === "content" || key === "text" || key === "input" || /^\d+$/.test(key))
      )
        last = value;
      return value;
    });
  } catch {
    // Not JSON: there is nothing to echo.
  }
  return last;
}
