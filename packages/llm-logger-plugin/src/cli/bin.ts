#!/usr/bin/env node
/** The stand-alone `llm-logs`: reads the logs without a gateway and without OpenClaw. */
import { existsSync, readFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { PLUGIN_ID, parseConfig } from "../config.ts";
import { resolveLocation } from "../store/paths.ts";
import { commands } from "./commands.ts";
import { runCommand } from "./run.ts";

const GLOBAL = {
  "state-dir": { type: "string" },
  "log-file": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

function help(): string {
  const lines = commands.map(({ name, usage, summary }) => `  ${`${name} ${usage}`.padEnd(24)} ${summary}`);
  return `llm-logs [--state-dir DIR] [--log-file BASE.jsonl] <command>\n\n${lines.join("\n")}\n\nllm-logs <command> --help shows its options.\n`;
}

/** The plugin's settings in openclaw.json, empty when the file is absent or not plain JSON. */
function settings(stateDir: string): unknown {
  const file = path.join(stateDir, "openclaw.json");
  if (!existsSync(file)) return undefined;
  try {
    let value: unknown = JSON.parse(readFileSync(file, "utf8"));
    for (const key of ["plugins", "entries", PLUGIN_ID, "config"]) {
      value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
    }
    return value;
  } catch {
    process.stderr.write(
      `llm-logs: ${file} is not plain JSON; using default settings (give --log-file to override)\n`,
    );
    return undefined;
  }
}

async function main(argv: string[]): Promise<number> {
  const command = commands.find(({ name }) => argv.includes(name));
  if (!command) {
    process.stdout.write(help());
    return argv.length === 0 || argv.includes("--help") || argv.includes("-h") ? 0 : 2;
  }
  const own = Object.fromEntries(
    Object.entries(command.options).map(([name, option]) => [
      name,
      {
        type: option.value ? ("string" as const) : ("boolean" as const),
        ...(option.short && { short: option.short }),
      },
    ]),
  );
  let parsed: { values: Record<string, unknown>; positionals: string[] };
  try {
    parsed = parseArgs({
      args: argv.toSpliced(argv.indexOf(command.name), 1),
      options: { ...GLOBAL, ...own },
      allowPositionals: true,
    });
  } catch (error) {
    process.stderr.write(
      `llm-logs ${command.name}: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    const options = Object.entries(command.options).map(
      ([name, option]) =>
        `  ${`${option.short ? `-${option.short}, ` : ""}--${name}${option.value ? ` <${option.value}>` : ""}`.padEnd(28)} ${option.help}`,
    );
    process.stdout.write(
      `llm-logs ${command.name} ${command.usage}\n${command.summary}\n\n${options.join("\n")}\n`,
    );
    return 0;
  }
  const stateDir = path.resolve(
    String(values["state-dir"] ?? process.env.OPENCLAW_STATE_DIR ?? path.join(os.homedir(), ".openclaw")),
  );
  const config = parseConfig(settings(stateDir));
  const logFile = typeof values["log-file"] === "string" ? path.resolve(values["log-file"]) : config.logFile;
  const options: Record<string, string | true | undefined> = {};
  for (const name of Object.keys(command.options)) {
    const value = values[name];
    if (typeof value === "string" || value === true) options[name] = value;
  }
  return runCommand(command, {
    location: resolveLocation(logFile, stateDir, os.homedir()),
    retention: { days: config.retentionDays, maxBytes: config.retentionMaxBytes },
    args: positionals,
    options,
  });
}

process.exitCode = await main(process.argv.slice(2));
