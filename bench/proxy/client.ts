import { Agent, request } from "node:http";
import type { Subject } from "./subjects.ts";

const agent = new Agent({ keepAlive: true, maxSockets: 2000 });

/** What one exchange took, in milliseconds, and what came. */
export interface Exchange {
  /** Until the first byte of the answer's body. */
  firstByteMs: number;
  totalMs: number;
  status: number;
  body: string;
}

/** Sends one body and reads the answer to its end. */
export function send(subject: Subject, body: Buffer): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const call = request(
      {
        agent,
        port: subject.port,
        host: "127.0.0.1",
        path: subject.path,
        method: "POST",
        headers: {
          "content-type": "application/json",
          "content-length": body.length,
          authorization: "Bearer bench",
          ...subject.headers,
        },
      },
      (response) => {
        let firstByteMs = 0;
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part: string) => {
          if (firstByteMs === 0) firstByteMs = performance.now() - started;
          text += part;
        });
        response.on("end", () => {
          resolve({
            firstByteMs,
            totalMs: performance.now() - started,
            status: response.statusCode ?? 0,
            body: text,
          });
        });
        response.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

/** Closes idle connections. */
export function closeClient(): void {
  agent.destroy();
}
