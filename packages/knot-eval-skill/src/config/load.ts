import path from "node:path";
import { load, YAMLException } from "js-yaml";
import * as z from "zod";
import { configError, StageError } from "../exit-codes.ts";
import { readText } from "../files/text.ts";
import { configSchema, type EvalConfig } from "./schema.ts";

/** One thing that is wrong in the file, with the full path of the field. */
export interface ConfigIssue {
  path: string;
  kind: "missing" | "invalid";
  message: string;
}

/** A loaded configuration, the folder its relative paths start from, and remarks that stop nothing. */
export interface LoadedConfig {
  config: EvalConfig;
  file: string;
  baseDir: string;
  warnings: string[];
}

/** REQUIRED fields in the order of the example file. A group needs one of its members. */
export const REQUIRED_FIELDS: readonly (readonly string[])[] = [
  ["agent.knot_url"],
  ["agent.agent_id"],
  ["agent.username"],
  ["agent.api_token", "agent.api_token_env"],
  ["agent.model"],
  ["agent.temperature"],
  ["agent.agent_name"],
  ["report.question_source"],
  ["agent.kb_mcp.url"],
  ["agent.kb_mcp.api_token_env"],
  ["agent.kb_mcp.knowledge_uuid"],
  ["agent.llm.base_url"],
  ["agent.llm.api_key_env"],
  ["agent.llm.model"],
];

/** Fields whose value is an identifier: an unquoted `1234e56` or `0012` reaches us as a number. */
const STRING_FIELDS = [
  "agent.agent_id",
  "agent.username",
  "agent.api_token",
  "agent.model",
  "agent.agent_name",
  "agent.kb_mcp.knowledge_uuid",
  "agent.kb_mcp.search_domain",
  "agent.llm.model",
  "report.question_source",
  "eval.prompt_version",
] as const;

type Tree = Record<string, unknown>;

function isTree(value: unknown): value is Tree {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function at(tree: unknown, dotted: string): unknown {
  let node = tree;
  for (const key of dotted.split(".")) node = isTree(node) ? node[key] : undefined;
  return node;
}

/** True for values a user would call "not filled in", the example's `<...>` place-holders included. */
function isBlank(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== "string") return false;
  const text = value.trim();
  return text === "" || /^<[^<>]*>$/.test(text);
}

/** `kb_mcp:` and `llm:` may also stand at the top level; both spellings lead to `agent.*`. */
function withGroupsUnderAgent(tree: Tree): Tree {
  const agent = isTree(tree.agent) ? { ...tree.agent } : {};
  const rest: Tree = { ...tree };
  for (const group of ["kb_mcp", "llm"] as const) {
    if (isTree(rest[group])) agent[group] = { ...rest[group], ...(isTree(agent[group]) ? agent[group] : {}) };
    delete rest[group];
  }
  return { ...rest, agent };
}

function quoteHint(dotted: string, value: unknown): string {
  const seen =
    typeof value === "number"
      ? `a number${dotted === "agent.api_token" ? "" : ` (${value})`}`
      : `${Array.isArray(value) ? "a list" : `a ${typeof value}`}`;
  const key = dotted.split(".").at(-1);
  return `YAML read ${seen}, but this must be text: put it in quotes, e.g. ${key}: "1234e56" (unquoted, 1234e56 becomes a number and cannot be restored)`;
}

function unknownKeys(schema: z.ZodType, value: unknown, prefix = ""): string[] {
  if (!isTree(value)) return [];
  let inner: unknown = schema;
  while (inner instanceof z.ZodPrefault || inner instanceof z.ZodDefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap();
  }
  if (!(inner instanceof z.ZodObject)) return [];
  const shape = inner.shape as Record<string, z.ZodType>;
  return Object.entries(value).flatMap(([key, child]) => {
    const known = shape[key];
    return known ? unknownKeys(known, child, `${prefix}${key}.`) : [`${prefix}${key}`];
  });
}

function requiredGroups(tree: Tree): (readonly string[])[] {
  const keyless = at(tree, "agent.llm.backend") === "ollama";
  return REQUIRED_FIELDS.filter(([first]) => !(keyless && first === "agent.llm.api_key_env"));
}

/**
 * Checks a parsed YAML tree and reports everything at once.
 *
 * @returns the typed configuration, or the list of all issues (missing ones first, in file order)
 */
