/** `openclaw clawxrouter status | posture | stats | prompts | rules | selftest`. */
import { readFileSync } from "node:fs";
import { levelOf } from "@clawx/shared-security";
import { RouterApi } from "../api/index.ts";
import { postureView } from "../api/posture-text.ts";
import { checkBuildable } from "../config-file/buildable.ts";
import { ConfigError, parseConfig } from "../config-file/parse.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { Engine } from "../engine/engine.ts";
import { canConnect } from "../engine/probe.ts";
import { type Command, fail, print, printJson, table } from "./command.ts";
import { isChinese, say, sayConfigError, sayReason } from "./language.ts";

export function addInspectCommands(root: Command, engine: () => Engine): void {
  root
    .command("status")
    .description(
      say("Posture, where private turns go, and the last decisions", "隐私态势、私密对话去向与最近的判定"),
    )
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (options: { json?: boolean }) => {
      const now = engine();
      const api = new RouterApi(now);
      const posture = api.posture();
      const recent = api.detections({ limit: 5 });
      const local = now.models.localModel();
      if (options.json)
        return printJson({
          posture: posture.state,
          localModel: local ?? null,
          vaultValues: now.vault().size(),
          recent,
        });
      const model = local === undefined ? say("none", "无") : `${local.provider}/${local.model}`;
      const values = now.vault().size();
      print(
        table([
          [say("posture", "隐私态势"), stateText(posture.state)],
          [say("local model", "本地模型"), model],
          [say("vault", "保险库"), say(`${values} values`, `${values} 个值`)],
        ]),
      );
      await sayWhetherUp(now);
      for (const row of recent)
        print(
          `${new Date(row.at).toISOString()}  ${row.level}  ${row.route}  ${row.checkpoint}  ${sayReason(row.reason)}`,
        );
    });
  root
    .command("posture")
    .description(
      say(
        "Check everything the guarantee rests on (exit code 1 when it does not hold)",
        "检查保证所依赖的一切（不成立时退出码为 1）",
      ),
    )
    .option("--json", say("machine-readable", "机器可读"))
    .action(async (options: { json?: boolean }) => {
      const now = engine();
      const posture = new RouterApi(now).posture();
      if (options.json) printJson(posture);
      else {
        print(say(`posture: ${posture.state}`, `隐私态势：${stateText(posture.state)}`));
        for (const { ok, text, fix } of postureView(posture).items) {
          const what = isChinese() ? text.zh : text.en;
          const how =
            fix === null ? undefined : isChinese() ? withCommand(fix.text.zh, fix.command) : fix.text.en;
          print(`  ${ok ? say("ok ", "通过") : say("NO ", "不符")} ${what}`);
          if (how !== undefined) print(say(`      fix: ${how}`, `       处理：${how}`));
        }
        await sayWhetherUp(now);
      }
      if (posture.state === "red") process.exitCode = 1;
    });
  root
    .command("stats")
    .description(say("Decisions, requests and cost", "判定、请求与花费"))
    .option("--days <n>", say("how far back", "统计最近几天"), "30")
    .option("--json", say("machine-readable", "机器可读"))
    .action((options: { days: string; json?: boolean }) => {
      const sum = new RouterApi(engine()).summary(Math.max(1, Number(options.days) || 30));
      if (options.json) return printJson(sum);
      const line = (counts: Record<string, number>) =>
        Object.entries(counts)
          .filter(([, n]) => n > 0)
          .map(([k, n]) => `${k} ${n}`)
          .join("  ") || say("none", "无");
      print(`${say("levels    ", "消息级别  ")}${line(sum.turns.byLevel)}`);
      print(`${say("routes    ", "消息去向  ")}${line(sum.turns.byRoute)}`);
      print(`${say("tiers     ", "难度分级  ")}${line(sum.turns.byTier)}`);
      print(
        say(
          `requests  ${sum.requests.total}, refused ${sum.requests.byRoute.blocked}`,
          `模型请求  ${sum.requests.total}，其中拦截 ${sum.requests.byRoute.blocked}`,
        ),
      );
      const usd = (value: number | null) =>
        value === null ? say("unknown", "未知") : `${value.toFixed(4)} USD`;
      const { spentUsd, unpriced, defaultModel, ifDefaultUsd } = sum.cost;
      const name =
        defaultModel === null
          ? say("the default model", "默认模型")
          : `${defaultModel.provider}/${defaultModel.model}`;
      print(
        say(
          `cost      ${usd(spentUsd)}${unpriced > 0 ? ` + ${unpriced} requests of unknown price` : ""}; all at ${name}: ${usd(ifDefaultUsd)}`,
          `花费      ${usd(spentUsd)}${unpriced > 0 ? `，另有 ${unpriced} 次请求价格未知` : ""}；若全部使用 ${name}：${usd(ifDefaultUsd)}`,
        ),
      );
      if (sum.budget.text !== "") print(`${say("budget    ", "预算      ")}${sum.budget.text}`);
      if (sum.models.length > 0) {
        print(
          table([
            [
              say("model", "模型"),
              say("requests", "请求数"),
              say("input", "输入"),
              say("output", "输出"),
              say("cached", "缓存命中"),
              say("USD", "美元"),
            ],
            ...sum.models.map((m) => [
              `${m.provider}/${m.model}`,
              `${m.requests}`,
              `${m.input}`,
              `${m.output}`,
              `${m.cacheRead}`,
              m.unpriced === m.requests ? say("unknown", "未知") : m.usd.toFixed(4),
            ]),
          ]),
        );
      }
    });
  addPromptCommands(root, engine);
  root
    .command("rules")
    .description(say("Rules of clawxrouter.json", "clawxrouter.json 的规则"))
    .command("check <file>")
    .description(
      say(
        "Check a clawxrouter.json: settings, keywords, patterns; with --text try its rules",
        "检查一份 clawxrouter.json：设置、关键词、正则；加 --text 试用其规则",
      ),
    )
    .option("--text <text>", say("say what the rules find in this text", "显示规则在这段文字里的发现"))
    .action((file: string, options: { text?: string }) => {
      try {
        const text = readFileSync(file, "utf8");
        const config = parseConfig(text, file);
        checkBuildable(config, file, text);
        print(say(`${file} is valid.`, `${file} 有效。`));
        if (options.text === undefined) return;
        const { findings } = new RuleDetector(config.privacy.rules).detect(options.text);
        print(levelOf(findings));
        for (const f of findings)
          print(
            say(
              `  ${f.level} ${f.type} at ${f.start}-${f.end} (${f.rule})`,
              `  ${f.level} ${f.type} 位于 ${f.start}-${f.end}（${f.rule}）`,
            ),
          );
      } catch (error) {
        if (error instanceof ConfigError) return fail(sayConfigError(error.message));
        const { code = String(error) } = error as NodeJS.ErrnoException;
        fail(say(`${file} cannot be read: ${code}`, `无法读取 ${file}：${code}`));
      }
    });
}

