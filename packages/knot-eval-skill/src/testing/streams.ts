import { EventType } from "@ag-ui/core";
import { EventEncoder } from "@ag-ui/encoder";
import { knotEvents } from "./fake-knot.ts";

/** Streams as seen in the wild, one a dialect or fault, with the answer each must give. Test data only. */
export interface RecordedStream {
  name: string;
  bytes: Uint8Array;
  answer: string;
  status: "ok" | "error";
  truncated?: boolean;
  error?: RegExp;
}

const utf8 = new TextEncoder();

function knot(separator: (payload: string) => string, prefix = ""): Uint8Array {
  const events = knotEvents({
    text: "你好，报销上限为 5,000 元。😀",
    thinking: "先想一想",
    chunks: [{ chunk_title: "报销", chunk_content: "上限五千元" }],
  });
  return utf8.encode(prefix + events.map((event) => separator(JSON.stringify(event))).join(""));
}

const ANSWER = "你好，报销上限为 5,000 元。😀";

function lines(...events: unknown[]): Uint8Array {
  return utf8.encode(
    events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join(""),
  );
}

const text = (delta: string, messageId = "m1") => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };

/** A standard AG-UI 1.0 stream, made by the protocol's own encoder. */
function standard(): Uint8Array {
  const encoder = new EventEncoder();
  const events = [
    { type: EventType.RUN_STARTED, threadId: "t", runId: "r" },
    { type: EventType.TEXT_MESSAGE_START, messageId: "m1", role: "assistant" },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m1", delta: "标准" },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId: "m1", delta: "协议" },
    { type: EventType.TEXT_MESSAGE_END, messageId: "m1" },
    { type: EventType.RUN_FINISHED, threadId: "t", runId: "r" },
  ];
  return utf8.encode(
    events.map((event) => encoder.encodeSSE(event as Parameters<EventEncoder["encodeSSE"]>[0])).join(""),
  );
}