export function checkConfig(
  raw: unknown,
): { config: EvalConfig; warnings: string[] } | { issues: ConfigIssue[] } {
  if (raw !== undefined && raw !== null && !isTree(raw)) {
    return {
      issues: [
        {
          path: "(file)",
          kind: "invalid",
          message: "must be a YAML mapping (key: value), not a list or plain text",
        },
      ],
    };
  }
  const tree = withGroupsUnderAgent(raw ?? {});
  const issues: ConfigIssue[] = [];
  for (const group of requiredGroups(tree)) {
    if (group.every((field) => isBlank(at(tree, field)))) {
      issues.push({ path: group.join(" or "), kind: "missing", message: "REQUIRED" });
    }
  }
  const reported = new Set<string>(issues.flatMap((issue) => issue.path.split(" or ")));
  for (const field of STRING_FIELDS) {
    const value = at(tree, field);
    if (!isBlank(value) && typeof value !== "string") {
      issues.push({ path: field, kind: "invalid", message: quoteHint(field, value) });
      reported.add(field);
    }
  }
  const parsed = configSchema.safeParse(tree);
  if (!parsed.success) {
    for (const issue of parsed.error.issues) {
      const where = issue.path.map(String).join(".") || "(file)";
      // A missing group makes zod complain about the group; its REQUIRED members are listed already.
      if (reported.has(where) || [...reported].some((known) => known.startsWith(`${where}.`))) continue;
      issues.push({ path: where, kind: "invalid", message: issue.message });
    }
  }
  if (issues.length > 0 || !parsed.success) return { issues };
  const warnings = unknownKeys(configSchema, tree).map(
    (key) => `unknown key ${key}: ignored (see config/eval_config.example.yaml)`,
  );
  if (parsed.data.agent.api_token) {
    warnings.push(
      "agent.api_token holds a token in plain text; agent.api_token_env keeps it out of git and screenshots",
    );
  }
  return { config: parsed.data, warnings };
}

/** The one message that names all issues of a file. */
export function describeIssues(file: string, issues: ConfigIssue[]): string {
  const missing = issues.filter((issue) => issue.kind === "missing");
  const invalid = issues.filter((issue) => issue.kind === "invalid");
  const lines = [`Configuration ${file} cannot be used / 配置不可用:`];
  if (missing.length > 0) {
    lines.push(
      `  missing REQUIRED fields / 缺失的必填字段 (${missing.length}):`,
      ...missing.map((issue) => `    - ${issue.path}`),
    );
  }
  if (invalid.length > 0) {
    lines.push(
      `  wrong values / 取值有误 (${invalid.length}):`,
      ...invalid.map((issue) => `    - ${issue.path}: ${issue.message}`),
    );
  }
  lines.push("  Fill them in and run again; config/eval_config.example.yaml of the skill shows each field.");
  return lines.join("\n");
}

/**
 * Reads and checks `eval_config.yaml`.
 *
 * @throws StageError with exit code 2 that lists every missing and every wrong field
 */
export async function loadConfig(file: string): Promise<LoadedConfig> {
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if (error instanceof StageError) throw error;
    throw configError(
      `Cannot read configuration ${file}: ${error instanceof Error ? error.message : String(error)}. Copy config/eval_config.example.yaml of the skill here and fill it in.`,
    );
  }
  let raw: unknown;
  try {
    raw = text.trim() === "" ? undefined : load(text.replace(/^\uFEFF/, ""));
  } catch (error) {
    // js-yaml's own message quotes the source line, which may hold a token: give the position only.
    const where =
      error instanceof YAMLException && error.mark
        ? ` at line ${error.mark.line + 1}, column ${error.mark.column + 1}`
        : "";
    // A reason may quote what it found, and that may be a token as well.
    const reason =
      error instanceof YAMLException ? `: ${error.reason.replace(/"[^"]*"|'[^']*'|<[^>]*>/g, "…")}` : "";
    if (/^\s*(#[^\n]*)?$/.test(text.replaceAll(/^\s*#.*$/gm, ""))) raw = undefined;
    else throw configError(`Configuration ${file} is not valid YAML${where}${reason}`);
  }
  const checked = checkConfig(raw);
  if ("issues" in checked) throw configError(describeIssues(file, checked.issues));
  return {
    config: checked.config,
    file,
    baseDir: path.dirname(path.resolve(file)),
    warnings: checked.warnings,
  };
}
