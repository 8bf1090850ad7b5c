/** `openclaw clawxrouter selftest`: canaries through the running gateway; prints path x leaked?. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { setDetour } from "../selftest/detour.ts";
import { selfTestGateway } from "../selftest/gateway-paths.ts";
import { type SelfTestRow, selfTestProxy } from "../selftest/proxy-paths.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";

export function addSelfTestCommand(root: Command, _api: OpenClawPluginApi, engine: () => Engine): void {
  root
    .command("selftest")
    .description(
      "Send made-up secrets through your own gateway to a recorder on this machine and show what got through",
    )
    .option("--proxy-only", "only the proxy's protocols, no turns")
    .option("--json", "machine-readable")
    .action(async (options: { proxyOnly?: boolean; json?: boolean }) => {
      const now = engine();
      const upstreams = now.models.upstreams();
      if (Object.keys(upstreams).length === 0)
        return fail("setup has not been run: openclaw clawxrouter setup --yes");
      const progress = (line: string) => {
        if (!options.json) process.stderr.write(`… ${line}\n`);
      };
      progress("proxy protocols");
      const rows: SelfTestRow[] = await selfTestProxy({
        port: now.config().privacy.proxyPort,
        installKey: now.installKey(),
        withUpstreams: async (test, run) => {
          const end = setDetour(now.dataDir, test);
          await new Promise((resolve) => setTimeout(resolve, 500));
          try {
            return await run();
          } finally {
            end();
          }
        },
      });
      if (options.proxyOnly !== true) {
        const entry = process.argv[1];
        if (entry === undefined) return fail("the host's own command line is not known; use --proxy-only");
        rows.push(
          ...(await selfTestGateway({
            host: [process.execPath, entry],
            upstreams,
            detour: (detour) => setDetour(now.dataDir, detour),
            progress,
          })),
        );
      }
      const leaks = rows.filter((row) => row.leaked.length > 0);
      const mute = rows.filter((row) => !row.answered);
      if (options.json) printJson(rows);
      else {
        print(
          table([
            ["path", "leaked?", "answered?"],
            ...rows.map((row) => [
              row.path,
              row.leaked.length > 0 ? `YES: ${row.leaked.join(", ")}` : "no",
              row.answered ? "yes" : `no: ${row.detail}`,
            ]),
          ]),
        );
        print(
          leaks.length > 0
            ? `\n${leaks.length} paths let something through.`
            : `\nNothing got through on ${rows.length} paths.`,
        );
      }
      if (leaks.length > 0 || mute.length > 0) process.exitCode = 1;
    });
}
