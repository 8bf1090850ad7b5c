/**
 * The heart of the logger: takes traffic from the seams and announcements from the hooks, ties them together, writes
 * lines. Holds no host type; every entry point is guarded by its caller.
 */
import { isEgressOrigin } from "@clawx/shared-security";
import type { RawText } from "../body/body-fields.ts";
import type { CaptureSink, HttpSink, HttpStart, SeamName, SocketSink } from "../capture/seam.ts";
import type { PluginConfig } from "../config.ts";
import { sessionOf } from "../correlate/binding.ts";
import { isTaken } from "../correlate/call-scope.ts";
import type { CallInfo } from "../correlate/calls.ts";
import { Correlator } from "../correlate/correlator.ts";
import { purposeOfPath } from "../correlate/purpose.ts";
import { createBodyRedactor } from "../redaction/body.ts";
import { type KnownSecrets, withKnownSecrets } from "../redaction/known.ts";
import type { SecretFinder } from "../redaction/replace.ts";
import { createWireRedactor, type HeaderList } from "../redaction/wire.ts";
import type { JsonlWriter } from "../store/writer.ts";
import { noTrafficLine, payloadLine } from "./call-lines.ts";
import { type Counters, countEarlyFailure, newCounters } from "./counters.ts";
import { type ExchangeOwner, HttpExchange } from "./http-exchange.ts";
import { httpRequestLine, httpResponseLines, type LineContext, whenReady } from "./http-lines.ts";
import { SilenceWatch } from "./silence.ts";
import { SocketExchange } from "./socket-exchange.ts";

/** How long traffic waits for the hook that announces its call, milliseconds. */
const BIND_GRACE_MS = 1500;

export interface RecorderOptions {
  config: PluginConfig;
  /** Bodies, prompts and answers may be written (conversation access and `includeBodies`). */
  content: boolean;
  writer: JsonlWriter;
  finder: SecretFinder;
  onFault: (message: string) => void;
  /** Told once a provider whose calls complete while no seam sees traffic of them. */
  onSilence: (message: string) => void;
}

