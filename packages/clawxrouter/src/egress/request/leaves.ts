import { isObject, type Json, type JsonObject, parseJson } from "../json.ts";
import type { TextRole } from "../types.ts";
import { type MediaPart, mediaIn } from "./media.ts";

/** A text of a request body that can be replaced where it stands. */
export interface Leaf {
  text: string;
  role: TextRole;
  /** Puts another text in its place; the body is up to date after {@link Leaves.commit}. */
  replace(text: string): void;
}

/** Everything in a body that may carry private content. */
export interface Leaves {
  leaves: Leaf[];
  media: MediaPart[];
  /** Writes replaced texts inside JSON-in-strings (tool arguments) and object keys back into the body. */
  commit(): void;
}

/**
 * Strings that a protocol itself defines. They are left alone only in the protocol's own objects, never inside
 * tool arguments, tool results or other free data, where `id` or `name` may be anybody's.
 */
const PROTOCOL_KEYS = new Set([
  ...[
    "model",
    "role",
    "type",
    "object",
    "status",
    "phase",
    "id",
    "call_id",
    "tool_call_id",
    "tool_use_id",
    "item_id",
  ],
  ...[
    "previous_response_id",
    "encrypted_content",
    "signature",
    "thoughtSignature",
    "thought_signature",
    "data_id",
  ],
  ...["media_type", "mime_type", "mimeType", "detail", "effort", "service_tier", "truncation", "verbosity"],
  ...[
    "finish_reason",
    "stop_reason",
    "finishReason",
    "encoding_format",
    "keep_alive",
    "tool_choice",
    "ttl",
    "mode",
  ],
]);

/** Objects whose strings are a JSON Schema: only descriptions in it are prose. */
const SCHEMA_KEYS = new Set([
  ...["parameters", "input_schema", "inputSchema", "json_schema", "schema", "parametersJsonSchema"],
  ...["responseSchema", "responseJsonSchema", "response_schema", "outputSchema", "output_schema"],
]);

const SYSTEM_KEYS = new Set(["system", "instructions", "systemInstruction", "system_instruction"]);
/** Free data as objects: every string, key and long number inside counts. */
const DATA_KEYS = new Map<string, TextRole>([
  ["input", "tool-arguments"],
  ["args", "tool-arguments"],
  ["arguments", "tool-arguments"],
  ["response", "tool"],
  ["output", "tool"],
  ["metadata", "other"],
  ["labels", "other"],
]);
const TOOL_RESULT_TYPES =
  /^(?:tool_result|function_call_output|custom_tool_call_output|.*_tool_result|.*_call_output)$/;
const IDENTIFIER = /^[\w.:/-]{1,128}$/;
/** Shorter numbers are counts, sizes and times; a private number has at least this many digits. */
const LONG_NUMBER = 1_000_000;

/** Walks a request body of any known protocol, or of none: what is not known to be a protocol's own is text. */
export function collectLeaves(body: JsonObject): Leaves {
  const walker = new Walker();
  walker.object(body, "other", body);
  return {
    leaves: walker.leaves,
    media: walker.media,
    commit: () => {
      // Innermost first: what is inside an argument string is collected after it.
      for (const write of walker.writes.toReversed()) write();
    },
  };
}

class Walker {
  readonly leaves: Leaf[] = [];
  readonly media: MediaPart[] = [];
  readonly writes: Array<() => void> = [];

  /** An object of the protocol. `top` is the body itself. */
  object(object: JsonObject, inherited: TextRole, top?: JsonObject): void {
    const role = roleOf(object, inherited);
    for (const key of Object.keys(object)) {
      const value = object[key];
      if (value === undefined || value === null || typeof value === "boolean" || typeof value === "number")
        continue;
      if (SCHEMA_KEYS.has(key) && isObject(value)) {
        this.#descriptions(value);
        continue;
      }
      // Base64: Ollama's pictures (see ollamaImages), and thoughts that only their vendor can read.
      if (key === "images" || (key === "data" && isSealed(object))) continue;
      if (typeof value === "string") {
        if (PROTOCOL_KEYS.has(key)) continue;
        if (key === "name" && IDENTIFIER.test(value)) continue;
        this.#string(object, key, value, this.#roleOfKey(key, role, top !== undefined));
        continue;
      }
      const dataRole = DATA_KEYS.get(key);
      if (dataRole !== undefined && isObject(value) && !(key === "input" && top)) {
        this.#data(value, dataRole);
        continue;
      }
      this.#value(value, this.#roleOfKey(key, role, top !== undefined));
    }
  }

