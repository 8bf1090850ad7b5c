/**
 * One WebSocket to a model endpoint. Frames are logged one by one; a `response.create` opens an attempt, the response's
 * terminal event closes it, and one socket may carry many attempts of different calls. Frames of a response are held
 * until it ends: a secret may be split over them, and only together can it be seen.
 */
import type { Assembler } from "../assemble/assembler.ts";
import { object, string } from "../assemble/json.ts";
import { isTerminalResponseEvent, openaiResponses } from "../assemble/openai-responses.ts";
import { bodyFields, bodySizes, collectBody, type WrittenBody } from "../body/body-fields.ts";
import { BodyCollector } from "../body/collector.ts";
import type { SeamName, SocketSink } from "../capture/seam.ts";
import { type Binding, commonFields, newBinding, sessionOf } from "../correlate/binding.ts";
import type { EndpointInfo } from "../correlate/endpoints.ts";
import type { EventType } from "../events.ts";
import type { Inspection } from "../redaction/body.ts";
import type { HeaderList } from "../redaction/wire.ts";
import type { Ending } from "./http-exchange.ts";
import { everythingSaid, withBody } from "./http-lines.ts";
import { costOf, describeError, judge } from "./outcome.ts";
import type { Recorder } from "./recorder.ts";

interface Frame {
  at: number;
  bytes: Buffer;
}

