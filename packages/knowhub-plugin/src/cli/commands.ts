import type { KnowHubConfig } from "../config.ts";
import type { KnowHub } from "../service/knowhub.ts";
import type { Language } from "../tools/messages.ts";
import { exportCommand, importCommand, serveCommand } from "./exchange.ts";
import { outboxCommand, redactionsCommand, showCommand, verifyCommand } from "./inspect.ts";
import { listCommand, saveCommand, searchCommand } from "./items.ts";
import type { Output } from "./output.ts";
import { statusCommand } from "./status.ts";

/** What a command runs with. */
export interface Environment {
  output: Output;
  language: Language;
  config(): KnowHubConfig;
  hub(): KnowHub;
  /** The host's whole configuration, for what it grants this plugin. */
  hostConfig: unknown;
}

export interface Command {
  /** Commander's usage: name and arguments. */
  usage: string;
  description: string;
  options?: { flags: string; description: string; default?: string }[];
  /** @returns the process's exit code */
  run(
    environment: Environment,
    args: string[],
    options: Record<string, string | boolean | undefined>,
  ): Promise<number>;
}

export const COMMANDS: readonly Command[] = [
  statusCommand,
  searchCommand,
  saveCommand,
  listCommand,
  showCommand,
  verifyCommand,
  exportCommand,
  importCommand,
  outboxCommand,
  redactionsCommand,
  serveCommand,
];
