/** `openclaw clawxrouter selftest`: made-up values through the running gateway; prints path x leaked?. */
import { callGatewayFromCli } from "openclaw/plugin-sdk/gateway-runtime";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { setDetour } from "../selftest/detour.ts";
import { type GatewayCall, selfTestGateway } from "../selftest/gateway-paths.ts";
import { type SelfTestRow, selfTestProxy } from "../selftest/proxy-paths.ts";
import { workspacesOf } from "../setup/workspaces.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";

export function addSelfTestCommand(root: Command, api: OpenClawPluginApi, engine: () => Engine): void {
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
        rows.push(
          ...(await selfTestGateway({
            call: callGateway,
            workspace: workspacesOf(api.config, now.stateDir).get("main") ?? now.stateDir,
            upstreams,
            detour: (detour) => setDetour(now.dataDir, detour),
            progress,
          })),
        );
      }
      if (options.json) printJson(rows);
      else printRows(rows);
      if (rows.some((row) => row.leaked.length > 0 || !row.answered)) process.exitCode = 1;
    });
}

function printRows(rows: readonly SelfTestRow[]): void {
  print(
    table([
      ["path", "values", "requests", "leaked?", "answered?"],
      ...rows.map((row) => [
        row.path,
        String(row.values),
        String(row.requests),
        row.leaked.length > 0 ? `YES: ${row.leaked.join(", ")}` : "no",
        row.answered ? "yes" : `no: ${row.detail}`,
      ]),
    ]),
  );
  const leaks = rows.filter((row) => row.leaked.length > 0).length;
  const mute = rows.filter((row) => !row.answered).length;
  print(
    leaks > 0
      ? `\n${leaks} of ${rows.length} paths let something through.`
      : `\nNothing got through on ${rows.length} paths.`,
  );
  if (mute > 0) print(`${mute} paths gave no answer, so they show less than they should.`);
}

const callGateway: GatewayCall = (method, params, { final = false, timeoutMs = 30_000 } = {}) =>
  callGatewayFromCli(method, { timeout: String(timeoutMs), json: true }, params, {
    expectFinal: final,
    progress: false,
  });
