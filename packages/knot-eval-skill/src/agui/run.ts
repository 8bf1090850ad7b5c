import { describeErrorBody, saysFailure, shortened } from "./errors.ts";
import { addUsage, canonicalType, type RunEvent, readEvent, type TokenUsage } from "./events.ts";
import { SseDecoder, type SseEvent } from "./sse.ts";

/** A tool call of the agent, kept as evidence of what it retrieved. */
export interface ToolCall {
  id: string;
  name: string;
  args: string;
  result: unknown;
}

/** What one run of the agent said, whatever dialect the stream had. */
export interface RunOutcome {
  /** `ok` only after a terminal event and without RUN_ERROR. */
  status: "ok" | "error";
  /** The answer to score; present for an error too, when some text came before it. */
  answer: string;
  thinking: string;
  toolCalls: ToolCall[];
  usage: TokenUsage | undefined;
  /** Why the run is an error. */
  error: string | undefined;
  /** True when the stream ended without a terminal event. */
  truncated: boolean;
  /** Number of SSE events with a readable payload. */
  events: number;
}

export interface ReadOptions {
  answerMessages: "last" | "all";
}

interface Message {
  id: string | undefined;
  role: string | undefined;
  text: string;
}

const HEAD_LIMIT = 64 * 1024;

/** Some models put their reasoning into the text as a leading think block; it is not part of the answer. */
function splitThinking(text: string): { answer: string; thinking: string } {
  const match = /^\s*<think(?:ing)?>([\s\S]*?)(?:<\/think(?:ing)?>|$)/i.exec(text);
  return match
    ? { answer: text.slice(match[0].length), thinking: match[1] ?? "" }
    : { answer: text, thinking: "" };
}

/**
 * Collects one run from the bytes of its HTTP body.
 *
 * Push bytes as they come, then call `finish()`. The outcome depends on the bytes only, not on how they
 * were cut into chunks.
 */
