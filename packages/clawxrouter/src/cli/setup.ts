/** `openclaw clawxrouter setup | unset`: shows every change to openclaw.json and makes it on --yes. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { hostFile, planFor, show, shown } from "../api/setup.ts";
import type { Engine } from "../engine/engine.ts";
import { mutateHost } from "../hooks/mutate-host.ts";
import { applySetup, applyUnset } from "../setup/apply.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";

export function addSetupCommands(root: Command, api: OpenClawPluginApi, engine: () => Engine): void {
  root
    .command("setup")
    .description("Put the model providers behind the ClawXRouter proxy (shows the changes; --yes makes them)")
    .option("--yes", "make the changes")
    .option("--json", "machine-readable")
    .action(async (options: { yes?: boolean; json?: boolean }) => {
      const now = engine();
      now.config();
      // A file that cannot be read must not be written over, nor may its settings be taken for the defaults.
      const fault = now.settings.error();
      if (fault !== undefined) return fail(fault);
      const plan = planFor(now, api.config);
      if (options.json)
        printJson({ ...plan, changes: plan.changes.map(shown), applied: options.yes === true });
      else {
        if (plan.changes.length === 0)
          print("openclaw.json needs no change: all providers are behind the proxy.");
        else {
          print("setup changes in openclaw.json:");
          print(
            table(
              plan.changes.map((change) => [
                `  ${change.path}`,
                `${show(change.before)} -> ${show(change.after)}`,
                change.note,
              ]),
            ),
          );
        }
        for (const problem of plan.problems) print(`! ${problem}`);
      }
      if (options.yes !== true) {
        if (!options.json && plan.changes.length > 0)
          print("\nNothing was changed. To make these changes: openclaw clawxrouter setup --yes");
        return;
      }
      await applySetup(plan, now.configFile, hostFile(now), mutateHost(api));
      if (!options.json) {
        print(
          "\nDone. The gateway takes the change over by itself; the true addresses are kept in clawxrouter.json.",
        );
        print("Take it back with: openclaw clawxrouter unset    Check with: openclaw clawxrouter posture");
      }
    });
  root
    .command("unset")
    .description("Put openclaw.json back as it was before setup")
    .action(async () => {
      const now = engine();
      if (now.config().managed.changes.length === 0) {
        print("There is nothing to take back: setup has not been run.");
        return;
      }
      const result = await applyUnset(now.config(), now.configFile, hostFile(now), mutateHost(api));
      print(
        result.exact
          ? "openclaw.json is byte for byte as it was before setup."
          : `Put back: ${result.reverted.join(", ") || "nothing"}`,
      );
      if (result.kept.length > 0)
        fail(`Changed by somebody else since, left alone: ${result.kept.join(", ")}`);
    });
}
