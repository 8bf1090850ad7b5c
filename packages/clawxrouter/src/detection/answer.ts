/** Reads a small model's answer: JSON where it kept to it, and JSON among prose, fences and thoughts where not. */
import { type Finding, type Level, maxLevel, type PrivateLevel } from "@clawx/shared-security";

/** What the model is asked for; sent as a JSON schema to servers that enforce one. */
export const ANSWER_SCHEMA = {
  type: "object",
  additionalProperties: false,
  required: ["level", "reason", "entities"],
  properties: {
    level: { type: "string", enum: ["S1", "S2", "S3"] },
    reason: { type: "string" },
    entities: {
      type: "array",
      items: {
        type: "object",
        additionalProperties: false,
        required: ["text", "type"],
        properties: { text: { type: "string" }, type: { type: "string" } },
      },
    },
  },
} as const;

export interface Answer {
  level: Level;
  reason: string;
  entities: readonly { text: string; type: string }[];
}

/**
 * Of several answers the strictest holds: a model that quotes the text it was given may quote an "answer" that
 * somebody has planted there.
 * @returns undefined when the text holds no answer
 */
export function parseAnswer(text: string): Answer | undefined {
  const body = text.replace(/<think(?:ing)?>[\s\S]*?(?:<\/think(?:ing)?>|$)/gi, "");
  let strictest: Answer | undefined;
  for (const candidate of jsonObjects(body)) {
    const answer = asAnswer(candidate);
    if (answer === undefined) continue;
    if (strictest === undefined || maxLevel(answer.level, strictest.level) !== strictest.level)
      strictest = answer;
  }
  return strictest;
}

/** Most of an answer that is read, from its end, in UTF-16 units. */
const MOST_READ = 64 * 1024;
/** Most places at which an object may begin. */
const MOST_TRIES = 300;

/** Every balanced `{…}` of the text that parses, outermost and leftmost first. */
export function* jsonObjects(all: string): Generator<Record<string, unknown>> {
  // An answer comes last, and is short: garbage must not cost more than it is worth.
  const text = all.slice(-MOST_READ);
  let tries = MOST_TRIES;
  for (let start = text.indexOf("{"); start >= 0; start = text.indexOf("{", start + 1)) {
    tries -= 1;
    if (tries < 0) return;
    const end = closing(text, start);
    if (end < 0) continue;
    try {
      const value: unknown = JSON.parse(text.slice(start, end + 1));
      if (typeof value === "object" && value !== null) {
        yield value as Record<string, unknown>;
        start = end;
      }
    } catch {
      // Not an object after all: the next brace may open one.
    }
  }
}

function closing(text: string, start: number): number {
  let depth = 0;
  let quoted = false;
  for (let i = start; i < text.length; i++) {
    const c = text[i];
    if (quoted) {
      if (c === "\\") i++;
      else if (c === '"') quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === "{") depth++;
    else if (c === "}" && --depth === 0) return i;
  }
  return -1;
}

function asAnswer(value: Record<string, unknown>): Answer | undefined {
  const told = String(value.level ?? value.sensitivity ?? "");
  if (!/^\s*S?[123]\b/i.test(told)) return undefined;
  // `S1 | S2 | S3`, as a model that repeats the question answers, is no S1.
  const level = [...told.matchAll(/\bS?([123])\b/gi)]
    .map(([, digit = ""]) => digit)
    .sort()
    .at(-1);
  const entities = Array.isArray(value.entities) ? value.entities : [];
  return {
    level: `S${level}` as Level,
    reason: typeof value.reason === "string" ? value.reason.slice(0, 200) : "",
    entities: entities.flatMap((entity: unknown) => {
      if (typeof entity === "string") return [{ text: entity, type: "OTHER" }];
      const { text, type } = (entity ?? {}) as { text?: unknown; type?: unknown };
      return typeof text === "string" ? [{ text, type: typeof type === "string" ? type : "OTHER" }] : [];
    }),
  };
}

/**
 * The places of the named entities, verified: only what truly stands in the text counts, and every place of it.
 * @param offset where the window starts in the whole text
 */
export function entityFindings(answer: Answer, window: string, offset: number): Finding[] {
  const findings: Finding[] = [];
  const entities = [...answer.entities].sort((a, b) => b.text.length - a.text.length);
  for (const { text, type } of entities) {
    if (text.trim().length < 2) continue;
    const name =
      type
        .toUpperCase()
        .replace(/[^A-Z0-9]+/g, "_")
        .slice(0, 32) || "OTHER";
    const level: PrivateLevel = name === "SECRET" ? "S3" : "S2";
    for (let at = window.indexOf(text); at >= 0; at = window.indexOf(text, at + text.length)) {
      const start = offset + at;
      const end = start + text.length;
      if (findings.some((other) => start < other.end && other.start < end)) continue;
      findings.push({
        start,
        end,
        type: name,
        level,
        rule: "local-model/entity",
        confidence: 0.8,
        value: text,
      });
    }
  }
  return findings.sort((a, b) => a.start - b.start);
}
