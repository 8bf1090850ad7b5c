/** `openclaw clawxrouter selftest`: made-up values through the running gateway; prints path x leaked?. */
import { callGatewayFromCli } from "openclaw/plugin-sdk/gateway-runtime";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { setDetour } from "../selftest/detour.ts";
import { type GatewayCall, selfTestGateway } from "../selftest/gateway-paths.ts";
import { type SelfTestRow, selfTestProxy } from "../selftest/proxy-paths.ts";
import { workspacesOf } from "../setup/workspaces.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";
import { say } from "./language.ts";

export function addSelfTestCommand(root: Command, api: OpenClawPluginApi, engine: () => Engine): void {
  root
    .command("selftest")
    .description(
      say(
        "Send made-up secrets through your own gateway to a recorder on this machine and show what got through",
        "把编造的密钥经你自己的网关发给本机上的记录器，显示有没有漏出（约一分钟）",
      ),
    )
    .option("--proxy-only", say("only the proxy's protocols, no turns", "只测代理的各协议，不跑对话"))
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (options: { proxyOnly?: boolean; json?: boolean }) => {
      const now = engine();
      const upstreams = now.models.upstreams();
      if (Object.keys(upstreams).length === 0)
        return fail(
          say(
            "setup has not been run: openclaw clawxrouter setup --yes",
            "还没有运行 setup：openclaw clawxrouter setup --yes",
          ),
        );
      const progress = (line: string) => {
        if (!options.json) process.stderr.write(`… ${line}\n`);
      };
      progress(say("proxy protocols", "代理的各协议"));
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
      [
        say("path", "路径"),
        say("values", "值"),
        say("requests", "请求"),
        say("leaked?", "漏出？"),
        say("answered?", "有回答？"),
      ],
      ...rows.map((row) => [
        row.path,
        String(row.values),
        String(row.requests),
        row.leaked.length > 0
          ? say(`YES: ${row.leaked.join(", ")}`, `是：${row.leaked.join("、")}`)
          : say("no", "否"),
        row.answered ? say("yes", "是") : say(`no: ${row.detail}`, `否：${row.detail}`),
      ]),
    ]),
  );
  const leaks = rows.filter((row) => row.leaked.length > 0).length;
  const mute = rows.filter((row) => !row.answered).length;
  print(
    leaks > 0
      ? say(
          `\n${leaks} of ${rows.length} paths let something through.`,
          `\n${rows.length} 条路径中有 ${leaks} 条漏出了内容。`,
        )
      : say(`\nNothing got through on ${rows.length} paths.`, `\n${rows.length} 条路径都没有漏出任何内容。`),
  );
  if (mute > 0)
    print(
      say(
        `${mute} paths gave no answer, so they show less than they should.`,
        `${mute} 条路径没有得到回答，因此不能说明问题。`,
      ),
    );
}

const callGateway: GatewayCall = (method, params, { final = false, timeoutMs = 30_000 } = {}) =>
  callGatewayFromCli(method, { timeout: String(timeoutMs), json: true }, params, {
    expectFinal: final,
    progress: false,
  });
