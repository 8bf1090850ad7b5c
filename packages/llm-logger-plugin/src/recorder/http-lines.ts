/** The three lines of an HTTP attempt: http_request, http_response, llm_call. */
import { type Assembly, assemble, protocolOf, type StreamShape, shapeOf } from "../assemble/assemble.ts";
import type { Assembled } from "../assemble/assembler.ts";
import {
  bodyFields,
  bodySizes,
  type CollectedBody,
  collectBody,
  type RawText,
  type WrittenBody,
} from "../body/body-fields.ts";
import type { PluginConfig } from "../config.ts";
import { commonFields, isoTime } from "../correlate/binding.ts";
import type { EndpointIndex } from "../correlate/endpoints.ts";
import type { AssembledMessage, BodyFields } from "../events.ts";
import type { BodyKind, BodyRedactor, Inspection } from "../redaction/body.ts";
import type { WireRedactor } from "../redaction/wire.ts";
import type { HttpExchange } from "./http-exchange.ts";
import { costOf, describeError, judge } from "./outcome.ts";

export interface LineContext {
  config: PluginConfig;
  /** Bodies, prompts and answers may be written. */
  content: boolean;
  wire: WireRedactor;
  bodies: BodyRedactor;
  endpoints: EndpointIndex;
}

/** Characters of an error message that are written. */
const MAX_ERROR = 500;

/** Response headers under which providers name a request, most specific first. */
const REQUEST_ID_HEADERS = [
  "x-request-id",
  "request-id",
  "x-goog-request-id",
  "x-amzn-requestid",
  "apim-request-id",
  "cf-ray",
];

/** Runs `next` at once for a plain value and after it for a promise: bodies without coding are written synchronously. */
export function whenReady<T, R>(value: T | Promise<T>, next: (value: T) => R): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** One line to write: its fields, and the body's bytes where they go in as they are. */
export interface Line {
  event: object;
  body?: RawText;
}

export function httpRequestLine(exchange: HttpExchange, context: LineContext): Line | Promise<Line> {
  const coding = exchange.requestHeader("content-encoding");
  const line = ({ fields, raw }: WrittenBody): Line =>
    withBody(
      {
        ...commonFields(exchange.binding, "http_request", exchange.startedAt),
        seam: exchange.start.seam,
        method: exchange.start.method,
        url: context.wire.url(exchange.url),
        headers: context.wire.headers(exchange.start.headers),
      },
      fields,
      raw,
    );
  if (!context.content) return line({ fields: bodySizes(exchange.request, coding) });
  return whenReady(collectBody(exchange.request, coding), (body) => {
    noteModel(exchange, body);
    return line(bodyFields(body, kindOf("document", body), context.config.maxBodyBytes, context.bodies));
  });
}

/** http_response and llm_call, in this order. */
export function httpResponseLines(
  exchange: HttpExchange,
  context: LineContext,
): [Line, object] | Promise<[Line, object]> {
  const coding = exchange.start.decoded ? undefined : exchange.responseHeader("content-encoding");
  const summary = context.content ? undefined : summaryOfEnds(exchange, coding);
  if (summary) return summaryLines(exchange, context, coding, summary, exchange.response.wireBytes);
  return whenReady(collectBody(exchange.response, coding), (body) => {
    const { bytes } = body.decoded;
    const shape = shapeOf(exchange.responseHeader("content-type"), (length) =>
      bytes.toString("latin1", 0, length),
    );
    const inspection = context.content ? context.bodies.inspect() : undefined;
    const { assembled, escaped } = assembleExchange(exchange, bytes, shape, inspection);
    if (assembled && inspection) for (const said of everythingSaid(assembled.message)) inspection.text(said);
    const length = body.whole ? body.decoded.length : Math.max(body.wireBytes, body.decoded.length);
    if (!context.content) {
      escaped?.release();
      return summaryLines(exchange, context, coding, assembled, length);
    }
    // Only what was assembled has been seen in full; anything else is looked through again.
    const { fields, raw } = bodyFields(
      body,
      kindOf(shape, body),
      context.config.maxBodyBytes,
      context.bodies,
      assembled && inspection && { inspection, escaped },
    );
    const at = Date.now();
    return [
      withBody(responseLine(exchange, context, at), fields, raw),
      callLine(exchange, context, assembled, length, at),
    ];
  });
}

/** Both lines of a log that keeps no bodies. */
function summaryLines(
  exchange: HttpExchange,
  context: LineContext,
  coding: string | undefined,
  assembled: Assembled | undefined,
  length: number,
): [Line, object] {
  const at = Date.now();
  const response = responseLine(exchange, context, at);
  return [
    withBody(response, bodySizes(exchange.response, coding), undefined),
    callLine(exchange, context, assembled, length, at),
  ];
}

/** What a plain event stream tells at its start and end, where that is all a log without bodies needs. */
function summaryOfEnds(exchange: HttpExchange, coding: string | undefined): Assembled | undefined {
  if (coding !== undefined || shapeOf(exchange.responseHeader("content-type"), () => "") !== "sse")
    return undefined;
  const ends = exchange.response.ends();
  if (!ends) return undefined;
  const { assembled } = assembleExchange(exchange, ends, "sse", undefined);
  const { terminal, usage, responseId, finishReason } = assembled ?? {};
  // Anthropic counts twice: with the id at the start, and with the reason at the end.
  const told = terminal && usage && responseId !== undefined && finishReason !== undefined;
  return told ? assembled : undefined;
}

