import { jsonrepair } from "jsonrepair";
import type * as z from "zod";

/** Why no usable JSON came out of a model's answer; `reason` goes back to the model when it is asked again. */
export class LlmJsonError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = "LlmJsonError";
  }
}

/** Removes reasoning blocks, an unclosed one included. */
function withoutThinking(text: string): string {
  return text
    .replace(/<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi, "")
    .replace(/^[\s\S]*<\/think(?:ing)?>/i, "")
    .replace(/<think(?:ing)?>[\s\S]*$/i, "");
}

function fenced(text: string): string[] {
  return [
    ...text.matchAll(/(?<![`~])(`{3,}|~{3,})[ \t]*[\w-]*[ \t]*\r?\n([\s\S]*?)(?:\r?\n[ \t]*\1|$)/g),
  ].map((m) => m[2] ?? "");
}

/** Brackets tried as the beginning of a value; a text with more unclosed ones is no JSON with prose around it. */
const MAX_STARTS = 200;

/** Every outermost balanced {...} or [...] of a text, brackets inside strings not counted; longest first. */
function balanced(text: string): string[] {
  const found: string[] = [];
  let tried = 0;
  for (let start = 0; start < text.length && tried < MAX_STARTS; start++) {
    const open = text[start];
    if (open !== "{" && open !== "[") continue;
    const end = closing(text, start);
    if (end < 0) {
      tried += 1;
      continue;
    }
    found.push(text.slice(start, end + 1));
    start = end;
  }
  return found.sort((a, b) => b.length - a.length);
}

function closing(text: string, start: number): number {
  const stack: string[] = [];
  let quoted = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (quoted) {
      if (char === "\\") i += 1;
      else if (char === '"') quoted = false;
      continue;
    }
    if (char === '"') quoted = true;
    else if (char === "{" || char === "[") stack.push(char === "{" ? "}" : "]");
    else if (char === "}" || char === "]") {
      if (stack.pop() !== char) return -1;
      if (stack.length === 0) return i;
    }
  }
  return -1;
}

/** Texts that may be the JSON, most literal first. */
function candidates(text: string): string[] {
  const bare = withoutThinking(text).trim();
  const blocks = fenced(bare);
  const all = [text.trim(), bare, ...blocks, ...balanced(bare), ...blocks.flatMap(balanced)];
  return [...new Set(all.filter((candidate) => /[[{]/.test(candidate)))];
}

/**
 * Gets a value of a given shape out of a model's answer: JSON.parse, without thinking, out of fences, by
 * balanced brackets, and only then repaired (trailing commas, single quotes, cut ends).
 *
 * @throws LlmJsonError with a reason the model can act on
 */
export function parseLlmJson<T>(text: string, schema: z.ZodType<T>): T {
  const tries = candidates(text);
  let reason = "the answer holds no JSON";
  const attempt = (source: string, read: (candidate: string) => unknown): { value: T } | undefined => {
    let raw: unknown;
    try {
      raw = read(source);
    } catch (error) {
      reason = `not valid JSON: ${error instanceof Error ? error.message : String(error)}`;
      return undefined;
    }
    const parsed = schema.safeParse(raw);
    if (parsed.success) return { value: parsed.data };
    reason = parsed.error.issues
      .slice(0, 5)
      .map((issue) => `${issue.path.join(".") || "(top level)"}: ${issue.message}`)
      .join("; ");
    return undefined;
  };
  for (const candidate of tries) {
    const result = attempt(candidate, (source) => JSON.parse(source));
    if (result) return result.value;
  }
  const plainReason = reason;
  for (const candidate of tries) {
    const result = attempt(candidate, (source) => JSON.parse(jsonrepair(source)));
    if (result) return result.value;
  }
  throw new LlmJsonError(tries.length === 0 ? reason : plainReason);
}
