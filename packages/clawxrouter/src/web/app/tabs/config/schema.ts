/** The parts of JSON Schema that the settings use, read into what a form needs. */
import { isObject, type Json } from "../../state/edits.ts";

export type Setting =
  | { kind: "group"; path: readonly string[]; children: Setting[] }
  | { kind: "switch"; path: readonly string[] }
  | {
      kind: "number";
      path: readonly string[];
      min: number | undefined;
      max: number | undefined;
      whole: boolean;
      optional: boolean;
    }
  | { kind: "text"; path: readonly string[]; optional: boolean; diskOnly: boolean }
  | { kind: "choice"; path: readonly string[]; options: string[] }
  | { kind: "choices"; path: readonly string[]; options: string[] }
  | { kind: "texts"; path: readonly string[]; optional: boolean }
  /** Anything else: edited as JSON. */
  | { kind: "json"; path: readonly string[] };

export function pointerOf(path: readonly string[]): string {
  return path.map((key) => `/${key}`).join("");
}

/** @param diskOnly pointers that only an edit on disk may set; `*` is any key */
export function readSchema(
  schema: Json,
  diskOnly: readonly string[],
  path: readonly string[] = [],
  optional = false,
): Setting {
  if (!isObject(schema)) return { kind: "json", path };
  const options = optionsOf(schema);
  if (options !== undefined) return { kind: "choice", path, options };
  switch (schema.type) {
    case "object":
      return group(schema, diskOnly, path);
    case "boolean":
      return { kind: "switch", path };
    case "integer":
    case "number":
      return {
        kind: "number",
        path,
        min: numberOf(schema.minimum ?? schema.exclusiveMinimum),
        max: numberOf(schema.maximum),
        whole: schema.type === "integer",
        optional,
      };
    case "string":
      return { kind: "text", path, optional, diskOnly: diskOnly.some((pattern) => matches(pattern, path)) };
    case "array":
      return list(schema, path, optional);
    default:
      return { kind: "json", path };
  }
}

function group(
  schema: Readonly<Record<string, Json>>,
  diskOnly: readonly string[],
  path: readonly string[],
): Setting {
  const { properties } = schema;
  if (!isObject(properties) || Object.keys(properties).length === 0) return { kind: "json", path };
  const required = Array.isArray(schema.required) ? schema.required : [];
  const children = Object.entries(properties).map(([key, child]) =>
    readSchema(child, diskOnly, [...path, key], !required.includes(key)),
  );
  return { kind: "group", path, children };
}

function list(schema: Readonly<Record<string, Json>>, path: readonly string[], optional: boolean): Setting {
  const { items } = schema;
  if (!isObject(items)) return { kind: "json", path };
  const options = optionsOf(items);
  if (options !== undefined) return { kind: "choices", path, options };
  return items.type === "string" ? { kind: "texts", path, optional } : { kind: "json", path };
}

/** The values of a choice among texts. */
function optionsOf(schema: Readonly<Record<string, Json>>): string[] | undefined {
  if (!Array.isArray(schema.anyOf)) return undefined;
  const values = schema.anyOf.map((option: Json) => (isObject(option) ? option.const : undefined));
  return values.every((value) => typeof value === "string") ? values : undefined;
}

function numberOf(value: Json): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function matches(pattern: string, path: readonly string[]): boolean {
  const keys = pattern.split("/").slice(1);
  return keys.length === path.length && keys.every((key, at) => key === "*" || key === path[at]);
}

/** The settings without groups. */
export function leavesOf(setting: Setting): Exclude<Setting, { kind: "group" }>[] {
  return setting.kind === "group" ? setting.children.flatMap(leavesOf) : [setting];
}
