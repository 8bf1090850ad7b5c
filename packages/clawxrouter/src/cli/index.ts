import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { addSetupCommands } from "./setup.ts";
import { addTestCommands } from "./test.ts";

export const CLI_NAME = "clawxrouter";
const DESCRIPTION = "Privacy and cost router: setup, posture, test";

/** `openclaw clawxrouter …` */
export function registerCli(api: OpenClawPluginApi, engine: () => Engine): void {
  api.registerCli(
    ({ program }) => {
      const root = program.command(CLI_NAME).description(DESCRIPTION);
      addSetupCommands(root, api, engine);
      addTestCommands(root, engine);
    },
    { descriptors: [{ name: CLI_NAME, description: DESCRIPTION, hasSubcommands: true }] },
  );
}
