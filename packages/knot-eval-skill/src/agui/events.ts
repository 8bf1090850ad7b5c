import * as z from "zod";

/**
 * One AG-UI event in our own small vocabulary. Knot's dialect and the AG-UI 1.0 standard
 * (https://docs.ag-ui.com/concepts/events) both map to it.
 */
export type RunEvent =
  | { kind: "text"; messageId: string | undefined; text: string; role: string | undefined }
  | { kind: "message_start"; messageId: string | undefined; role: string | undefined }
  | { kind: "thinking"; text: string }
  | { kind: "tool_start"; callId: string; name: string }
  | { kind: "tool_args"; callId: string; text: string }
  | { kind: "tool_result"; callId: string; content: unknown }
  | { kind: "usage"; usage: TokenUsage; final: boolean }
  | { kind: "snapshot"; messages: { role: string; text: string }[] }
  | { kind: "error"; message: string; code: string | undefined }
  | { kind: "finished"; usage: TokenUsage | undefined }
  /** The run stopped to ask a human something: there is no answer to score. */
  | { kind: "interrupted"; message: string }
  | { kind: "other"; type: string };

/** Tokens as the provider counted them. */
export interface TokenUsage {
  input: number;
  output: number;
  total: number;
}

const record = z.record(z.string(), z.unknown());
type Dict = z.infer<typeof record>;

/** `TextMessageContent`, `textMessageContent` and `TEXT_MESSAGE_CONTENT` are the same type. */
export function canonicalType(type: string): string {
  return type
    .trim()
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s-]+/g, "_")
    .toUpperCase();
}

function dict(value: unknown): Dict | undefined {
  const parsed = record.safeParse(value);
  return parsed.success && !Array.isArray(value) ? parsed.data : undefined;
}

function text(...candidates: unknown[]): string | undefined {
  return candidates.find((value): value is string => typeof value === "string");
}

function count(...candidates: unknown[]): number | undefined {
  for (const value of candidates) {
    const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof number === "number" && Number.isFinite(number) && number >= 0) return number;
  }
  return undefined;
}

function usageFrom(source: Dict | undefined): TokenUsage | undefined {
  if (!source) return undefined;
  const input = count(source.prompt_tokens, source.input_tokens, source.promptTokens, source.inputTokens);
  const output = count(
    source.completion_tokens,
    source.output_tokens,
    source.completionTokens,
    source.outputTokens,
  );
  const total = count(source.total_tokens, source.totalTokens);
  if (input === undefined && output === undefined && total === undefined) return undefined;
  return { input: input ?? 0, output: output ?? 0, total: total ?? (input ?? 0) + (output ?? 0) };
}

/** The sum of two counts, either of which may be unknown. */
export function addUsage(a: TokenUsage | undefined, b: TokenUsage | undefined): TokenUsage | undefined {
  if (!a || !b) return a ?? b;
  return { input: a.input + b.input, output: a.output + b.output, total: a.total + b.total };
}

/** One usage block, or AG-UI 1.0's list of blocks, one for each provider and model. */
function usageIn(value: unknown): TokenUsage | undefined {
  if (!Array.isArray(value)) return usageFrom(dict(value));
  return value.map((part) => usageFrom(dict(part))).reduce(addUsage, undefined);
}

/** Finds a usage block where platforms are known to put it. */
function findUsage(event: Dict): TokenUsage | undefined {
  const raw = dict(event.rawEvent) ?? dict(event.raw_event);
  const result = dict(event.result);
  for (const holder of [raw, event, result]) {
    if (!holder) continue;
    for (const key of ["usage", "token_usage", "tokenUsage"]) {
      const usage = usageIn(holder[key]);
      if (usage) return usage;
    }
    const flat = usageFrom(holder);
    if (flat) return flat;
  }
  return undefined;
}

/** AG-UI 1.0: a run that finished with `outcome` interrupt or cancelled gave no complete answer. */
function unfinishedBecause(outcome: unknown): string | undefined {
  switch (text(outcome, dict(outcome)?.type)) {
    case "interrupt":
      return "the agent stopped to ask for a decision (outcome interrupt)";
    case "cancelled":
      return "the run was cancelled (outcome cancelled)";
    default:
      return undefined;
  }
}

function messageText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => text(dict(part)?.text) ?? "").join("");
}

/** Text of a content event: rawEvent.content, else delta, else content; never two of them. */
function deltaText(event: Dict, raw: Dict | undefined): string {
  return (
    ([raw?.content, event.delta, event.content].find((value) => typeof value === "string" && value !== "") as
      | string
      | undefined) ?? ""
  );
}

/**
 * Reads one parsed JSON payload.
 *
 * @param fallbackType the SSE `event:` name, for servers that put the type there
 */
export function readEvent(payload: unknown, fallbackType = ""): RunEvent {
  const event = dict(payload);
  if (!event) return { kind: "other", type: fallbackType };
  const raw = dict(event.rawEvent) ?? dict(event.raw_event);
  const type = canonicalType(text(event.type, raw?.type) ?? fallbackType);
  const messageId = text(event.messageId, event.message_id, raw?.message_id, raw?.messageId);
  const callId = text(event.toolCallId, event.tool_call_id, raw?.tool_call_id, raw?.toolCallId) ?? "";
  const role = text(event.role, raw?.role);
  if (type.startsWith("THINKING") || type.startsWith("REASONING")) {
    return { kind: "thinking", text: deltaText(event, raw) };
  }
  const unfinished = unfinishedBecause(event.outcome);
  // A subagent's words go to the agent that called it; only the agent's own are the answer.
  if (type.startsWith("TEXT_MESSAGE") && text(event.subagentRunId) !== undefined)
    return { kind: "other", type };
  switch (type) {
    case "TEXT_MESSAGE_START":
      return { kind: "message_start", messageId, role };
    case "TEXT_MESSAGE_CONTENT":
    case "TEXT_MESSAGE_CHUNK":
      return { kind: "text", messageId, role, text: deltaText(event, raw) };
    case "TOOL_CALL_START":
      return {
        kind: "tool_start",
        callId,
        name: text(event.toolCallName, event.tool_call_name, raw?.name, event.name) ?? "",
      };
    case "TOOL_CALL_CHUNK":
    case "TOOL_CALL_ARGS":
      return { kind: "tool_args", callId, text: text(event.delta, raw?.args) ?? "" };
    case "TOOL_CALL_RESULT":
      return {
        kind: "tool_result",
        callId,
        content: event.content ?? raw?.content ?? raw?.result ?? event.result,
      };
    case "STEP_FINISHED": {
      const usage = findUsage(event);
      return usage ? { kind: "usage", usage, final: false } : { kind: "other", type };
    }
    case "RUN_FINISHED":
      if (unfinished !== undefined) return { kind: "interrupted", message: unfinished };
      return { kind: "finished", usage: findUsage(event) };
    case "RUN_ERROR": {
      const code = event.code ?? raw?.code;
      const message =
        text(event.message, raw?.message, raw?.msg, event.msg, event.error) ??
        "the agent reported an error without a message";
      return { kind: "error", message, code: code === undefined || code === null ? undefined : String(code) };
    }
    case "MESSAGES_SNAPSHOT": {
      const list = Array.isArray(event.messages) ? event.messages : [];
      const messages = list.flatMap((item) => {
        const message = dict(item);
        return message ? [{ role: text(message.role) ?? "", text: messageText(message.content) }] : [];
      });
      return { kind: "snapshot", messages };
    }
    default:
      return { kind: "other", type };
  }
}