export const STREAMS: readonly RecordedStream[] = [
  { name: "double LF, data with space", bytes: knot((p) => `data: ${p}\n\n`), answer: ANSWER, status: "ok" },
  {
    name: "double LF, data without space",
    bytes: knot((p) => `data:${p}\n\n`),
    answer: ANSWER,
    status: "ok",
  },
  { name: "single LF between events", bytes: knot((p) => `data:${p}\n`), answer: ANSWER, status: "ok" },
  { name: "CRLF", bytes: knot((p) => `data: ${p}\r\n\r\n`), answer: ANSWER, status: "ok" },
  { name: "single CRLF", bytes: knot((p) => `data: ${p}\r\n`), answer: ANSWER, status: "ok" },
  { name: "CR only", bytes: knot((p) => `data: ${p}\r\r`), answer: ANSWER, status: "ok" },
  { name: "byte-order mark", bytes: knot((p) => `data: ${p}\n\n`, "\ufeff"), answer: ANSWER, status: "ok" },
  {
    name: "comments and keep-alives",
    bytes: knot((p) => `: ping\n\ndata: ${p}\n: ping\n\n`, ": hello\n\n"),
    answer: ANSWER,
    status: "ok",
  },
  {
    name: "event names and ids",
    bytes: knot((p) => `event: message\nid: 7\nretry: 100\ndata: ${p}\n\n`),
    answer: ANSWER,
    status: "ok",
  },
  { name: "[DONE] at the end", bytes: lines(text("好"), finished, "[DONE]"), answer: "好", status: "ok" },
  { name: "[DONE] is the only end", bytes: lines(text("好"), "[DONE]"), answer: "好", status: "ok" },
  {
    name: "last event without blank line",
    bytes: utf8.encode(`data: ${JSON.stringify(text("好"))}\n\ndata: ${JSON.stringify(finished)}`),
    answer: "好",
    status: "ok",
  },
  {
    name: "data over several lines",
    bytes: utf8.encode(
      'data: {"type":"TEXT_MESSAGE_CONTENT",\ndata: "delta":"好"}\n\ndata: {"type":\ndata: "RUN_FINISHED"}\n\n',
    ),
    answer: "好",
    status: "ok",
  },
  {
    name: "PascalCase types",
    bytes: lines(
      { type: "TextMessageStart", messageId: "m" },
      { type: "TextMessageContent", messageId: "m", delta: "好的" },
      { type: "RunFinished" },
    ),
    answer: "好的",
    status: "ok",
  },
  {
    name: "rawEvent.content wins over delta and content",
    bytes: lines(
      { type: "TEXT_MESSAGE_CONTENT", rawEvent: { content: "甲" }, delta: "乙", content: "丙" },
      finished,
    ),
    answer: "甲",
    status: "ok",
  },
  {
    name: "delta wins over content",
    bytes: lines({ type: "TEXT_MESSAGE_CONTENT", delta: "乙", content: "丙" }, finished),
    answer: "乙",
    status: "ok",
  },
  {
    name: "content alone",
    bytes: lines({ type: "TEXT_MESSAGE_CONTENT", content: "丙" }, finished),
    answer: "丙",
    status: "ok",
  },
  {
    name: "thinking and reasoning stay out",
    bytes: lines(
      { type: "THINKING_TEXT_MESSAGE_CONTENT", delta: "想" },
      { type: "REASONING_MESSAGE_CONTENT", delta: "推理", messageId: "m1" },
      text("答"),
      finished,
    ),
    answer: "答",
    status: "ok",
  },
  {
    name: "leading think block in the text",
    bytes: lines(text("<think>想一"), text("想</think>\n答案"), finished),
    answer: "答案",
    status: "ok",
  },
  {
    name: "several messages, the last one counts",
    bytes: lines(
      { type: "TEXT_MESSAGE_START", messageId: "a" },
      text("我先查一下。", "a"),
      { type: "TEXT_MESSAGE_START", messageId: "b" },
      text("最终答案。", "b"),
      finished,
    ),
    answer: "最终答案。",
    status: "ok",
  },
  {
    name: "messages without ids",
    bytes: lines(
      { type: "TEXT_MESSAGE_START" },
      { type: "TEXT_MESSAGE_CONTENT", delta: "一" },
      { type: "TEXT_MESSAGE_END" },
      { type: "TEXT_MESSAGE_START" },
      { type: "TEXT_MESSAGE_CONTENT", delta: "二" },
      { type: "TEXT_MESSAGE_END" },
      finished,
    ),
    answer: "二",
    status: "ok",
  },
  { name: "standard AG-UI 1.0", bytes: standard(), answer: "标准协议", status: "ok" },
  {
    name: "message snapshot only",
    bytes: lines(
      {
        type: "MESSAGES_SNAPSHOT",
        messages: [
          { role: "user", content: "问" },
          { role: "assistant", content: "答" },
        ],
      },
      finished,
    ),
    answer: "答",
    status: "ok",
  },
  {
    name: "RUN_ERROR",
    bytes: lines(text("一半"), { type: "RUN_ERROR", message: "模型超时", code: "TIMEOUT" }),
    answer: "一半",
    status: "error",
    error: /模型超时.*TIMEOUT/,
  },
  {
    name: "RUN_ERROR then RUN_FINISHED",
    bytes: lines({ type: "RUN_ERROR", message: "坏了" }, finished),
    answer: "",
    status: "error",
    error: /坏了/,
  },
  {
    name: "no terminal event",
    bytes: lines(text("半句")),
    answer: "半句",
    status: "error",
    truncated: true,
    error: /RUN_FINISHED/,
  },
  {
    name: "cut inside an event",
    bytes: utf8.encode(`data: ${JSON.stringify(text("半句"))}\n\ndata: {"type":"TEXT_MES`),
    answer: "半句",
    status: "error",
    truncated: true,
  },
  {
    name: "JSON error body with status 200",
    bytes: utf8.encode('{"msg":"no permission","code":190004}'),
    answer: "",
    status: "error",
    truncated: true,
    error: /no permission.*190004/,
  },
  {
    name: "JSON error inside an event",
    bytes: lines({ msg: "no permission", code: 190004 }),
    answer: "",
    status: "error",
    error: /no permission.*190004/,
  },
  {
    name: "HTML login page",
    bytes: utf8.encode("<html><body>登录</body></html>"),
    answer: "",
    status: "error",
    truncated: true,
    error: /not an AG-UI stream/,
  },
  { name: "nothing at all", bytes: new Uint8Array(), answer: "", status: "error", truncated: true },
  {
    name: "broken UTF-8",
    bytes: Uint8Array.from([
      ...lines(text("好")),
      ...utf8.encode('data: {"type":"TEXT_MESSAGE_CONTENT","messageId":"m1","delta":"'),
      0xe5,
      0xa5,
      ...utf8.encode('"}\n\n'),
      ...lines(finished),
    ]),
    answer: "好\ufffd",
    status: "ok",
  },
];
