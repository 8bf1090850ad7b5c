/** llm_input and llm_output: the host's own view of a turn, cut to the body cap. */
import { cutUtf8 } from "../body/body-fields.ts";
import { type Binding, commonFields, newBinding } from "../correlate/binding.ts";
import type { RunInfo } from "../correlate/calls.ts";
import type { TraceIds } from "../correlate/trace.ts";
import type { Purpose } from "../events.ts";
import type { Recorder } from "./recorder.ts";

/** What both hooks tell about where they come from. */
export interface HookOrigin {
  run: RunInfo;
  trace?: TraceIds;
  provider: string;
  model: string;
  purpose: Purpose;
}

export interface LlmInput {
  systemPrompt?: string;
  prompt: string;
  historyMessages: readonly unknown[];
  imagesCount: number;
  tools?: readonly unknown[];
}

export interface LlmOutput {
  assistantTexts: readonly string[];
  lastAssistant?: unknown;
  usage?: unknown;
  resolvedRef?: string;
}

function common(origin: HookOrigin, eventType: "llm_input" | "llm_output"): object {
  const { run, trace, purpose, provider, model } = origin;
  const binding: Binding = { ...newBinding(), run, purpose, ...(trace && { trace, correlation: "scope" }) };
  return { ...commonFields(binding, eventType, Date.now()), attemptId: null, provider, model };
}

export function writeLlmInput(recorder: Recorder, origin: HookOrigin, input: LlmInput): void {
  const { bodies, config } = recorder.context;
  const history = recorder.content ? newestWithin(input.historyMessages, config.maxBodyBytes) : [];
  const text = (value: string) => cutUtf8(bodies.redact(value, "text").text, config.maxBodyBytes);
  recorder.write(origin.run.sessionId, {
    ...common(origin, "llm_input"),
    prompt: recorder.content ? text(input.prompt) : null,
    systemPrompt: recorder.content && input.systemPrompt !== undefined ? text(input.systemPrompt) : null,
    promptLength: input.prompt.length,
    systemPromptLength: input.systemPrompt?.length ?? 0,
    historyCount: input.historyMessages.length,
    historyMessages: bodies.redactValue(history).value,
    historyOmitted: input.historyMessages.length - history.length,
    imagesCount: input.imagesCount,
    tools: (input.tools ?? []).flatMap((tool) => toolName(tool) ?? []),
  });
}

export function writeLlmOutput(recorder: Recorder, origin: HookOrigin, output: LlmOutput): void {
  const { bodies } = recorder.context;
  const kept = recorder.content
    ? { assistantTexts: output.assistantTexts, lastAssistant: output.lastAssistant ?? null }
    : {};
  recorder.write(origin.run.sessionId, {
    ...common(origin, "llm_output"),
    assistantTexts: null,
    lastAssistant: null,
    ...(bodies.redactValue(kept).value as object),
    usage: output.usage ?? null,
    resolvedRef: output.resolvedRef ?? null,
  });
}

/** The newest messages whose JSON fits the cap: a history is sent whole in the request body anyway. */
function newestWithin(messages: readonly unknown[], maxBytes: number): unknown[] {
  let size = 0;
  let first = messages.length;
  while (first > 0) {
    size += jsonLength(messages[first - 1]);
    if (size > maxBytes) break;
    first--;
  }
  return messages.slice(first);
}

/** Infinite for what cannot be serialised: it ends the history that is kept. */
function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

function toolName(tool: unknown): string | undefined {
  const name: unknown = typeof tool === "object" && tool !== null ? Reflect.get(tool, "name") : tool;
  return typeof name === "string" ? name : undefined;
}
