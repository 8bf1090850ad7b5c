import { z } from "zod";
import { ID_PATTERN, MAX_CONTENT, MAX_TASK } from "../record/schema.ts";
import { type Language, MESSAGES } from "./messages.ts";

/** Models often send one type as text, or several with commas; a list is what is meant. */
const stringList = z.preprocess(
  (value) =>
    typeof value === "string"
      ? value
          .split(/[,，]/)
          .map((v) => v.trim())
          .filter(Boolean)
      : value,
  z.array(z.string().min(1).max(100)).max(50),
);
/** Numbers that a model wrote as text. */
const numeric = (schema: z.ZodNumber) =>
  z.preprocess(
    (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : (value ?? undefined)),
    schema.optional(),
  );
const optional = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => value ?? undefined, schema.optional());
const required = (max: number) => z.string().trim().min(1).max(max);

export const searchArguments = z.object({
  query: required(4_000),
  top_k: numeric(z.number().int().min(1).max(20)),
  min_score: numeric(z.number().min(1).max(5)),
  types: optional(stringList),
  owner: optional(z.string().max(2_000)),
});

export const saveArguments = z.object({
  task: required(MAX_TASK),
  content: required(MAX_CONTENT),
  types: stringList.refine((list) => list.length > 0, { error: "at least one" }),
  score: numeric(z.number().min(1).max(5)),
  source_name: optional(z.string().max(500)),
  source_urls: optional(
    z.preprocess((v) => (typeof v === "string" ? [v] : v), z.array(z.string().max(4_000)).max(100)),
  ),
});

export const updateArguments = z.object({
  knowledge_id: required(200).refine((id) => ID_PATTERN.test(id), { error: "ID?" }),
  is_helpful: z.preprocess((v) => (v === "true" ? true : v === "false" ? false : v), z.boolean()),
  feedback: optional(z.string().max(20_000)),
});

/** What is wrong with one argument, in the user's language. */
function problem(issue: z.core.$ZodIssue, m: (typeof MESSAGES)[Language]): string {
  if (issue.code === "too_big") return m.atMost(String(issue.maximum), issue.origin);
  if (issue.code === "too_small") return m.atLeast(String(issue.minimum), issue.origin);
  if (issue.code === "invalid_type") return m.kind(issue.expected);
  return issue.code === "custom" && issue.message === "ID?" ? m.notAnId : issue.message;
}

/**
 * Reads a tool's arguments.
 *
 * @returns the arguments, or one message that names everything missing or wrong in the user's language.
 */
export function readArguments<T extends z.ZodObject>(
  schema: T,
  params: unknown,
  language: Language,
): { ok: true; args: z.infer<T> } | { ok: false; message: string } {
  const result = schema.safeParse(params ?? {});
  if (result.success) return { ok: true, args: result.data };
  const m = MESSAGES[language];
  const given = typeof params === "object" && params !== null ? (params as Record<string, unknown>) : {};
  const missing = new Set<string>();
  const wrong: string[] = [];
  for (const issue of result.error.issues) {
    const name = String(issue.path[0] ?? "?");
    const value = given[name];
    const empty =
      value === undefined ||
      value === null ||
      (typeof value === "string" && value.trim() === "") ||
      (Array.isArray(value) && value.length === 0);
    if (empty) missing.add(name);
    else wrong.push(name === "score" ? m.scoreRange : m.wrong(name, problem(issue, m)));
  }
  const parts = [...(missing.size > 0 ? [m.missing([...missing].join(", "))] : []), ...wrong];
  return { ok: false, message: parts.join("; ") };
}
