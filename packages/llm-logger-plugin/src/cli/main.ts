/** The stand-alone `llm-logs`: arguments, settings, help. */
import { existsSync, readFileSync, statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { PLUGIN_ID, parseConfig } from "../config.ts";
import { resolveLocation } from "../store/paths.ts";
import { commands } from "./commands.ts";
import { visible, wrap } from "./format.ts";
import { runCommand } from "./run.ts";
import { UsageError } from "./spec.ts";

const GLOBAL = {
  "state-dir": { type: "string" },
  "log-file": { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** Width of the terminal; undefined where the output goes elsewhere. */
function columns(): number | undefined {
  return process.stdout.isTTY ? Math.max(40, process.stdout.columns || 80) : undefined;
}

function help(): string {
  const lines = commands.map(({ name, usage, summary }) =>
    wrap(`  ${`${name} ${usage}`.padEnd(20)} ${summary}`, columns(), 23),
  );
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
      `llm-logs: ${file} is not plain JSON; using default settings (give --log-file to override) / 不是纯 JSON，使用默认设置\n`,
    );
    return undefined;
  }
}

interface StateDir {
  /** Absolute. */
  dir: string;
  /** What named it. */
  from: string;
}

/** The state folder by option, by environment, or the host's default. */
function stateDirOf(option: unknown): StateDir {
  const { OPENCLAW_STATE_DIR: inherited } = process.env;
  if (typeof option === "string") return { dir: path.resolve(option), from: "--state-dir" };
  if (inherited) return { dir: path.resolve(inherited), from: "OPENCLAW_STATE_DIR" };
  return { dir: path.join(os.homedir(), ".openclaw"), from: "the default state folder" };
}

/** @throws UsageError when there is no such folder: an empty list would say that no call was made. */
function refuseMissing({ dir, from }: StateDir): void {
  if (statSync(dir, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new UsageError(
    `there is no folder ${dir} (${from}). Name OpenClaw's state folder with --state-dir, or the logs with --log-file. / 没有此文件夹，请用 --state-dir 或 --log-file 指定`,
  );
}

/** Where the command's name stands: the first argument that is neither a global option nor its value. */
function commandAt(argv: string[]): number {
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? "";
    if (argument === "--state-dir" || argument === "--log-file") i++;
    else if (!argument.startsWith("-")) return i;
  }
  return -1;
}

/** Runs `llm-logs` with these arguments. @returns the exit code. */
export async function main(argv: string[]): Promise<number> {
  const at = commandAt(argv);
  const command = commands.find(({ name }) => name === argv[at]);
  if (!command) {
    if (at === -1) process.stdout.write(help());
    else {
      const known = commands.map(({ name }) => name).join(", ");
      process.stderr.write(
        `llm-logs: unknown command "${visible(argv[at] ?? "")}" / 没有此命令\nCommands 命令: ${known}\nllm-logs --help says what they do.\n`,
      );
    }
    return at === -1 ? 0 : 2;
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
      args: argv.toSpliced(at, 1),
      options: { ...GLOBAL, ...own },
      allowPositionals: true,
    });
  } catch (error) {
    process.stderr.write(
      `llm-logs ${command.name}: ${error instanceof Error ? error.message : String(error)} / 参数有误，见 llm-logs ${command.name} --help\n`,
    );
    return 2;
  }
  const { values, positionals } = parsed;
  if (values.help) {
    const options = Object.entries(command.options).map(([name, option]) =>
      wrap(
        `  ${`${option.short ? `-${option.short}, ` : ""}--${name}${option.value ? ` <${option.value}>` : ""}`.padEnd(26)} ${option.help}`,
        columns(),
        29,
      ),
    );
    process.stdout.write(
      `llm-logs ${command.name} ${command.usage}\n${command.summary}\n\n${options.join("\n")}\n`,
    );
    return 0;
  }
  const stateDir = stateDirOf(values["state-dir"]);
  const options: Record<string, string | true | undefined> = {};
  for (const name of Object.keys(command.options)) {
    const value = values[name];
    if (typeof value === "string" || value === true) options[name] = value;
  }
  return runCommand(command, () => {
    // A base path of its own needs no state folder.
    if (values["log-file"] === undefined) refuseMissing(stateDir);
    const config = parseConfig(settings(stateDir.dir));
    const logFile =
      typeof values["log-file"] === "string" ? path.resolve(values["log-file"]) : config.logFile;
    return {
      location: resolveLocation(logFile, stateDir.dir, os.homedir()),
      retention: { days: config.retentionDays, maxBytes: config.retentionMaxBytes },
      args: positionals,
      options,
    };
  });
}
