/** A tiny upstream on loopback that records what reaches it and echoes, in each protocol of the proxy. */
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { answerTo } from "./answers.ts";
import type { ScriptedReply } from "./paths.ts";
import type { Wire } from "./search.ts";

export interface Recorder {
  /** Base URL without a path. */
  origin: string;
  /** Requests as they arrived, broken-off ones too: what to search for a leak. */
  requests: Wire[];
  /** Bodies as text. */
  bodies: string[];
  /** Answers, in order, to the turn that offers tools and whose user text holds `match`; else it echoes. */
  script(match: string, ...replies: ScriptedReply[]): void;
  /** Forgets requests, bodies and scripts. */
  clear(): void;
  close(): Promise<void>;
}

export async function startRecorder(): Promise<Recorder> {
  const requests: Wire[] = [];
  const bodies: string[] = [];
  let scripts: { match: string; replies: ScriptedReply[] }[] = [];
  const server: Server = createServer((req, res) => {
    void receive(req).then(({ raw, whole }) => {
      const url = req.url ?? "";
      const body = raw.toString("utf8");
      requests.push({ url, headers: req.headers, raw });
      bodies.push(body);
      if (!whole) return;
      const { contentType, text } = answerTo(url, body, (user) => {
        const script = scripts.find(({ match }) => user.includes(match));
        const reply = script?.replies.shift();
        if (script?.replies.length === 0) scripts = scripts.filter((other) => other !== script);
        return reply;
      });
      res.writeHead(200, { "content-type": contentType }).end(text);
    });
  });
  // What is no plain request is recorded and refused: nothing here speaks WebSocket, nor anything but HTTP.
  server.on("upgrade", (req, socket, head) => {
    requests.push({ url: req.url ?? "", headers: req.headers, raw: head });
    socket.destroy();
  });
  server.on("clientError", (error: Error & { rawPacket?: Buffer }, socket) => {
    if (error.rawPacket !== undefined) requests.push({ raw: error.rawPacket });
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    bodies,
    script(match, ...replies) {
      scripts.push({ match, replies });
    },
    clear() {
      requests.length = 0;
      bodies.length = 0;
      scripts = [];
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The body in whole bytes: a chunk may end in the middle of a character, a sender in the middle of a body. */
async function receive(req: IncomingMessage): Promise<{ raw: Buffer; whole: boolean }> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of req) chunks.push(chunk as Buffer);
    return { raw: Buffer.concat(chunks), whole: true };
  } catch {
    return { raw: Buffer.concat(chunks), whole: false };
  }
}
