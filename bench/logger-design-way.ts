/**
 * The way of the public design, written from its document: `globalThis.fetch` wrapped in an async function, the response
 * read from `clone()`, one JSON line an event appended through a promise queue.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { appendFile, mkdir } from "node:fs/promises";
import path from "node:path";

const SENSITIVE_HEADERS = new Set(["authorization", "api-key", "x-api-key", "proxy-authorization"]);
const SENSITIVE_KEYS = new Set(["apiKey", "token", "access_token", "refresh_token", "secret", "password"]);

export interface DesignCall {
  callId: string;
  sessionId: string;
  provider: string;
  model: string;
}

export const designScope = new AsyncLocalStorage<DesignCall>();

/** Installs the patch. @returns waits for the queue and undoes it. */
export function installDesignWay(dir: string, maxBodyBytes: number): () => Promise<void> {
  let queue: Promise<void> = Promise.resolve();
  const original = globalThis.fetch;
  const write = (event: object) => {
    const call = designScope.getStore();
    const file = path.join(dir, call?.sessionId ?? "_unknown_session", "log.jsonl");
    const line = `${JSON.stringify({ ts: new Date().toISOString(), plugin: "design-way", ...call, ...event })}\n`;
    queue = queue.then(async () => {
      await mkdir(path.dirname(file), { recursive: true });
      await appendFile(file, line, "utf8");
    });
  };
  const body = (text: string) => {
    const bytes = Buffer.byteLength(text);
    const kept = bytes > maxBodyBytes ? Buffer.from(text).subarray(0, maxBodyBytes).toString("utf8") : text;
    return {
      body: redactJson(kept),
      truncated: bytes > maxBodyBytes,
      capturedBytes: Buffer.byteLength(kept),
      originalLength: bytes,
    };
  };
  globalThis.fetch = async (input, init) => {
    const call = designScope.getStore();
    if (!call) return original(input, init);
    write({
      eventType: "http_request",
      url: String(input),
      method: init?.method,
      headers: redactHeaders(new Headers(init?.headers)),
      ...body(typeof init?.body === "string" ? init.body : ""),
    });
    const response = await original(input, init);
    const copy = response.clone();
    void copy.text().then((text) => {
      write({
        eventType: "http_response",
        status: response.status,
        headers: redactHeaders(response.headers),
        ...body(text),
      });
    });
    return response;
  };
  return async () => {
    globalThis.fetch = original;
    await new Promise((done) => setTimeout(done, 50));
    await queue;
  };
}

function redactHeaders(headers: Headers): Record<string, string> {
  return Object.fromEntries(
    [...headers].map(([name, value]) => [name, SENSITIVE_HEADERS.has(name) ? "[REDACTED]" : value]),
  );
}

function redactJson(text: string): string {
  try {
    return JSON.stringify(
      JSON.parse(text, (key, value: unknown) => (SENSITIVE_KEYS.has(key) ? "[REDACTED]" : value)),
    );
  } catch {
    return text;
  }
}