  #roleOfKey(key: string, role: TextRole, top: boolean): TextRole {
    if (SYSTEM_KEYS.has(key)) return "system";
    if (key === "arguments") return "tool-arguments";
    if (key === "tools") return "system";
    if (top && (key === "input" || key === "content" || key === "requests")) return "input";
    if (top && (key === "prompt" || key === "contents" || key === "messages")) return "user";
    if (key === "output") return "tool";
    return role;
  }

  #value(value: Json, role: TextRole): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        if (typeof item === "string") this.#string(value, index, item, role);
        else if (Array.isArray(item)) this.#value(item, role);
        else if (isObject(item)) {
          const parts = mediaIn(item, value, index);
          if (parts) this.media.push(parts);
          else this.object(item, role);
        }
      });
    } else if (isObject(value)) {
      this.object(value, role);
    }
  }

  #string(holder: JsonObject | Json[], key: string | number, text: string, role: TextRole): void {
    if (text === "") return;
    if (key === "arguments") {
      const parsed = parseJson(text);
      if (isObject(parsed) || Array.isArray(parsed)) {
        const before = this.leaves.length;
        const root = [parsed];
        let changed = false;
        this.writes.push(() => {
          if (changed) put(holder, key, JSON.stringify(root[0]));
        });
        this.#data(root, "tool-arguments");
        for (const leaf of this.leaves.slice(before)) {
          const replace = leaf.replace;
          leaf.replace = (replacement) => {
            changed = true;
            replace(replacement);
          };
        }
        return;
      }
    }
    this.leaves.push({ text, role, replace: (replacement) => put(holder, key, replacement) });
  }

  /** Free data: strings, object keys and long numbers. */
  #data(value: Json[] | JsonObject, role: TextRole): void {
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index += 1) this.#datum(value, index, value[index], role);
      return;
    }
    for (const key of Object.keys(value)) {
      if (key.length > 4) {
        this.leaves.push({
          text: key,
          role,
          replace: (replacement) => this.writes.push(() => renameKey(value, key, replacement)),
        });
      }
      this.#datum(value, key, value[key], role);
    }
  }

  #datum(holder: JsonObject | Json[], key: string | number, value: Json | undefined, role: TextRole): void {
    if (typeof value === "string") this.#string(holder, key, value, role);
    else if (typeof value === "number" && Math.abs(value) >= LONG_NUMBER) {
      this.leaves.push({
        text: String(value),
        role,
        replace: (replacement) => put(holder, key, replacement),
      });
    } else if (Array.isArray(value) || isObject(value)) this.#data(value, role);
  }

  /** Prose inside a JSON Schema; a property that happens to be called `description` is an object, no string. */
  #descriptions(schema: JsonObject | Json[]): void {
    if (Array.isArray(schema)) {
      for (const item of schema) if (isObject(item) || Array.isArray(item)) this.#descriptions(item);
      return;
    }
    for (const key of Object.keys(schema)) {
      const value = schema[key];
      if (key === "description" && typeof value === "string") this.#string(schema, key, value, "system");
      else if (isObject(value) || Array.isArray(value)) this.#descriptions(value);
    }
  }
}

function roleOf(object: JsonObject, inherited: TextRole): TextRole {
  const type = object.type;
  if (typeof type === "string" && TOOL_RESULT_TYPES.test(type)) return "tool";
  switch (object.role) {
    case "system":
    case "developer":
      return "system";
    case "user":
      return "user";
    case "assistant":
    case "model":
      return "assistant";
    case "tool":
    case "function":
      return "tool";
    default:
      return inherited;
  }
}

/** Anthropic `redacted_thinking` and OpenRouter `reasoning.encrypted`: opaque to everybody but the vendor. */
function isSealed(object: JsonObject): boolean {
  return object.type === "redacted_thinking" || object.type === "reasoning.encrypted";
}

function put(holder: JsonObject | Json[], key: string | number, value: string): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else holder[key] = value;
}

/** Renames a key and keeps the order of all. */
function renameKey(object: JsonObject, from: string, to: string): void {
  const entries = Object.entries(object);
  for (const [key] of entries) delete object[key];
  for (const [key, value] of entries) object[key === from ? to : key] = value;
}
