/** The same numbers as the dashboard's, computed from nothing but what the recording servers saw and sent. */
import type { ModelServer, RecordedRequest } from "../harness/index.ts";

/** A placeholder of ClawXRouter in a body. */
const PLACEHOLDER = /\[(REDACTED|PRIVATE):[A-Z][A-Z0-9_]*_\d+\]/;
/** What a test puts into each of its turns. */
export const MARK = /turn-\d{4}/;

export interface Seen {
  provider: string;
  model: string;
  route: "cloud" | "redacted" | "local";
  level: "S1" | "S2" | "S3";
  failed: boolean;
  input: number;
  output: number;
  cacheRead: number;
  /** Mark of the turn that it belongs to. */
  mark: string | undefined;
  /** The turn's own text as it came here. */
  said: string;
}

interface ChatBody {
  model?: string;
  messages?: { role?: string; content?: unknown }[];
}
interface UsageBody {
  prompt_tokens?: number;
  completion_tokens?: number;
  prompt_tokens_details?: { cached_tokens?: number };
}

export function seenBy(provider: string, server: ModelServer): Seen[] {
  return server.requests
    .filter((request) => request.method === "POST" && request.url.includes("/chat/completions"))
    .map((request) => seen(provider, request));
}

function seen(provider: string, request: RecordedRequest): Seen {
  const body = request.json as ChatBody;
  const local = provider === "local";
  const word = PLACEHOLDER.exec(request.body)?.[1];
  const hidden = /\[PRIVATE:[A-Z][A-Z0-9_]*_\d+\]/.test(request.body)
    ? "S3"
    : word === undefined
      ? "S1"
      : "S2";
  const said =
    (body.messages ?? [])
      .filter((message) => message.role === "user")
      .map((message) => textOf(message.content))
      .findLast((text) => MARK.test(text)) ?? "";
  const usage = usageOf(request.sent.toString("utf8"));
  return {
    provider,
    model: body.model ?? "",
    route: local ? "local" : word === undefined ? "cloud" : "redacted",
    // A local model is only ever asked what a cloud one may not see.
    level: local ? "S3" : hidden,
    failed: request.status !== 200,
    input: usage?.prompt_tokens ?? 0,
    output: usage?.completion_tokens ?? 0,
    cacheRead: usage?.prompt_tokens_details?.cached_tokens ?? 0,
    mark: MARK.exec(said)?.[0],
    said,
  };
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part: { text?: string }) => part.text ?? "").join("\n");
}

/** The last usage that a body or a stream tells. */
function usageOf(sent: string): UsageBody | undefined {
  const documents = sent.includes("data: ")
    ? [...sent.matchAll(/^data: (\{.*\})$/gm)].map((match) => match[1] ?? "")
    : [sent];
  return documents
    .flatMap((text) => {
      try {
        return [(JSON.parse(text) as { usage?: UsageBody }).usage];
      } catch {
        return [];
      }
    })
    .findLast((usage) => usage !== undefined);
}

/** What a turn was, by where its text arrived and in what form. */
export function turnsOf(
  requests: readonly Seen[],
): Map<string, { level: "S1" | "S2" | "S3"; route: Seen["route"] }> {
  const turns = new Map<string, { level: "S1" | "S2" | "S3"; route: Seen["route"] }>();
  for (const { mark, said, provider } of requests) {
    if (mark === undefined) continue;
    if (provider === "local") turns.set(mark, { level: "S3", route: "local" });
    else if (!turns.has(mark))
      turns.set(
        mark,
        PLACEHOLDER.test(said) ? { level: "S2", route: "redacted" } : { level: "S1", route: "cloud" },
      );
  }
  return turns;
}

export interface PricePerMillion {
  input: number;
  output: number;
  cacheRead: number;
}

export function usdOf(
  { input, output, cacheRead }: Pick<Seen, "input" | "output" | "cacheRead">,
  price: PricePerMillion,
): number {
  return ((input - cacheRead) * price.input + cacheRead * price.cacheRead + output * price.output) / 1e6;
}

export function count<T extends string>(names: readonly T[], all: readonly T[]): Record<T, number> {
  return Object.fromEntries(
    names.map((name) => [name, all.filter((item) => item === name).length]),
  ) as Record<T, number>;
}

export function total(requests: readonly Seen[], field: "input" | "output" | "cacheRead"): number {
  return requests.reduce((sum, request) => sum + request[field], 0);
}