export class Recorder implements CaptureSink, ExchangeOwner {
  readonly counters: Counters = newCounters();
  readonly correlator = new Correlator();
  readonly context: LineContext;
  readonly #options: RecorderOptions;
  readonly #live = new Set<HttpExchange>();
  readonly #sockets = new Set<SocketExchange>();
  /** Traffic whose span no hook has announced yet. */
  readonly #waiting = new Map<string, Set<HttpExchange>>();
  /** Lines still being decoded. */
  readonly #pending = new Set<Promise<unknown>>();
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Calls that ended without traffic so far: written when their grace time is over, or at the stop. */
  readonly #unmatched = new Set<() => void>();
  #stopped = false;
  readonly #silence: SilenceWatch;
  readonly #known: KnownSecrets;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#silence = new SilenceWatch(options.onSilence);
    const finder = withKnownSecrets(options.finder);
    this.#known = finder;
    this.context = {
      config: options.config,
      content: options.content,
      wire: createWireRedactor(finder, options.config.redactAuthorization),
      bodies: createBodyRedactor(finder),
      endpoints: this.correlator.endpoints,
    };
  }

  get content(): boolean {
    return this.#options.content;
  }

  write(sessionId: string | undefined, event: object, body?: RawText): void {
    this.#options.writer.write(sessionId, event, body);
  }

  fault(where: string, error: unknown): void {
    this.counters.faults++;
    const message = `${where}: ${error instanceof Error ? error.message : String(error)}`;
    if (this.counters.lastFault === null) this.#options.onFault(message);
    this.counters.lastFault = message;
  }

  // ---- HTTP -------------------------------------------------------------------------------------------------

  http(start: HttpStart): HttpSink | undefined {
    if (this.#stopped || !this.#options.config.includeHttp || isTaken()) return undefined;
    // The hop to ClawXRouter's proxy is not what the model got: the proxy's own request is.
    if (isEgressOrigin(start.origin)) return undefined;
    const binding = this.correlator.bindRequest(start.origin, start.path, start.method, start.headers);
    if (!binding) return undefined;
    this.#known.learn(start.headers, start.path);
    const exchange = new HttpExchange(start, binding, this, this.content ? "all" : "tail");
    this.#live.add(exchange);
    const span = binding.trace?.spanId;
    if (binding.call === undefined && binding.correlation === "traceparent" && span !== undefined) {
      const waiting = this.#waiting.get(span) ?? new Set();
      this.#waiting.set(span, waiting.add(exchange));
    } else this.#bound(exchange);
    return exchange;
  }

  #bound(exchange: HttpExchange): void {
    const { binding } = exchange;
    this.counters.requests++;
    this.counters.byCorrelation[binding.correlation]++;
    if (binding.call && binding.ordinal === 1) this.counters.callsHttp++;
    if (binding.call) {
      const { provider, api } = binding.call;
      this.heard(provider);
      this.correlator.endpoints.learn(exchange.start.origin, { provider, ...(api !== undefined && { api }) });
    }
    if (exchange.requestSentAt !== undefined) this.requestReady(exchange);
  }

  requestReady(exchange: HttpExchange): void {
    if (exchange.requestLogged || this.#isWaiting(exchange)) return;
    const written = whenReady(httpRequestLine(exchange, this.context), ({ event, body }) =>
      this.write(sessionOf(exchange.binding), event, body),
    );
    exchange.requestLogged = written instanceof Promise ? this.#track(written) : true;
  }

  ended(exchange: HttpExchange): void {
    this.#known.learn(exchange.responseHeaders, "");
    if (!this.#isWaiting(exchange)) {
      // Off the model's own call stack: its last chunk is delivered first.
      if (this.#stopped) this.#settle(exchange);
      else setImmediate(() => this.#settle(exchange));
      return;
    }
    this.#later("binding", () => this.#giveUpWaiting(exchange));
  }

  /** Runs once after the grace time, guarded: nothing of the logger may end the gateway's process. */
  #later(where: string, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.#safely(where, run);
    }, BIND_GRACE_MS);
    this.#timers.add(timer.unref());
  }

  #safely(where: string, run: () => void): void {
    try {
      run();
    } catch (error) {
      this.fault(where, error);
    }
  }

  /** No hook announced the span: a model endpoint's request is logged without a call, anything else forgotten. */
  #giveUpWaiting(exchange: HttpExchange): void {
    const { binding } = exchange;
    if (!this.#isWaiting(exchange)) return;
    this.#stopWaiting(exchange);
    if (!binding.endpoint) {
      this.#live.delete(exchange);
      if (exchange.ending) exchange.release();
      this.counters.ignored++;
      return;
    }
    binding.correlation = "none";
    binding.purpose = purposeOfPath(exchange.start.path);
    this.correlator.borrowSession(binding);
    this.#bound(exchange);
    if (exchange.ending) this.#settle(exchange);
  }

  #settle(exchange: HttpExchange): void {
    if (!this.#live.delete(exchange)) return;
    this.#safely("http_request line", () => this.requestReady(exchange));
    const respond = () =>
      whenReady(httpResponseLines(exchange, this.context), ([response, call]) => {
        const session = sessionOf(exchange.binding);
        this.write(session, response.event, response.body);
        this.write(session, call);
        this.counters.responses++;
        exchange.release();
      });
    this.#safely("http_response line", () => {
      const logged = exchange.requestLogged;
      const done = logged instanceof Promise ? logged.then(respond) : respond();
      if (done instanceof Promise) this.#track(done);
    });
  }

  #isWaiting(exchange: HttpExchange): boolean {
    const span = exchange.binding.trace?.spanId;
    return span !== undefined && this.#waiting.get(span)?.has(exchange) === true;
  }

  #stopWaiting(exchange: HttpExchange): void {
    const span = exchange.binding.trace?.spanId;
    if (span === undefined) return;
    const waiting = this.#waiting.get(span);
    waiting?.delete(exchange);
    if (waiting?.size === 0) this.#waiting.delete(span);
  }

  #track(work: Promise<unknown>): Promise<void> {
    const safe = work.then(
      () => undefined,
      (error: unknown) => this.fault("body decoding", error),
    );
    this.#pending.add(safe);
    void safe.finally(() => this.#pending.delete(safe));
    return safe;
  }

  /** Traffic of a provider's call was seen. */
  heard(provider: string): void {
    this.#silence.heard(provider);
  }

  // ---- WebSocket --------------------------------------------------------------------------------------------

  socket(start: { seam: SeamName; url: string; headers: HeaderList }): SocketSink | undefined {
    if (this.#stopped || !this.#options.config.includeWebSocket || !URL.canParse(start.url)) return undefined;
    const { follow, endpoint } = this.correlator.matchSocket(new URL(start.url));
    if (!follow) return undefined;
    this.#known.learn(start.headers, start.url);
    const socket = new SocketExchange(start, endpoint, this, () => this.#sockets.delete(socket));
    this.#sockets.add(socket);
    return socket;
  }

  // ---- announcements by hooks ---------------------------------------------------------------------------------

  callStarted(call: CallInfo): void {
    if (!this.correlator.calls.started(call)) return;
    this.counters.callsSeen++;
    const waiting = this.#waiting.get(call.spanId);
    this.#waiting.delete(call.spanId);
    for (const exchange of waiting ?? []) {
      this.correlator.attach(exchange.binding, call);
      this.#bound(exchange);
      if (exchange.ending) this.#settle(exchange);
    }
  }

  payload(call: CallInfo, payload: unknown): void {
    this.write(call.sessionId, payloadLine(call, payload, this.context));
  }

  callEnded(spanId: string, ended: NonNullable<CallInfo["ended"]>): void {
    const call = this.correlator.calls.bySpan(spanId);
    if (!call || call.ended) return;
    call.ended = ended;
    if (call.exchanges > 0) return;
    const settle = () => {
      this.#unmatched.delete(settle);
      if (call.exchanges === 0) this.#noTraffic(call);
    };
    this.#unmatched.add(settle);
    if (this.#stopped) settle();
    else this.#later("unmatched call", settle);
  }

  /** The call ended and nothing of it went over a seam: blocked before the socket, or a seam that does not see. */
  #noTraffic(call: CallInfo): void {
    this.counters.callsUnmatched++;
    this.write(call.sessionId, noTrafficLine(call));
    const { outcome, failureKind, errorCategory } = call.ended ?? {};
    if (outcome === "error") countEarlyFailure(this.counters, failureKind ?? errorCategory);
    if (outcome === "completed")
      this.#silence.missed(call.provider, this.counters.callsUnmatched - this.counters.callsFailedEarly);
  }

  // ---- end ----------------------------------------------------------------------------------------------------

  /** Writes partial records of what is under way (`outcome: shutdown`) and waits for lines being decoded. */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    for (const exchange of [...this.#live]) {
      if (this.#isWaiting(exchange)) this.#giveUpWaiting(exchange);
      if (!exchange.ending) exchange.finish({ kind: "shutdown" });
      else this.#settle(exchange);
    }
    for (const socket of [...this.#sockets]) socket.shutdown();
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
    for (const settle of this.#unmatched) this.#safely("unmatched call", settle);
    await Promise.all(this.#pending);
  }

  /** Requests under way; 0 after `stop()`. */
  get inFlight(): number {
    return this.#live.size + this.#sockets.size;
  }
}