function stateText(state: "green" | "yellow" | "red"): string {
  const chinese = { green: "正常（green）", yellow: "需留意（yellow）", red: "不成立（red）" };
  return say(state, chinese[state]);
}

function withCommand(text: string, command: string | null): string {
  return command === null || text.includes(command) ? text : `${text}：${command}`;
}

/** The checks read the files; whether the proxy is up at this moment is a matter of its own. */
async function sayWhetherUp(now: Engine): Promise<void> {
  const port = now.config().privacy.proxyPort;
  if (now.config().managed.changes.length === 0 || (await canConnect(port))) return;
  print(
    say(
      `The gateway is not running (nothing answers at the proxy's port ${port}): start it with openclaw gateway.`,
      `网关没有运行（代理端口 ${port} 没有应答）：请用 openclaw gateway 启动。`,
    ),
  );
}

function addPromptCommands(root: Command, engine: () => Engine): void {
  root
    .command("prompts [action] [name]")
    .description(
      say(
        "Prompts of the local models: list | show NAME | save NAME --file FILE | reset NAME",
        "本地模型的提示词：list | show 名称 | save 名称 --file 文件 | reset 名称",
      ),
    )
    .option("--file <file>", say("Markdown file to save", "要保存的 Markdown 文件"))
    .action((action: string | undefined, name: string | undefined, options: { file?: string }) => {
      const api = new RouterApi(engine());
      try {
        if (action === undefined || action === "list") {
          for (const prompt of api.prompts())
            print(
              say(
                `${prompt.name}  ${prompt.edited ? "edited" : "as shipped"}  ${prompt.text.length} characters`,
                `${prompt.name}  ${prompt.edited ? "已修改" : "出厂内容"}  ${prompt.text.length} 个字符`,
              ),
            );
        } else if (name === undefined)
          fail(
            say(
              "name a prompt: openclaw clawxrouter prompts list",
              "请给出提示词名称，可用：openclaw clawxrouter prompts list",
            ),
          );
        else if (action === "show") process.stdout.write(engine().prompts.read(name).text);
        else if (action === "reset") {
          const { name: done } = api.resetPrompt(name);
          print(say(`${done} is as shipped.`, `${done} 已恢复出厂内容。`));
        } else if (action === "save" && options.file !== undefined) {
          const { name: done } = api.savePrompt(name, readFileSync(options.file, "utf8"));
          print(say(`${done} is saved.`, `${done} 已保存。`));
        } else
          fail(
            say(
              "use: prompts list | show NAME | save NAME --file FILE | reset NAME",
              "用法：prompts list | show 名称 | save 名称 --file 文件 | reset 名称",
            ),
          );
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
}
