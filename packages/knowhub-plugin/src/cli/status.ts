import { statSync } from "node:fs";
import { databaseFile } from "../service/knowhub.ts";
import type { Command } from "./commands.ts";

interface HostEntry {
  enabled?: boolean;
  hooks?: { allowConversationAccess?: boolean };
}

/** What the host grants this plugin, out of its configuration. */
export function grants(hostConfig: unknown): { conversation: boolean } {
  const plugins = (hostConfig as { plugins?: { entries?: Record<string, HostEntry> } } | undefined)?.plugins;
  return { conversation: plugins?.entries?.knowhub?.hooks?.allowConversationAccess === true };
}

export const CONVERSATION_KEY = "plugins.entries.knowhub.hooks.allowConversationAccess";

export const statusCommand: Command = {
  usage: "status",
  description: "What is there, what works, what is missing (状态)",
  options: [{ flags: "--json", description: "Print JSON" }],
  async run({ output, config, hub, hostConfig }, _args, options) {
    const settings = config();
    const knowhub = hub();
    const store = knowhub.store();
    const file = databaseFile(knowhub.stateDir);
    const counts = Object.fromEntries(store.counts("").map(({ status, n }) => [status, n]));
    const { conversation } = grants(hostConfig);
    const status = {
      mode: settings.apiUrl ? "remote" : "embedded",
      server: settings.apiUrl || undefined,
      file,
      bytes: statSync(file).size,
      readOnly: knowhub.readOnly,
      items: counts,
      reminders: settings.reminderMode,
      extraction: settings.enableServerExtraction ? settings.extractionTrigger : "off",
      conversationAccess: conversation,
    };
    if (options.json) {
      output.out(JSON.stringify(status, null, 2));
      return 0;
    }
    output.out(`mode         ${status.mode}${status.server ? ` (${status.server})` : ""}`);
    output.out(
      `file         ${file} (${(status.bytes / 1024).toFixed(0)} kB)${status.readOnly ? " READ-ONLY" : ""}`,
    );
    output.out(
      `items        ${
        Object.entries(counts)
          .map(([k, n]) => `${n} ${k}`)
          .join(", ") || "none"
      }`,
    );
    output.out(`reminders    ${status.reminders}`);
    output.out(`extraction   ${status.extraction}`);
    output.out(`conversation ${conversation ? "granted" : "NOT granted"}`);
    if (!conversation) {
      output.out("  Reminders, recall and extraction need it. Grant it with:");
      output.out(`  openclaw config set ${CONVERSATION_KEY} true`);
    }
    return 0;
  },
};
