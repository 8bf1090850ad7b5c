import { configError } from "../exit-codes.ts";
import type { EvalConfig } from "./schema.ts";

/** Tokens of one run. They live in memory only and are never written to a file or printed. */
export interface Secrets {
  agentToken?: string;
  mcpToken?: string;
  llmKey?: string;
}

export type SecretName = keyof Secrets;

interface SecretSource {
  name: SecretName;
  field: string;
  envName: string | undefined;
  inline?: string | undefined;
  optional?: boolean;
}

function sources(config: EvalConfig): SecretSource[] {
  const { agent } = config;
  return [
    {
      name: "agentToken",
      field: "agent.api_token_env",
      envName: agent.api_token_env,
      inline: agent.api_token,
    },
    { name: "mcpToken", field: "agent.kb_mcp.api_token_env", envName: agent.kb_mcp.api_token_env },
    {
      name: "llmKey",
      field: "agent.llm.api_key_env",
      envName: agent.llm.api_key_env,
      optional: agent.llm.backend === "ollama",
    },
  ];
}

/**
 * The name of a variable, unless it looks like the token itself pasted in its place (lower case, long, mixed with
 * digits): then only its beginning is shown.
 */
function shownName(name: string): string {
  const usual = /^[A-Z_][A-Z0-9_]*$/.test(name) && (name.includes("_") || name.length <= 16);
  const plain = /^[A-Za-z_]+$/.test(name) && name.length <= 24;
  if (usual || plain) return name;
  return `${name.slice(0, 3)}… (this looks like a token: put it into an environment variable and write the variable's NAME here / 这里应填环境变量名，不是令牌本身)`;
}

/**
 * Takes the tokens that the stages to run need from the environment.
 *
 * @throws StageError (exit 2) that names every unset variable at once
 */
export function readSecrets(
  config: EvalConfig,
  needed: readonly SecretName[],
  env: Readonly<Record<string, string | undefined>>,
): Secrets {
  const secrets: Secrets = {};
  const unset: string[] = [];
  for (const { name, field, envName, inline, optional } of sources(config)) {
    const value = (envName ? env[envName]?.trim() : undefined) || inline;
    if (value) secrets[name] = value;
    else if (needed.includes(name) && !optional)
      unset.push(envName === undefined ? field : `${shownName(envName)} (named by ${field})`);
  }
  if (unset.length > 0) {
    throw configError(
      `Environment variable not set / 环境变量未设置: ${unset.join(", ")}. Run \`export NAME=...\` in the shell that starts the evaluation.`,
    );
  }
  return secrets;
}

/** The forms in which a server hands a token back: as it is, in JSON, in an address, in Base64. */
function forms(value: string): string[] {
  const base64 = Buffer.from(value, "utf8").toString("base64").replace(/=+$/, "");
  return [
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value),
    ...(value.length >= 12 ? [base64, base64.replaceAll("+", "-").replaceAll("/", "_")] : []),
  ];
}

/** Makes a function that takes every known token out of a text before it is shown or stored. */
export function makeScrubber(secrets: Secrets): (text: string) => string {
  const values = Object.values(secrets)
    .filter((value): value is string => typeof value === "string" && value.length >= 4)
    .flatMap(forms)
    .sort((a, b) => b.length - a.length);
  return (text) => values.reduce((cleaned, value) => cleaned.replaceAll(value, "[REDACTED]"), text);
}
