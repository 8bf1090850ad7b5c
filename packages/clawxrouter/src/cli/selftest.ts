/** `openclaw clawxrouter selftest`: made-up values through the running gateway; prints path x leaked?. */
import { callGatewayFromCli } from "openclaw/plugin-sdk/gateway-runtime";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { setDetour } from "../selftest/detour.ts";
import { type GatewayCall, type Place, selfTestGateway } from "../selftest/gateway-paths.ts";
import { failed, type SelfTestRow, selfTestProxy } from "../selftest/proxy-paths.ts";
import { workspacesOf } from "../setup/workspaces.ts";
import { type Command, fail, print, printJson } from "./command.ts";
import { say } from "./language.ts";
import { pathText, selfTestText } from "./selftest-text.ts";

/** Agent that the self-test talks to. */
const AGENT = "main";

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
      if (Object.keys(now.models.upstreams()).length === 0)
        return fail(
          say(
            "setup has not been run: openclaw clawxrouter setup --yes",
            "还没有运行 setup：openclaw clawxrouter setup --yes",
          ),
        );
      const progress = (line: string) => {
        if (!options.json) process.stderr.write(`… ${line}\n`);
      };
      const { signal, release } = interruption();
      try {
        const rows = await run(now, api, { proxyOnly: options.proxyOnly === true, progress, signal });
        if (options.json) printJson(rows);
        else print(selfTestText(rows));
        if (rows.some(failed)) process.exitCode = 1;
      } catch (error) {
        if (!signal.aborted) throw error;
        process.exitCode = 130;
        process.stderr.write(
          say(
            "Broken off: the self-test's conversations, files and values are gone again.\n",
            "已中断：自检的会话、文件和值都已清除。\n",
          ),
        );
      } finally {
        release();
        now.vault().forgetSelfTests();
      }
    });
}

interface Run {
  proxyOnly: boolean;
  progress: (line: string) => void;
  signal: AbortSignal;
}

async function run(
  now: Engine,
  api: OpenClawPluginApi,
  { proxyOnly, progress, signal }: Run,
): Promise<SelfTestRow[]> {
  progress(say("proxy protocols", "代理的各协议"));
  const rows = await selfTestProxy({
    port: now.config().privacy.proxyPort,
    installKey: now.installKey(),
    signal,
    withUpstreams: async (test, work) => {
      const end = setDetour(now.dataDir, test);
      try {
        await new Promise((resolve) => setTimeout(resolve, 500));
        return await work();
      } finally {
        end();
      }
    },
  });
  if (proxyOnly) return rows;
  const upstreams = now.models.upstreams();
  return [
    ...rows,
    ...(await selfTestGateway({
      call: callGateway,
      workspace: workspacesOf(api.config, now.stateDir).get(AGENT) ?? now.stateDir,
      upstreams,
      detour: (detour) => setDetour(now.dataDir, detour),
      models: placesOf(now),
      progress: (name) => progress(pathText(name)),
      signal,
    })),
  ];
}

/** Where the models of the agent's own conversations, and of its titles, are. */
function placesOf(now: Engine): { main: Place; utility: Place } {
  const { uses } = now.host();
  const place = (...paths: string[]): Place => {
    const use = paths.map((path) => uses.find((one) => one.path === path)).find((one) => one !== undefined);
    return use === undefined ? undefined : now.models.isLocal(use.provider) ? "local" : "cloud";
  };
  const [own, defaults] = [`/agents/entries/${AGENT}`, "/agents/defaults"];
  return {
    main: place(`${own}/model/primary`, `${own}/model`, `${defaults}/model/primary`, `${defaults}/model`),
    utility: place(`${own}/utilityModel`, `${defaults}/utilityModel`, "/utilityModel"),
  };
}

/** Ctrl-C and the like end the self-test in order; a second one ends the process at once. */
function interruption(): { signal: AbortSignal; release: () => void } {
  const names = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const controller = new AbortController();
  const release = () => {
    for (const name of names) process.off(name, stop);
  };
  const stop = () => {
    release();
    process.stderr.write(say("Cleaning up …\n", "正在清理……\n"));
    controller.abort(new Error("broken off"));
  };
  for (const name of names) process.on(name, stop);
  return { signal: controller.signal, release };
}

const callGateway: GatewayCall = (method, params, { final = false, timeoutMs = 30_000 } = {}) =>
  callGatewayFromCli(method, { timeout: String(timeoutMs), json: true }, params, {
    expectFinal: final,
    progress: false,
  });
