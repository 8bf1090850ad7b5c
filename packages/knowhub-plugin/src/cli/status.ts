import { statSync } from "node:fs";
import type { KnowHubConfig } from "../config.ts";
import { databaseFile, type KnowHub } from "../service/knowhub.ts";
import type { Language } from "../tools/messages.ts";
import type { Command } from "./commands.ts";
import { oneLine } from "./output.ts";
import { policyGaps, type ToolPolicy } from "./tool-policy.ts";
import { padded, WORDS, type Words } from "./words.ts";

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
  tools?: ToolPolicy & { sandbox?: { tools?: ToolPolicy } };
  agents?: {
    defaults?: { sandbox?: { mode?: string } };
    entries?: Record<string, { tools?: ToolPolicy }>;
  };
}

/** Something the host's configuration withholds: what it stops, and the command that grants it. */
export interface MissingGrant {
  key: string;
  why: string;
  fix: string;
}

/** Every permission that the host's configuration withholds from this plugin, with the exact key to set. */
export function missingGrants(hostConfig: unknown, language: Language = "en"): MissingGrant[] {
  const why = WORDS[language].grants;
  const { plugins, tools, agents } = (hostConfig ?? {}) as HostConfig;
  const missing: MissingGrant[] = [];
  const add = (key: string, reason: string, value: string) =>
    missing.push({ key, why: reason, fix: `openclaw config set ${key} ${value}` });
  const entry = plugins?.entries?.knowhub;
  if (plugins?.enabled === false) add("plugins.enabled", why.pluginsOff, "true");
  if (entry?.enabled === false) add("plugins.entries.knowhub.enabled", why.off, "true");
  if (plugins?.allow && !plugins.allow.includes("knowhub")) {
    add("plugins.allow", why.notAllowed, `'${JSON.stringify([...plugins.allow, "knowhub"])}'`);
  }
  if (plugins?.deny?.includes("knowhub")) {
    add("plugins.deny", why.denied, `'${JSON.stringify(plugins.deny.filter((p) => p !== "knowhub"))}'`);
  }
  if (entry?.hooks?.allowConversationAccess !== true) {
    add("plugins.entries.knowhub.hooks.allowConversationAccess", why.conversation, "true");
  }
  if (entry?.hooks?.allowPromptInjection === false) {
    add("plugins.entries.knowhub.hooks.allowPromptInjection", why.injection, "true");
  }
  const scopes: [key: string, policy: ToolPolicy | undefined][] = [
    ["tools", tools],
    ...Object.entries(agents?.entries ?? {}).map(([id, entry]): [string, ToolPolicy | undefined] => [
      `agents.entries.${id}.tools`,
      entry.tools,
    ]),
  ];
  // In a sandbox the list is a second gate, and only holds what is named.
  const sandbox = agents?.defaults?.sandbox?.mode ?? "off";
  if (sandbox !== "off")
    scopes.push(["tools.sandbox.tools", { profile: "minimal", ...tools?.sandbox?.tools }]);
  for (const [scope, policy] of scopes)
    for (const { list, value, tools: names } of policyGaps(policy))
      add(`${scope}.${list}`, why.tools(names.join(", ")), `'${JSON.stringify(value)}'`);
  return missing;
}

/** Bytes of the file and its write-ahead log, in which new items are at first. */
function fileBytes(file: string): number {
  return [file, `${file}-wal`].reduce(
    (sum, f) => sum + (statSync(f, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
}

function statusOf(hub: KnowHub, config: KnowHubConfig, hostConfig: unknown, language: Language) {
  const store = hub.store();
  const { outbox } = hub.parts(config);
  const file = databaseFile(hub.stateDir);
  return {
    mode: config.apiUrl ? "remote" : "embedded",
    ...(config.apiUrl && { server: config.apiUrl }),
    file,
    bytes: fileBytes(file),
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
    missing: missingGrants(hostConfig, language),
  };
}

/** The status for people, one fact a line. */
export function statusLines(
  hub: KnowHub,
  config: KnowHubConfig,
  hostConfig: unknown,
  language: Language,
): string[] {
  const s = statusOf(hub, config, hostConfig, language);
  const w: Words = WORDS[language];
  const items = Object.entries(s.items).map(([status, n]) => `${n} ${oneLine(status)}`);
  const onOff = (value: string) => (value === "off" ? w.off : value === "on" ? w.on : value);
  const line = (label: keyof Words["labels"], text: string) => `${padded(w.labels[label])}${text}`;
  return [
    line("mode", s.server ? `${w.mode.remote} ${s.server} (${w.copies(s.copies ?? 0)})` : w.mode.embedded),
    line("file", `${s.file} (${Math.ceil(s.bytes / 1024)} kB)${s.readOnly ? ` ${w.readOnly}` : ""}`),
    ...(s.damagedFileMovedTo ? [line("damaged", w.keptAt(s.damagedFileMovedTo))] : []),
    line("items", items.join(", ") || w.none),
    line("outbox", w.depth(s.outbox.waiting, s.outbox.refused)),
    line("reminders", onOff(s.reminders)),
    line("recall", onOff(s.recall)),
    line("extraction", `${onOff(s.extraction)}${s.extraction === "off" ? "" : ` (${s.privacy})`}`),
    line("serve", onOff(s.serve)),
    line("embeddings", onOff(s.embeddings)),
    ...s.missing.flatMap(({ key, why, fix }) => [line("missing", `${key}: ${why}`), `${padded("")}${fix}`]),
  ];
}

export const statusCommand: Command = {
  usage: "status",
  description: "What is there, what works, which permission is missing (状态)",
  options: [{ flags: "--json", description: "Print JSON" }],
  async run({ output, language, config, hub, hostConfig }, _args, options) {
    if (options.json) output.out(JSON.stringify(statusOf(hub(), config(), hostConfig, language), null, 2));
    else for (const line of statusLines(hub(), config(), hostConfig, language)) output.out(line);
    return 0;
  },
};