/** Bytes of frames held for one response; beyond it they are written as they come. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

interface Attempt {
  binding: Binding;
  held: Frame[];
  heldBytes: number;
  inspection: Inspection | undefined;
  assembler: Assembler;
  startedAt: number;
  startedTick: number;
  firstTick: number | undefined;
  sentBytes: number;
  receivedBytes: number;
}

export class SocketExchange implements SocketSink {
  readonly #start: { seam: SeamName; url: string; headers: HeaderList };
  readonly #endpoint: EndpointInfo | undefined;
  readonly #recorder: Recorder;
  readonly #onClosed: () => void;
  #attempt: Attempt | undefined;
  #closed = false;

  constructor(
    start: { seam: SeamName; url: string; headers: HeaderList },
    endpoint: EndpointInfo | undefined,
    recorder: Recorder,
    onClosed: () => void,
  ) {
    this.#start = start;
    this.#endpoint = endpoint;
    this.#recorder = recorder;
    this.#onClosed = onClosed;
  }

  sent(frame: Uint8Array | string): void {
    if (this.#closed) return;
    const bytes = asBuffer(frame);
    const event = parseEvent(bytes);
    // Other events of the protocol (a ping, a cancel, session settings) ask for no answer and open nothing.
    const opens = event?.type === "response.create" || (!this.#attempt && string(event?.type) === undefined);
    if (opens) {
      if (this.#attempt)
        this.#finish({ kind: "error", error: new Error("a new request began before this one ended") });
      this.#attempt = this.#open(event);
    }
    if (this.#attempt) this.#attempt.sentBytes += bytes.length;
    this.#line("ws_send", { at: Date.now(), bytes }, this.#attempt);
  }

  received(frame: Uint8Array | string): void {
    if (this.#closed) return;
    const bytes = asBuffer(frame);
    const attempt = this.#attempt;
    const event = parseEvent(bytes);
    if (!attempt) {
      this.#line("ws_message", { at: Date.now(), bytes }, undefined);
      return;
    }
    attempt.firstTick ??= performance.now();
    attempt.receivedBytes += bytes.length;
    attempt.heldBytes += bytes.length;
    attempt.held.push({ at: Date.now(), bytes });
    if (attempt.heldBytes > MAX_HELD_BYTES) this.#writeHeld(attempt);
    if (!event) {
      attempt.inspection?.text(bytes.toString("utf8"));
      return;
    }
    attempt.inspection?.json(event);
    attempt.assembler.event(event, undefined);
    if (isTerminalResponseEvent(string(event.type) ?? "")) this.#finish({ kind: "end" });
  }

  closed(code: number | undefined, error?: unknown): void {
    if (this.#closed) return;
    const reason =
      error ?? new Error(`WebSocket closed with code ${code ?? "unknown"} before the response ended`);
    if (this.#attempt) this.#finish({ kind: "error", error: reason });
    this.#closed = true;
    this.#onClosed();
  }

  /** The gateway stops: the attempt under way gets its partial record. */
  shutdown(): void {
    if (this.#attempt) this.#finish({ kind: "shutdown" });
    this.#closed = true;
    this.#onClosed();
  }

  #open(event: Record<string, unknown> | undefined): Attempt {
    const binding = this.#recorder.correlator.bindSocketExchange();
    if (this.#endpoint) binding.endpoint = this.#endpoint;
    if (binding.call) {
      this.#recorder.heard(binding.call.provider);
      if (binding.ordinal === 1) this.#recorder.counters.callsWebSocket++;
    }
    const model = string(event?.model) ?? string(object(event?.response)?.model);
    if (model !== undefined) binding.requestModel = model;
    this.#recorder.counters.requests++;
    this.#recorder.counters.byCorrelation[binding.correlation]++;
    return {
      binding,
      held: [],
      heldBytes: 0,
      inspection: this.#recorder.content ? this.#recorder.context.bodies.inspect() : undefined,
      assembler: openaiResponses(),
      startedAt: Date.now(),
      startedTick: performance.now(),
      firstTick: undefined,
      sentBytes: 0,
      receivedBytes: 0,
    };
  }

  /** Writes the held frames, redacted together where one of them or what they say together has to be. */
  #writeHeld(attempt: Attempt): void {
    const { held, inspection } = attempt;
    attempt.held = [];
    attempt.heldBytes = 0;
    if (inspection)
      for (const said of everythingSaid(attempt.assembler.result().message)) inspection.text(said);
    const together = inspection?.dirty ? this.#redactTogether(held) : undefined;
    for (const [index, frame] of held.entries()) {
      const bytes = together?.[index];
      this.#line("ws_message", bytes ? { at: frame.at, bytes } : frame, attempt);
    }
  }

  /** @returns undefined when the frames cannot be told apart as lines; each is then redacted by itself. */
  #redactTogether(held: Frame[]): Buffer[] | undefined {
    const joined = Buffer.concat(held.flatMap(({ bytes }) => [bytes, NEWLINE]));
    const { text } = this.#recorder.context.bodies.redact(joined.toString("utf8"), "lines");
    const lines = text.split("\n").slice(0, -1);
    return lines.length === held.length ? lines.map((line) => Buffer.from(line, "utf8")) : undefined;
  }

  #line(eventType: EventType, { at, bytes }: Frame, attempt: Attempt | undefined): void {
    const binding = attempt?.binding ?? {
      ...newBinding(),
      ...(this.#endpoint && { endpoint: this.#endpoint }),
    };
    const { content, context } = this.#recorder;
    const collector = new BodyCollector(content ? "all" : "tail");
    collector.push(bytes);
    const collected = content ? collectBody(collector, undefined) : undefined;
    const { fields, raw }: WrittenBody =
      collected && !(collected instanceof Promise)
        ? bodyFields(collected, "json", context.config.maxBodyBytes, context.bodies)
        : { fields: bodySizes(collector, undefined) };
    const head = {
      ...commonFields(binding, eventType, at),
      seam: this.#start.seam,
      url: context.wire.url(this.#start.url),
    };
    const line = withBody(head, fields, raw);
    this.#recorder.write(sessionOf(binding), line.event, line.body);
    collector.release();
  }

  #finish(ending: Ending): void {
    const attempt = this.#attempt;
    if (!attempt) return;
    this.#attempt = undefined;
    this.#writeHeld(attempt);
    const { context, content } = this.#recorder;
    const assembled = attempt.assembler.result();
    const { outcome, complete } = judge(ending, 101, assembled);
    const common = commonFields(attempt.binding, "llm_call", Date.now());
    const cost = costOf(assembled.usage, context.endpoints.price(common.provider, common.model));
    const error =
      ending.kind === "error" && outcome !== "ok" ? describeError(ending.error).message : assembled.error;
    this.#recorder.counters.responses++;
    const tick = (at: number | undefined) =>
      at === undefined ? null : Math.round((at - attempt.startedTick) * 10) / 10;
    this.#recorder.write(sessionOf(attempt.binding), {
      ...common,
      model: common.model ?? assembled.model ?? null,
      outcome,
      complete,
      via: "websocket",
      api: attempt.binding.call?.api ?? this.#endpoint?.api ?? null,
      protocol: assembled.protocol,
      url: context.wire.url(this.#start.url),
      status: 101,
      startedAt: new Date(attempt.startedAt).toISOString(),
      ttfbMs: tick(attempt.firstTick),
      durationMs: tick(performance.now()),
      requestBytes: attempt.sentBytes,
      responseWireBytes: attempt.receivedBytes,
      responseBytes: attempt.receivedBytes,
      providerRequestId: null,
      responseId: assembled.responseId ?? null,
      finishReason: assembled.finishReason ?? null,
      usage: assembled.usage ?? null,
      costUsd: cost ?? null,
      ...(error !== undefined && { error: context.wire.text(error) }),
      message: content ? context.bodies.redactValue(assembled.message).value : null,
    });
  }
}

const NEWLINE = Buffer.from("\n");

function asBuffer(frame: Uint8Array | string): Buffer {
  if (typeof frame === "string") return Buffer.from(frame, "utf8");
  return Buffer.isBuffer(frame) ? frame : Buffer.from(frame.buffer, frame.byteOffset, frame.byteLength);
}

function parseEvent(bytes: Buffer): Record<string, unknown> | undefined {
  if (bytes[0] !== 0x7b) return undefined;
  try {
    return object(JSON.parse(bytes.toString("utf8")));
  } catch {
    return undefined;
  }
}
