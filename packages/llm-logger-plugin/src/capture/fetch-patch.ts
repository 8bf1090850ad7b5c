/**
 * `globalThis.fetch` of 2026.3.x hosts, whose Node may not publish body chunks on undici's channels. The request body is
 * taken from the arguments, the response from a clone; the caller gets the host's own promise result.
 */
import { runTaken } from "../correlate/call-scope.ts";
import { legacyAgent } from "./agent-patch.ts";
import { type CaptureSink, guarded, type HttpSink, type Seam } from "./seam.ts";

type Fetch = typeof globalThis.fetch;

export function fetchPatch(sink: CaptureSink, entry: string | undefined = process.argv[1]): Seam {
  let undo: (() => void) | undefined;
  let reason = "not started";
  let seen = 0;

  function open(input: Parameters<Fetch>[0], init: RequestInit | undefined): HttpSink | undefined {
    const request = input instanceof Request ? input : undefined;
    const address = request ? request.url : String(input);
    if (!URL.canParse(address)) return undefined;
    const url = new URL(address);
    const headers = new Headers(init?.headers ?? request?.headers);
    const target = sink.http({
      seam: "fetch-patch",
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method: (init?.method ?? request?.method ?? "GET").toUpperCase(),
      headers: [...headers],
      decoded: true,
    });
    if (!target) return undefined;
    seen++;
    const body = init?.body;
    if (typeof body === "string" || body instanceof Uint8Array) target.requestChunk(body);
    else if (body instanceof ArrayBuffer) target.requestChunk(new Uint8Array(body));
    else if (body instanceof URLSearchParams) target.requestChunk(body.toString());
    else if (body === undefined && request?.body) {
      // The clone must be taken before the host's fetch uses up the body.
      request
        .clone()
        .arrayBuffer()
        .then(
          (bytes) => {
            target.requestChunk(new Uint8Array(bytes));
            target.requestSent();
          },
          () => target.requestSent(),
        );
      return target;
    }
    target.requestSent();
    return target;
  }

  const onResponse = guarded(sink, "fetch-patch response", (target: HttpSink, response: Response) => {
    target.responseHead(response.status, response.statusText, [...response.headers]);
    if (!response.body) {
      target.end();
      return;
    }
    const copy = response.clone().body;
    if (copy) void drain(copy, target);
    else target.end();
  });
  const onFailure = guarded(sink, "fetch-patch error", (target: HttpSink, error: unknown) =>
    target.fail(error),
  );

  async function drain(body: ReadableStream<Uint8Array>, target: HttpSink): Promise<void> {
    try {
      for await (const chunk of body) target.responseChunk(chunk);
      target.end();
    } catch (error) {
      onFailure(target, error);
    }
  }

  return {
    name: "fetch-patch",
    start() {
      if (undo) return;
      if (!legacyAgent(entry)) {
        reason = "not needed: undici channels see this host's requests";
        return;
      }
      const original = globalThis.fetch;
      const patched: Fetch = function fetch(this: unknown, ...args: Parameters<Fetch>) {
        let target: HttpSink | undefined;
        try {
          target = open(args[0], args[1]);
        } catch (error) {
          sink.fault("fetch-patch", error);
        }
        if (!target) return Reflect.apply(original, this, args);
        const exchange = target;
        // The channels below must not log this request a second time.
        const result = runTaken(() => Reflect.apply(original, this, args));
        result.then(
          (response) => onResponse(exchange, response),
          (error: unknown) => onFailure(exchange, error),
        );
        return result;
      };
      globalThis.fetch = patched;
      undo = () => {
        if (globalThis.fetch === patched) globalThis.fetch = original;
      };
      reason = "globalThis.fetch is watched";
    },
    stop() {
      undo?.();
      undo = undefined;
      reason = "stopped";
    },
    status: () => ({ live: undo !== undefined, seen, reason }),
  };
}
