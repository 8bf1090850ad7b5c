/** What the session page shows, as plain data. */
import type { Attempt } from "../read/attempt.ts";
import { requestBody } from "../read/attempt.ts";
import { diffPrompts } from "../read/prompt-diff.ts";
import { messagesOf } from "../read/request-messages.ts";

export interface PageCall {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  model: string;
  purpose: string;
  outcome: string;
  ok: boolean;
  status: number | null;
  ttfbMs: number | null;
  durationMs: number | null;
  tokens: string;
  cost: string;
  error: string;
  messages: { role: string; text: string }[];
  answer: { text: string; thinking: string; tools: { name: string; args: string }[] };
  raw: { title: string; text: string }[];
  diff: { verdict: string; note: string; before: string; after: string } | null;
}

export interface PageData {
  session: string;
  generatedAt: string;
  calls: PageCall[];
}

/** Builds the page's data. @param attempts of one session, oldest first, traffic loaded. */
export function pageData(session: string, attempts: readonly Attempt[]): PageData {
  const lastOfModel = new Map<string, Attempt>();
  const calls = attempts.map((attempt) => {
    const lane = `${attempt.call.provider}\n${attempt.call.model}\n${attempt.call.purpose}`;
    const before = lastOfModel.get(lane);
    lastOfModel.set(lane, attempt);
    return pageCall(attempt, before);
  });
  return { session, generatedAt: new Date().toISOString(), calls };
}

function pageCall(attempt: Attempt, before: Attempt | undefined): PageCall {
  const { call, traffic } = attempt;
  const { usage, message } = call;
  const body = requestBody(attempt);
  return {
    id: call.attemptId,
    at: call.at,
    model: `${call.provider ?? "?"}/${call.model ?? "?"}`,
    purpose: call.purpose,
    outcome: call.outcome,
    ok: call.outcome === "ok",
    status: call.status,
    ttfbMs: call.ttfbMs,
    durationMs: call.durationMs,
    tokens: usage ? `${usage.input + usage.cacheWrite} + ${usage.cacheRead} cached → ${usage.output}` : "",
    cost: call.costUsd === null ? "" : `$${call.costUsd.toPrecision(3)}`,
    error: call.error ?? "",
    messages: body ? messagesOf(body.text) : [],
    answer: {
      text: message?.text ?? "",
      thinking: message?.thinking ?? "",
      tools: (message?.toolCalls ?? []).map((tool) => ({
        name: tool.name,
        args: JSON.stringify(tool.arguments, null, 2),
      })),
    },
    raw: traffic.map((record) => ({
      title:
        `${record.eventType} ${String(record.method ?? record.status ?? "")} ${String(record.url ?? "")}`.trim(),
      text: `${Object.entries(record.headers ?? {})
        .map(([name, value]) => `${name}: ${String(value)}`)
        .join("\n")}\n\n${typeof record.body === "string" ? record.body : ""}`.trim(),
    })),
    diff: diffTo(before, attempt),
  };
}

function diffTo(before: Attempt | undefined, attempt: Attempt): PageCall["diff"] {
  const from = before && requestBody(before);
  const to = requestBody(attempt);
  if (!from || !to) return null;
  const diff = diffPrompts(from.text, to.text);
  const where =
    diff.verdict === "changed"
      ? `${diff.path} (byte ${diff.commonBytes})`
      : `${diff.items.old} → ${diff.items.new} messages`;
  const parts = diff.changedParts.length > 0 ? `; ${diff.changedParts.join(", ")}` : "";
  return {
    verdict: diff.verdict,
    note: `${where}${parts}; ${diff.commonBytes} of ${diff.oldBytes} bytes shared`,
    before: diff.oldAround,
    after: diff.newAround,
  };
}
