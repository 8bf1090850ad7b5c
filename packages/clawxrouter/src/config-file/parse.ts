/** Text of clawxrouter.json -> a complete, valid {@link RouterConfig}, or every fault with its path and line. */
import { Value } from "@sinclair/typebox/value";
import { locate } from "./locate.ts";
import { BUILTIN_ROUTERS, ConfigFileSchema, type RouterConfig } from "./schema.ts";

/** One thing wrong in the file. */
export interface ConfigFault {
  /** JSON pointer, e.g. `/privacy/proxyPort`; empty for the document. */
  path: string;
  /** One-based line in the file, when it is known. */
  line: number | undefined;
  message: string;
}

/** The file is not usable; `faults` names every place. No value is quoted: a value may be a secret. */
export class ConfigError extends Error {
  readonly file: string;
  readonly faults: readonly ConfigFault[];
  constructor(file: string, faults: readonly ConfigFault[]) {
    const lines = faults.map(
      (f) => `  ${f.line === undefined ? "" : `line ${f.line}: `}${f.path || "/"}: ${f.message}`,
    );
    super(`${file} is not valid, the last good settings stay in force:\n${lines.join("\n")}`);
    this.name = "ConfigError";
    this.file = file;
    this.faults = faults;
  }
}

/** All defaults. */
export function defaultConfig(): RouterConfig {
  return checkConfig({}, "defaults");
}

/**
 * @param text content of the file; an empty or blank one means all defaults
 * @param file name for messages
 * @throws ConfigError naming every fault
 */
export function parseConfig(text: string, file: string): RouterConfig {
  if (text.trim() === "") return defaultConfig();
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(file, [syntaxFault(text, error)]);
  }
  return checkConfig(raw, file, text);
}

/** As {@link parseConfig} for a value that is already parsed; `text` serves only to find lines. */
export function checkConfig(raw: unknown, file: string, text = ""): RouterConfig {
  if (!isObject(raw)) {
    throw new ConfigError(file, [{ path: "", line: 1, message: "must be a JSON object" }]);
  }
  const hidden = hiddenKey(raw, "");
  if (hidden !== undefined) {
    throw new ConfigError(file, [
      { path: hidden, line: text ? locate(text, hidden) : undefined, message: "is no setting" },
    ]);
  }
  const value = Value.Default(ConfigFileSchema, withBuiltinRouters(raw));
  const faults = new Map<string, ConfigFault>();
  for (const error of Value.Errors(ConfigFileSchema, value)) {
    if (faults.has(error.path)) continue;
    faults.set(error.path, {
      path: error.path,
      line: text ? locate(text, error.path) : undefined,
      message: explain(error),
    });
    if (faults.size >= 20) break;
  }
  if (faults.size > 0) throw new ConfigError(file, [...faults.values()]);
  return value as RouterConfig;
}

/** Where a property is named `__proto__`: copied, it would be a setting that no schema sees. */
function hiddenKey(value: unknown, at: string): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, item] of Object.entries(value)) {
    const path = `${at}/${key}`;
    const found = key === "__proto__" ? path : hiddenKey(item, path);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The file with the built-in routers it does not mention; what it says of them wins. */
function withBuiltinRouters(raw: object): object {
  const copy: Record<string, unknown> = { ...structuredClone(raw) };
  const privacy = copy.privacy ?? {};
  if (!isObject(privacy)) return copy;
  const routers = privacy.routers ?? {};
  if (!isObject(routers)) return copy;
  const merged = { ...routers };
  for (const [id, entry] of Object.entries(BUILTIN_ROUTERS)) {
    const own = routers[id];
    if (own === undefined) merged[id] = { ...entry };
    else if (isObject(own)) merged[id] = { ...entry, ...own };
  }
  return { ...copy, privacy: { ...privacy, routers: merged } };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function explain(error: { message: string; schema: { anyOf?: unknown; description?: string } }): string {
  const options = Array.isArray(error.schema.anyOf) ? (error.schema.anyOf as { const?: unknown }[]) : [];
  const allowed = options.map((option) => option.const).filter((value) => typeof value === "string");
  const message = allowed.length > 0 ? `must be one of: ${allowed.join(", ")}` : error.message;
  return error.schema.description ? `${message} [${error.schema.description}]` : message;
}

function syntaxFault(text: string, error: unknown): ConfigFault {
  const message = error instanceof Error ? error.message : "is not JSON";
  const at = /position (\d+)/.exec(message);
  const line = at ? text.slice(0, Number(at[1])).split("\n").length : undefined;
  // V8 quotes the text around the fault, which may hold a secret: the line is enough.
  return { path: "", line, message: "is not valid JSON here or just before" };
}
