import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Json, JsonObject } from "../json.ts";

/** A request as it arrived, byte for byte. */
export interface RecordedRequest {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  json: JsonObject;
}

/** Writes the answer to one request. */
export type Responder = (request: RecordedRequest, response: ServerResponse) => void | Promise<void>;

/** A model server on loopback that records what it receives and answers by script. */
export interface RecordingUpstream {
  url: string;
  port: number;
  requests: RecordedRequest[];
  /** Answers from now on. */
  answer(responder: Responder): void;
  /** Connections that callers broke off before the answer was complete. */
  aborted(): number;
  close(): Promise<void>;
}

/** Starts a recording upstream; without a script it answers 200 with an empty JSON object. */
export async function recordingUpstream(port = 0): Promise<RecordingUpstream> {
  const requests: RecordedRequest[] = [];
  let responder: Responder = (_request, response) => json(response, 200, {});
  let aborted = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    response.once("close", () => {
      if (!response.writableFinished) aborted += 1;
    });
    try {
      for await (const part of request) parts.push(part);
    } catch {
      return;
    }
    const body = Buffer.concat(parts).toString("utf8");
    const recorded: RecordedRequest = {
      method: request.method ?? "",
      url: request.url ?? "",
      headers: request.headers,
      body,
      json: body.startsWith("{") ? JSON.parse(body) : {},
    };
    requests.push(recorded);
    await responder(recorded, response);
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const address: AddressInfo | string | null = server.address();
  const bound = typeof address === "object" && address ? address.port : port;
  return {
    url: `http://127.0.0.1:${bound}`,
    port: bound,
    requests,
    answer: (next) => {
      responder = next;
    },
    aborted: () => aborted,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers with JSON. */
export function json(
  response: ServerResponse,
  status: number,
  body: Json,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers });
  response.end(JSON.stringify(body));
}

/** Answers with a `text/event-stream` of ready-made text, in pieces cut at `cuts` (byte offsets). */
export async function sse(
  response: ServerResponse,
  text: string,
  cuts: readonly number[] = [],
): Promise<void> {
  response.writeHead(200, { "content-type": "text/event-stream" });
  const bytes = Buffer.from(text, "utf8");
  let from = 0;
  for (const cut of [...cuts, bytes.length]) {
    if (cut <= from) continue;
    response.write(bytes.subarray(from, cut));
    from = cut;
    // One write a packet: without a turn of the event loop the pieces arrive as one.
    await new Promise((resolve) => setImmediate(resolve));
  }
  response.end();
}
