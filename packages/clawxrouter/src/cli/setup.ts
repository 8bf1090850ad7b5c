/** `openclaw clawxrouter setup | unset`: shows every change to openclaw.json and makes it on --yes. */
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { hostFile, planFor, show, shown } from "../api/setup.ts";
import type { Engine } from "../engine/engine.ts";
import { mutateHost } from "../hooks/mutate-host.ts";
import { applySetup, applyUnset } from "../setup/apply.ts";
import type { ConfigChange, SetupPlan } from "../setup/plan.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";
import { say, sayConfigError, sayProblem } from "./language.ts";

export function addSetupCommands(root: Command, api: OpenClawPluginApi, engine: () => Engine): void {
  root
    .command("setup")
    .description(
      say(
        "Put the model providers behind the ClawXRouter proxy (shows the changes; --yes makes them)",
        "让模型服务经过 ClawXRouter 代理（先显示修改，加 --yes 才写入）",
      ),
    )
    .option("--yes", say("make the changes", "写入这些修改"))
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (options: { yes?: boolean; json?: boolean }) => {
      const now = engine();
      now.config();
      // A file that cannot be read must not be written over, nor may its settings be taken for the defaults.
      const fault = now.settings.error();
      if (fault !== undefined) return fail(sayConfigError(fault));
      const plan = planFor(now, api.config);
      if (options.json)
        printJson({ ...plan, changes: plan.changes.map(shown), applied: options.yes === true });
      else {
        if (plan.changes.length === 0)
          print(
            say(
              "openclaw.json needs no change: all providers are behind the proxy.",
              "openclaw.json 无需修改：所有模型服务都已经过代理。",
            ),
          );
        else {
          print(
            options.yes === true
              ? say("setup changes in openclaw.json:", "setup 对 openclaw.json 的修改：")
              : say("setup would change in openclaw.json:", "setup 将对 openclaw.json 做以下修改："),
          );
          print(
            table(
              plan.changes.map((change) => [
                `  ${change.path}`,
                `${show(change.before)} -> ${show(change.after)}`,
                say(change.note, chineseNote(change, plan)),
              ]),
            ),
          );
        }
        for (const problem of plan.problems) print(`! ${sayProblem(problem)}`);
      }
      if (options.yes !== true) {
        if (!options.json && plan.changes.length > 0)
          print(
            say(
              "\nNothing was changed. To make these changes: openclaw clawxrouter setup --yes",
              "\n尚未修改任何内容。确认写入请运行：openclaw clawxrouter setup --yes",
            ),
          );
        return;
      }
      await applySetup(plan, now.configFile, hostFile(now), mutateHost(api));
      if (!options.json) {
        print(
          say(
            "\nDone. A running gateway takes the change over by itself; the true addresses are kept in clawxrouter.json.",
            "\n已写入。运行中的网关会自行采用；真实地址保存在 clawxrouter.json。",
          ),
        );
        print(
          say(
            "Take it back with: openclaw clawxrouter unset    Check with: openclaw clawxrouter posture",
            "撤销：openclaw clawxrouter unset    检查：openclaw clawxrouter posture",
          ),
        );
      }
    });
  root
    .command("unset")
    .description(
      say("Put openclaw.json back as it was before setup", "把 openclaw.json 还原为 setup 之前的样子"),
    )
    .action(async () => {
      const now = engine();
      if (now.config().managed.changes.length === 0) {
        print(
          say(
            "There is nothing to take back: setup has not been run.",
            "没有可撤销的内容：还没有运行过 setup。",
          ),
        );
        return;
      }
      const result = await applyUnset(now.config(), now.configFile, hostFile(now), mutateHost(api));
      print(
        result.exact
          ? say(
              "openclaw.json is byte for byte as it was before setup.",
              "openclaw.json 已逐字节还原为 setup 之前的样子。",
            )
          : say(
              `Put back: ${result.reverted.join(", ") || "nothing"}`,
              `已还原：${result.reverted.join("、") || "无"}`,
            ),
      );
      if (result.kept.length > 0)
        fail(
          say(
            `Changed by somebody else since, left alone: ${result.kept.join(", ")}`,
            `之后被他人改过，保持不动：${result.kept.join("、")}`,
          ),
        );
    });
}

/** Why setup makes a change, in Chinese; by where it is made. */
export function chineseNote(change: ConfigChange, plan: Pick<SetupPlan, "upstreams">): string {
  const [, top, , id = "", key] = change.path.split("/");
  if (top === "plugins") return "让 ClawXRouter 看到消息，以便判定去向";
  if (top === "memory") return "向量嵌入经过代理（之后请运行 openclaw memory index --force）";
  if (key === "api") return "保持该服务的协议";
  if (key === "agentRuntime") return "让智能体留在 OpenClaw 里：别的运行环境不经过代理，也不经过钩子";
  const upstream = plan.upstreams[id.replaceAll("~1", "/").replaceAll("~0", "~")];
  if (upstream === undefined) return change.note;
  if (upstream.local) return `本机模型：发往 ${upstream.baseUrl} 的内容会还原占位符`;
  const doubted = change.note.includes("privacy.localProviders.trust");
  return `发往 ${upstream.baseUrl} 的请求会先脱敏${doubted ? "（地址在本机，但看起来会转发到云端；若不会，请加入 privacy.localProviders.trust）" : ""}`;
}
