import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { addDashboardCommand } from "./dashboard.ts";
import { addInspectCommands } from "./inspect.ts";
import { say } from "./language.ts";
import { addSelfTestCommand } from "./selftest.ts";
import { addSessionCommands } from "./sessions.ts";
import { addSetupCommands } from "./setup.ts";
import { addTestCommands } from "./test.ts";

export const CLI_NAME = "clawxrouter";
const DESCRIPTION = say(
  "Privacy and cost router: setup, posture, test",
  "隐私与成本路由：setup、posture、test",
);

/** `openclaw clawxrouter …` */
export function registerCli(api: OpenClawPluginApi, engine: () => Engine): void {
  api.registerCli(
    ({ program }) => {
      const root = program.command(CLI_NAME).description(DESCRIPTION);
      addSetupCommands(root, api, engine);
      addTestCommands(root, engine);
      addInspectCommands(root, engine);
      addSessionCommands(root, api, engine);
      addSelfTestCommand(root, api, engine);
      addDashboardCommand(root, engine);
      // A CLI process ends when nothing is open any more.
      root.hook("postAction", () => engine().closeFiles());
    },
    { descriptors: [{ name: CLI_NAME, description: DESCRIPTION, hasSubcommands: true }] },
  );
}