export class RunReader {
  #decoder = new SseDecoder();
  #options: ReadOptions;
  #head = "";
  #headDecoder = new TextDecoder("utf-8");
  #messages: Message[] = [];
  #byId = new Map<string, Message>();
  #snapshot: Message[] = [];
  #thinking = "";
  #tools = new Map<string, ToolCall>();
  #lastTool = "";
  #usage: TokenUsage | undefined;
  #finalUsage: TokenUsage | undefined;
  #error: string | undefined;
  #finished = false;
  /** `[DONE]` was seen: the stream is complete, but whether the agent spoke is another question. */
  #done = false;
  #agentEvents = 0;
  #events = 0;
  #unreadable = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  /** @returns true when the bytes completed at least one event */
  push(bytes: Uint8Array): boolean {
    if (this.#events === 0 && this.#head.length < HEAD_LIMIT)
      this.#head += this.#headDecoder.decode(bytes, { stream: true });
    return this.#takeAll(this.#decoder.push(bytes));
  }

  /** A terminal event was seen; nothing that follows can change the answer. */
  get terminal(): boolean {
    return this.#finished || this.#done || this.#error !== undefined;
  }

  /** Ends the stream and returns the outcome. @param cut why the connection ended early, if it did */
  finish(cut?: string): RunOutcome {
    this.#takeAll(this.#decoder.end());
    const body = splitThinking(this.#answerText());
    // [DONE] alone ends nothing: without one event of an agent there was no run.
    const ended = this.#finished || (this.#done && this.#agentEvents > 0);
    const truncated = !ended && this.#error === undefined;
    let error = this.#error;
    if (error === undefined && truncated) error = this.#truncationReason(cut);
    return {
      status: error === undefined ? "ok" : "error",
      answer: body.answer.trim(),
      thinking: (this.#thinking + body.thinking).trim(),
      toolCalls: [...this.#tools.values()],
      usage: this.#usage ?? this.#finalUsage,
      error,
      truncated,
      events: this.#events,
    };
  }

  #truncationReason(cut: string | undefined): string {
    if (cut !== undefined) return cut;
    const said = this.#head.replace(/^:.*$/gm, "").trim();
    if (this.#events === 0 && said !== "") {
      return `the reply is not an AG-UI stream: ${describeErrorBody(said.slice(0, HEAD_LIMIT))}`;
    }
    const lost = this.#unreadable > 0 ? `, ${this.#unreadable} unreadable event(s)` : "";
    return `the stream ended without RUN_FINISHED after ${this.#events} event(s)${lost}`;
  }

  #answerText(): string {
    const spoken = (list: Message[]) =>
      list.filter((m) => (m.role === undefined || m.role === "assistant") && m.text.trim() !== "");
    const streamed = spoken(this.#messages);
    const messages = streamed.length > 0 ? streamed : spoken(this.#snapshot);
    if (this.#options.answerMessages === "all") return messages.map((m) => m.text.trim()).join("\n\n");
    return messages.at(-1)?.text ?? "";
  }

  #takeAll(events: SseEvent[]): boolean {
    for (const event of events) this.#take(event);
    return events.length > 0;
  }

  #take(event: SseEvent): void {
    const data = event.data.trim();
    if (data === "") return;
    if (data === "[DONE]") {
      this.#events += 1;
      this.#done = true;
      return;
    }
    let payload: unknown;
    try {
      payload = JSON.parse(data);
    } catch {
      this.#unreadable += 1;
      if (canonicalType(event.name) === "ERROR") this.#error ??= describeErrorBody(data);
      return;
    }
    this.#events += 1;
    this.#apply(readEvent(payload, event.name), payload);
  }

  #message(id: string | undefined, role: string | undefined): Message {
    const known = id === undefined ? this.#messages.at(-1) : this.#byId.get(id);
    if (known) {
      known.role ??= role;
      return known;
    }
    const created: Message = { id, role, text: "" };
    this.#messages.push(created);
    if (id !== undefined) this.#byId.set(id, created);
    return created;
  }

  #tool(id: string): ToolCall {
    const key = id === "" ? this.#lastTool || `call-${this.#tools.size + 1}` : id;
    this.#lastTool = key;
    const known = this.#tools.get(key);
    if (known) return known;
    const created: ToolCall = { id: key, name: "", args: "", result: undefined };
    this.#tools.set(key, created);
    return created;
  }

  #apply(event: RunEvent, payload: unknown): void {
    if (event.kind !== "other" || event.type !== "") this.#agentEvents += 1;
    switch (event.kind) {
      case "message_start":
        // A start without an id (or with a new one) opens a new message even when the last one had none.
        if (event.messageId === undefined) this.#messages.push({ id: undefined, role: event.role, text: "" });
        else this.#message(event.messageId, event.role);
        break;
      case "text":
        this.#message(event.messageId, event.role).text += event.text;
        break;
      case "thinking":
        this.#thinking += event.text;
        break;
      case "tool_start":
        if (event.callId === "") this.#lastTool = "";
        this.#tool(event.callId).name = event.name;
        break;
      case "tool_args":
        this.#tool(event.callId).args += event.text;
        break;
      case "tool_result":
        this.#tool(event.callId).result = event.content;
        break;
      case "usage":
        this.#usage = addUsage(this.#usage, event.usage);
        break;
      case "snapshot":
        this.#snapshot = event.messages.map((m) => ({ id: undefined, role: m.role, text: m.text }));
        break;
      case "error":
        this.#error ??= `${shortened(event.message)}${event.code ? ` (code ${event.code})` : ""}`;
        break;
      case "finished":
        this.#finished = true;
        this.#finalUsage = event.usage ?? this.#finalUsage;
        break;
      case "interrupted":
        this.#error ??= event.message;
        break;
      case "other":
        this.#takeErrorPayload(event.type, payload);
        break;
    }
  }

  /** A JSON error sent as an event without a type: `data: {"msg":"no permission","code":190004}`. */
  #takeErrorPayload(type: string, payload: unknown): void {
    if (typeof payload !== "object" || payload === null || "rawEvent" in payload) return;
    if (type !== "" && type !== "MESSAGE" && type !== "ERROR") return;
    if (type === "ERROR" || saysFailure(payload as Record<string, unknown>))
      this.#error ??= describeErrorBody(JSON.stringify(payload));
  }
}

/** Reads a recorded stream in one go. */
export function readRun(bytes: Uint8Array, options: ReadOptions = { answerMessages: "last" }): RunOutcome {
  const reader = new RunReader(options);
  reader.push(bytes);
  return reader.finish();
}
