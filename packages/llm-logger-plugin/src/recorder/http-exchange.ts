/** One HTTP request and its response while they are under way. */
import { BodyCollector } from "../body/collector.ts";
import type { HttpSink, HttpStart } from "../capture/seam.ts";
import type { Binding } from "../correlate/binding.ts";
import type { HeaderList } from "../redaction/wire.ts";

/** How an exchange ended. */
export type Ending = { kind: "end" } | { kind: "error"; error: unknown } | { kind: "shutdown" };

export interface ExchangeOwner {
  requestReady(exchange: HttpExchange): void;
  ended(exchange: HttpExchange): void;
}

export class HttpExchange implements HttpSink {
  readonly start: HttpStart;
  readonly binding: Binding;
  readonly request: BodyCollector;
  readonly response: BodyCollector;
  readonly startedAt = Date.now();
  /** Monotonic clock, milliseconds. */
  readonly startedTick = performance.now();
  requestSentAt: number | undefined;
  firstByteTick: number | undefined;
  endedTick: number | undefined;
  status: number | undefined;
  statusText = "";
  responseHeaders: HeaderList = [];
  #responseNames: ReadonlyMap<string, string> | undefined;
  ending: Ending | undefined;
  /** The http_request line is written, or being written. */
  requestLogged: Promise<void> | true | undefined;
  readonly #owner: ExchangeOwner;

  /** @param keep see BodyCollector. */
  constructor(start: HttpStart, binding: Binding, owner: ExchangeOwner, keep: "all" | "tail") {
    this.start = start;
    this.binding = binding;
    this.#owner = owner;
    this.request = new BodyCollector(keep);
    this.response = new BodyCollector(keep);
  }

  requestChunk(chunk: Uint8Array | string): void {
    // What is being decoded or written must not move.
    if (this.requestSentAt === undefined && !this.ending) this.request.push(chunk);
  }

  requestSent(): void {
    if (this.requestSentAt !== undefined) return;
    this.requestSentAt = Date.now();
    this.#owner.requestReady(this);
  }

  responseHead(status: number, statusText: string, headers: HeaderList): void {
    this.firstByteTick ??= performance.now();
    this.status = status;
    this.statusText = statusText;
    this.responseHeaders = headers;
    this.#responseNames = undefined;
  }

  responseChunk(chunk: Uint8Array): void {
    if (!this.ending) this.response.push(chunk);
  }

  end(): void {
    this.finish({ kind: "end" });
  }

  fail(error: unknown): void {
    this.finish({ kind: "error", error });
  }

  finish(ending: Ending): void {
    if (this.ending) return;
    this.ending = ending;
    this.endedTick = performance.now();
    this.#owner.ended(this);
  }

  /** Gives the memory of both bodies back, when nobody reads them any more. */
  release(): void {
    this.request.release();
    this.response.release();
  }

  get url(): string {
    return `${this.start.origin}${this.start.path}`;
  }

  requestHeader(name: string): string | undefined {
    return header(this.start.headers, name);
  }

  /** @param name in lower case. */
  responseHeader(name: string): string | undefined {
    this.#responseNames ??= namesOf(this.responseHeaders);
    return this.#responseNames.get(name);
  }
}

/** The first header of each name, by the name in lower case: a response's are asked for many. */
function namesOf(list: HeaderList): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const [name, value] of list) {
    const lower = name.toLowerCase();
    if (!names.has(lower)) names.set(lower, value);
  }
  return names;
}

/** The first header of a name, any case. */
export function header(list: HeaderList, name: string): string | undefined {
  return list.find(([key]) => key.toLowerCase() === name)?.[1];
}
