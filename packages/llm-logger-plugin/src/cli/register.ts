/** Hangs `openclaw llm-logs` into the host's command line. */
import os from "node:os";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { parseConfig } from "../config.ts";
import { type LogLocation, resolveLocation } from "../store/paths.ts";
import type { RetentionPolicy } from "../store/retention.ts";

const DESCRIPTION = "Read the log of model calls / 查看模型调用日志";

export function registerCli(api: OpenClawPluginApi): void {
  api.registerCli(
    async ({ program }) => {
      const [{ commands }, { runCommand }] = await Promise.all([import("./commands.ts"), import("./run.ts")]);
      const parent = program.command("llm-logs").description(DESCRIPTION);
      for (const command of commands) {
        const sub = parent
          .command(`${command.name}${command.usage ? ` ${command.usage}` : ""}`)
          .description(command.summary);
        for (const [name, option] of Object.entries(command.options)) {
          const flag = `${option.short ? `-${option.short}, ` : ""}--${name}${option.value ? ` <${option.value}>` : ""}`;
          sub.option(flag, option.help);
        }
        sub.action(async () => {
          const raw = sub.opts<Record<string, unknown>>();
          const options = Object.fromEntries(
            Object.keys(command.options).map((name) => [name, asOption(raw[camelCase(name)])]),
          );
          process.exitCode = await runCommand(command, () => ({
            ...storeOf(api),
            args: sub.args,
            options,
          }));
        });
      }
    },
    { descriptors: [{ name: "llm-logs", description: DESCRIPTION, hasSubcommands: true }] },
  );
}

/** Where the gateway of this state folder writes, and for how long. */
function storeOf(api: OpenClawPluginApi): { location: LogLocation; retention: RetentionPolicy } {
  const config = parseConfig(api.pluginConfig);
  return {
    location: resolveLocation(config.logFile, api.runtime.state.resolveStateDir(), os.homedir()),
    retention: { days: config.retentionDays, maxBytes: config.retentionMaxBytes },
  };
}

/** Commander keeps `--slower-than` as `slowerThan`. */
function camelCase(name: string): string {
  return name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function asOption(value: unknown): string | true | undefined {
  return typeof value === "string" || value === true ? value : undefined;
}
