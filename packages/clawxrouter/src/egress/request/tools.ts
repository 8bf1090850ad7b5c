import type { Path } from "@clawx/shared-security";
import { isObject, type Json, type JsonObject } from "../json.ts";

/** Lists of tool definitions: chat, Responses, Anthropic and Ollama; older chat; Google's inside of `tools`. */
const LISTS = new Set(["tools", "functions", "functionDeclarations", "function_declarations"]);
/** What says which tool is to be called. */
const CHOICES = new Set(["tool_choice", "function_call", "toolConfig", "tool_config"]);

/** Whether a path leads into the definition of a tool. */
export function isToolPath([top, index]: Path): boolean {
  return (top === "tools" || top === "functions") && typeof index === "number";
}

/** Whether a field at the top of a body chooses among the tools. */
export function isToolChoice(top: string | number | undefined): boolean {
  return typeof top === "string" && CHOICES.has(top);
}

/** The body without the tools that the paths lead into; lists that have become empty go with what chooses from them. */
export function dropTools(body: JsonObject, paths: readonly Path[]): JsonObject {
  if (paths.length === 0) return body;
  const dropped = new Map<string, Set<number>>();
  for (const path of paths) {
    const end = path.findLastIndex(
      (step, index) => typeof step === "number" && LISTS.has(String(path[index - 1])),
    );
    const list = JSON.stringify(path.slice(0, end));
    const indices = dropped.get(list) ?? new Set<number>();
    indices.add(Number(path[end]));
    dropped.set(list, indices);
  }
  const out: JsonObject = {};
  for (const [key, value] of Object.entries(body)) {
    const kept = LISTS.has(key) ? prune(value, [key], dropped) : value;
    if (kept !== undefined) define(out, key, kept);
  }
  const left = out.tools ?? out.functions;
  if (left === undefined) for (const choice of CHOICES) delete out[choice];
  return out;
}

/** A list without what is dropped from it and from the lists inside; undefined when nothing is left. */
function prune(
  value: Json | undefined,
  path: Path,
  dropped: ReadonlyMap<string, ReadonlySet<number>>,
): Json | undefined {
  if (!Array.isArray(value)) return value;
  const gone = dropped.get(JSON.stringify(path));
  const kept: Json[] = [];
  for (const [index, item] of value.entries()) {
    if (gone?.has(index)) continue;
    if (!isObject(item)) {
      kept.push(item);
      continue;
    }
    const inner: JsonObject = {};
    let emptied = false;
    for (const [key, field] of Object.entries(item)) {
      const rest = LISTS.has(key) ? prune(field, [...path, index, key], dropped) : field;
      if (rest === undefined && field !== undefined) emptied = true;
      else if (rest !== undefined) define(inner, key, rest);
    }
    if (!emptied || Object.keys(inner).length > 0) kept.push(inner);
  }
  return kept.length === 0 ? undefined : kept;
}

/** Also a property named `__proto__` becomes a property. */
function define(object: JsonObject, key: string, value: Json): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
