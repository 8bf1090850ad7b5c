import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { PluginContext } from "../hooks/context.ts";
import { COMMANDS, type Environment } from "./commands.ts";
import { consoleOutput } from "./output.ts";

/** `openclaw knowhub …`; the commands themselves are in commands.ts and know nothing of the host. */
export function registerCli(api: OpenClawPluginApi, context: PluginContext): void {
  api.registerCli(
    ({ program, config }) => {
      const root = program
        .command("knowhub")
        .description("Knowledge base: search, save, inspect, exchange (知识库)");
      for (const command of COMMANDS) {
        const sub = root.command(command.usage).description(command.description);
        for (const option of command.options ?? [])
          sub.option(option.flags, option.description, option.default);
        sub.action(async (...args: unknown[]) => {
          // Commander hands over the positional arguments, the options and the command itself.
          const options = args.at(-2) as Record<string, string | boolean | undefined>;
          const positional = args
            .slice(0, -2)
            .flat()
            .filter((a) => a !== undefined)
            .map(String);
          const output = consoleOutput();
          const environment: Environment = {
            output,
            language: context.language,
            config: () => context.config(),
            hub: () => context.hub(),
            hostConfig: config,
          };
          try {
            process.exitCode = await command.run(environment, positional, options);
          } catch (error) {
            const message = error instanceof Error ? error.message : String(error);
            output.err(message.startsWith("knowhub:") ? message : `knowhub: ${message}`);
            process.exitCode = 1;
          }
        });
      }
    },
    {
      descriptors: [
        {
          name: "knowhub",
          description: "Knowledge base: search, save, inspect, exchange (知识库)",
          hasSubcommands: true,
        },
      ],
    },
  );
}