function responseLine(exchange: HttpExchange, context: LineContext, at: number): object {
  const ending = exchange.ending ?? { kind: "shutdown" };
  const error = ending.kind === "error" ? describeError(ending.error) : undefined;
  return {
    ...commonFields(exchange.binding, "http_response", at),
    seam: exchange.start.seam,
    status: exchange.status ?? null,
    statusText: exchange.statusText,
    headers: context.wire.headers(exchange.responseHeaders),
    ...(error && { error: { ...error, message: context.wire.text(error.message).slice(0, MAX_ERROR) } }),
  };
}

/** The body stands last, so that it can be written from its bytes. */
export function withBody(event: object, fields: BodyFields, raw: RawText | undefined): Line {
  const { body, ...sizes } = fields;
  return raw ? { event: { ...event, ...sizes }, body: raw } : { event: { ...event, ...sizes, body } };
}

function callLine(
  exchange: HttpExchange,
  context: LineContext,
  assembled: Assembled | undefined,
  decodedBytes: number,
  at: number,
): object {
  const ending = exchange.ending ?? { kind: "shutdown" };
  const { outcome, complete } = judge(ending, exchange.status, assembled);
  const common = commonFields(exchange.binding, "llm_call", at);
  const price =
    context.endpoints.price(common.provider, common.model) ??
    context.endpoints.price(common.provider, assembled?.model ?? null);
  const cost = costOf(assembled?.usage, price);
  const errorText =
    ending.kind === "error" && outcome !== "ok" ? describeError(ending.error).message : assembled?.error;
  return {
    ...common,
    model: common.model ?? assembled?.model ?? null,
    outcome,
    complete,
    via: "http",
    api: exchange.binding.call?.api ?? exchange.binding.endpoint?.api ?? null,
    protocol: assembled?.protocol ?? null,
    url: context.wire.url(exchange.url),
    status: exchange.status ?? null,
    startedAt: isoTime(exchange.startedAt),
    ttfbMs: elapsed(exchange.startedTick, exchange.firstByteTick),
    durationMs: elapsed(exchange.startedTick, exchange.endedTick ?? performance.now()),
    requestBytes: exchange.request.wireBytes,
    responseWireBytes: exchange.response.wireBytes,
    responseBytes: decodedBytes,
    providerRequestId: requestId(exchange),
    responseId: assembled?.responseId ?? null,
    finishReason: assembled?.finishReason ?? null,
    usage: assembled?.usage ?? null,
    costUsd: cost ?? null,
    ...(errorText !== undefined && { error: context.wire.text(errorText).slice(0, 4 * MAX_ERROR) }),
    message: assembled && context.content ? context.bodies.redactValue(assembled.message).value : null,
  };
}

function assembleExchange(
  exchange: HttpExchange,
  bytes: Buffer,
  shape: StreamShape,
  inspector: Inspection | undefined,
): Assembly {
  if (bytes.length === 0 || exchange.status === undefined) return { assembled: undefined };
  const api = exchange.binding.call?.api ?? exchange.binding.endpoint?.api;
  const protocol = protocolOf(exchange.start.path, api);
  return protocol ? assemble(protocol, shape, bytes, inspector) : { assembled: undefined };
}

/** Every text of a message: where a secret may stand that the pieces of the stream hide. */
export function everythingSaid(message: AssembledMessage): string[] {
  const texts = [message.text, message.thinking];
  for (const call of message.toolCalls)
    texts.push(typeof call.arguments === "string" ? call.arguments : jsonText(call.arguments));
  return texts;
}

/** Empty for what is nested too deep to be written; its event was looked through by itself. */
function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? "";
  } catch {
    return "";
  }
}

function kindOf(shape: StreamShape, body: CollectedBody): BodyKind {
  if (shape !== "document") return "lines";
  const first = body.decoded.bytes.subarray(0, 64).toString("latin1").trimStart().charAt(0);
  return first === "{" || first === "[" ? "json" : "text";
}

/** The model of a request that no hook announced: named in the body, or in the path as Google does. */
function noteModel(exchange: HttpExchange, body: CollectedBody): void {
  const { binding } = exchange;
  if (binding.call || binding.requestModel) return;
  const inPath = /\/models\/([^/:?]+):/.exec(exchange.start.path)?.[1];
  const head = body.decoded.bytes.subarray(0, 65_536).toString("utf8");
  const inBody = /"model"\s*:\s*"([^"\\]{1,200})"/.exec(head)?.[1];
  const model = inPath ?? inBody;
  if (model !== undefined) binding.requestModel = model;
}

function requestId(exchange: HttpExchange): string | null {
  for (const name of REQUEST_ID_HEADERS) {
    const value = exchange.responseHeader(name);
    if (value !== undefined) return value;
  }
  return null;
}

function elapsed(from: number, to: number | undefined): number | null {
  return to === undefined ? null : Math.round((to - from) * 10) / 10;
}
