import { statSync } from "node:fs";
import type { KnowHubConfig } from "../config.ts";
import { databaseFile, type KnowHub } from "../service/knowhub.ts";
import type { Command } from "./commands.ts";

interface HostConfig {
  plugins?: {
    enabled?: boolean;
    allow?: string[];
    deny?: string[];
    entries?: Record<
      string,
      { enabled?: boolean; hooks?: { allowConversationAccess?: boolean; allowPromptInjection?: boolean } }
    >;
  };
  tools?: { allow?: string[]; deny?: string[] };
}

/** Something the host's configuration withholds: what it stops, and the command that grants it. */
export interface MissingGrant {
  key: string;
  why: string;
  fix: string;
}

const TOOL_NAMES = ["kb_search", "kb_save", "kb_update"];

/** Every permission that the host's configuration withholds from this plugin, with the exact key to set. */
export function missingGrants(hostConfig: unknown): MissingGrant[] {
  const { plugins, tools } = (hostConfig ?? {}) as HostConfig;
  const missing: MissingGrant[] = [];
  const add = (key: string, why: string, value: string) =>
    missing.push({ key, why, fix: `openclaw config set ${key} ${value}` });
  const entry = plugins?.entries?.knowhub;
  if (plugins?.enabled === false) add("plugins.enabled", "all plugins are off", "true");
  if (entry?.enabled === false) add("plugins.entries.knowhub.enabled", "the plugin is off", "true");
  if (plugins?.allow && !plugins.allow.includes("knowhub")) {
    add(
      "plugins.allow",
      "the plugin is not in the list of allowed plugins",
      `'${JSON.stringify([...plugins.allow, "knowhub"])}'`,
    );
  }
  if (plugins?.deny?.includes("knowhub")) {
    add(
      "plugins.deny",
      "the plugin is in the list of denied plugins",
      `'${JSON.stringify(plugins.deny.filter((p) => p !== "knowhub"))}'`,
    );
  }
  if (entry?.hooks?.allowConversationAccess !== true) {
    add(
      "plugins.entries.knowhub.hooks.allowConversationAccess",
      "reminders, recall and extraction are not possible",
      "true",
    );
  }
  if (entry?.hooks?.allowPromptInjection === false) {
    add(
      "plugins.entries.knowhub.hooks.allowPromptInjection",
      "reminders and recall cannot be put into prompts",
      "true",
    );
  }
  const denied = (tools?.deny ?? []).filter((name) => TOOL_NAMES.includes(name));
  if (denied.length > 0) {
    add(
      "tools.deny",
      `the agent may not use ${denied.join(", ")}`,
      `'${JSON.stringify((tools?.deny ?? []).filter((n) => !denied.includes(n)))}'`,
    );
  }
  return missing;
}

function statusOf(hub: KnowHub, config: KnowHubConfig, hostConfig: unknown) {
  const store = hub.store();
  const { outbox } = hub.parts(config);
  const file = databaseFile(hub.stateDir);
  return {
    mode: config.apiUrl ? "remote" : "embedded",
    ...(config.apiUrl && { server: config.apiUrl }),
    file,
    bytes: statSync(file).size,
    readOnly: hub.readOnly,
    ...(hub.movedAside && { damagedFileMovedTo: hub.movedAside }),
    items: Object.fromEntries(store.counts("").map(({ status, n }) => [status, n])),
    ...(config.apiUrl && { copies: store.counts(config.apiUrl).reduce((sum, { n }) => sum + n, 0) }),
    outbox: outbox.depth(),
    reminders: config.reminderMode,
    extraction: config.enableServerExtraction ? config.extractionTrigger : "off",
    privacy: config.privacyMode,
    recall: config.autoRecall ? "on" : "off",
    serve: config.serve.enabled ? `http://127.0.0.1:${config.serve.port}` : "off",
    embeddings: config.embeddings ? `${config.embeddings.model} at ${config.embeddings.baseUrl}` : "off",
    missing: missingGrants(hostConfig),
  };
}

/** The status for people, one fact a line. */
export function statusLines(hub: KnowHub, config: KnowHubConfig, hostConfig: unknown): string[] {
  const s = statusOf(hub, config, hostConfig);
  const items = Object.entries(s.items).map(([status, n]) => `${n} ${status}`);
  return [
    `mode        ${s.mode}${s.server ? ` (${s.server}, ${s.copies} local copies)` : ""}`,
    `file        ${s.file} (${Math.ceil(s.bytes / 1024)} kB)${s.readOnly ? " READ-ONLY: searching works, saving does not" : ""}`,
    ...(s.damagedFileMovedTo ? [`damaged     the former file is kept at ${s.damagedFileMovedTo}`] : []),
    `items       ${items.join(", ") || "none"}`,
    `outbox      ${s.outbox.waiting} waiting, ${s.outbox.refused} refused`,
    `reminders   ${s.reminders}`,
    `recall      ${s.recall}`,
    `extraction  ${s.extraction}${s.extraction === "off" ? "" : ` (${s.privacy})`}`,
    `serve       ${s.serve}`,
    `embeddings  ${s.embeddings}`,
    ...s.missing.flatMap(({ key, why, fix }) => [`MISSING     ${key}: ${why}`, `            ${fix}`]),
  ];
}

export const statusCommand: Command = {
  usage: "status",
  description: "What is there, what works, which permission is missing (状态)",
  options: [{ flags: "--json", description: "Print JSON" }],
  async run({ output, config, hub, hostConfig }, _args, options) {
    if (options.json) output.out(JSON.stringify(statusOf(hub(), config(), hostConfig), null, 2));
    else for (const line of statusLines(hub(), config(), hostConfig)) output.out(line);
    return 0;
  },
};
