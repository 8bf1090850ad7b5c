import type { RecordedRequest } from "./server.ts";

/** A tool call a scripted model makes. */
export interface ToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** What a scripted model answers. */
export interface Reply {
  text?: string;
  thinking?: string;
  toolCalls?: ToolCall[];
  /** How the text is cut into stream deltas; default: at spaces. */
  deltas?: string[];
  /** HTTP status; from 400 on the protocol's own error body is sent. */
  status?: number;
  headers?: Record<string, string>;
  /** Before the first byte. */
  delayMs?: number;
  /** Between two stream frames. */
  chunkDelayMs?: number;
  /** Destroy the socket after so many stream frames. */
  cutAfter?: number;
  /** Destroy the socket without an answer. */
  refuse?: boolean;
  /** Sent as it is, whatever the protocol says. */
  raw?: Buffer | string;
  usage?: { input: number; output: number };
}

/** A request in the terms all protocols share. */
export interface ProtocolRequest {
  kind: "chat" | "embeddings" | "models";
  model: string;
  stream: boolean;
  /** The text of the last message the user wrote: the host appends messages of its own with the role `user`. */
  lastUserText: string;
  /** Every message text in order, tool results included. */
  texts: { role: string; text: string }[];
  /** Names of the tools offered. */
  tools: string[];
  /** Inputs of an embeddings request. */
  inputs: string[];
  /** True when tool results stand after the last user text: the model has been called back. */
  afterTool: boolean;
}

/** One wire protocol: how to read a request and how to write an answer. */
export interface Protocol {
  name: string;
  matches(request: RecordedRequest): boolean;
  read(request: RecordedRequest): ProtocolRequest;
  write(request: ProtocolRequest, reply: Reply): { contentType: string; chunks: string[] };
  error(status: number, message: string): string;
}

/** `text` cut at spaces, the spaces kept, as models stream it. */
export function wordDeltas(reply: Reply): string[] {
  if (reply.deltas) return reply.deltas;
  return reply.text ? (reply.text.match(/\S+\s*|\s+/g) ?? []) : [];
}

/** Usage as reported by a scripted model: counted from the text so that it is the same on every run. */
export function usageOf(request: ProtocolRequest, reply: Reply): { input: number; output: number } {
  if (reply.usage) return reply.usage;
  const characters = request.texts.reduce((sum, t) => sum + t.text.length, 0);
  return {
    input: Math.ceil(characters / 4),
    output: Math.ceil((reply.text?.length ?? 0) / 4) + (reply.toolCalls?.length ?? 0) * 10,
  };
}

/** The text of a message content: a string, or parts with `text`. */
export function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((part: unknown) =>
      part && typeof part === "object" && "text" in part && typeof part.text === "string" ? part.text : "",
    )
    .join("\n");
}

/** How the messages start that the host itself adds with the role `user` (seen on 2026.9.6). */
const HOST_CONTEXT = "<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>";

/** What a plugin of ours may put before the user's words with prependContext. */
const REMINDER = /<knowhub-reminder>[\s\S]*?<\/knowhub-reminder>\s*/;

/** What the host puts around the user's own words: a time stamp before, a line on the runtime after. */
const HOST_TIME = /^\[[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d [A-Z]+\] /;
const HOST_RUNTIME = /\n\nRuntime: agent=[^\n]*$/;

/** `lastUserText` and `afterTool` from all texts of a request, in order. */
export function readTurn(
  texts: ProtocolRequest["texts"],
  toolRole: string,
): Pick<ProtocolRequest, "lastUserText" | "afterTool"> {
  const last = texts.findLastIndex((t) => t.role === "user" && !t.text.trimStart().startsWith(HOST_CONTEXT));
  const text = texts[last]?.text ?? "";
  return {
    lastUserText: text.replace(REMINDER, "").replace(HOST_TIME, "").replace(HOST_RUNTIME, ""),
    afterTool: texts.slice(last + 1).some((t) => t.role === toolRole),
  };
}
