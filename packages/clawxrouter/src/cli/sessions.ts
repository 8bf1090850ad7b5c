/** `openclaw clawxrouter sessions list | export` and `memory diff | sync`. */
import path from "node:path";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { listSessionEntries, loadTranscriptEventsSync } from "openclaw/plugin-sdk/session-store-runtime";
import { writePrivateFile } from "../config-file/file.ts";
import type { Engine } from "../engine/engine.ts";
import { exportTrack, sessionFileName, type Track } from "../sessions/export.ts";
import { type Command, fail, print, table } from "./command.ts";
import { say } from "./language.ts";

export function addSessionCommands(root: Command, api: OpenClawPluginApi, engine: () => Engine): void {
  const sessions = root
    .command("sessions")
    .description(say("Conversations: list, export", "会话：list、export"));
  sessions
    .command("list")
    .description(say("Conversations of which the vault holds values", "保险库中存有其值的会话"))
    .action(() => {
      const rows = engine()
        .vault()
        .sessions()
        .map(({ session, values }) => [
          session === "" ? say("(no conversation)", "（不属于任何会话）") : session,
          say(`${values} values`, `${values} 个值`),
        ]);
      print(rows.length === 0 ? say("The vault is empty.", "保险库是空的。") : table(rows));
    });
  sessions
    .command("export")
    .description(
      say(
        "Write conversations as JSON Lines: --full with every value, --clean as a cloud model may see them",
        "把会话写成 JSON Lines：--full 含全部值，--clean 为云端模型可见的样子",
      ),
    )
    .option("--full", say("with every private value; stays on this machine", "含全部私密值，请留在本机"))
    .option("--clean", say("without private values (default)", "不含私密值（默认）"))
    .option("--agent <id>", say("agent", "智能体"), "main")
    .option("--session <key>", say("only this session key", "只导出这个会话"))
    .option(
      "--out <dir>",
      say("folder for one file a conversation; default: print", "每个会话一个文件的目录；默认打印到屏幕"),
    )
    .action((options: { full?: boolean; agent: string; session?: string; out?: string }) => {
      try {
        exportSessions(engine(), options.full === true ? "full" : "clean", options);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
  const memory = root
    .command("memory")
    .description(
      say(
        "Dual memory: MEMORY.md (clean) and MEMORY-FULL.md (this machine only)",
        "双份记忆：MEMORY.md（干净）与 MEMORY-FULL.md（只在本机）",
      ),
    );
  const workspaceOf = (agentId: string) => api.runtime.agent.resolveAgentWorkspaceDir(api.config, agentId);
  for (const action of ["diff", "sync"] as const) {
    memory
      .command(action)
      .description(
        action === "diff"
          ? say("Show what sync would change", "显示 sync 会改什么")
          : say("Bring both sides together", "让两份一致"),
      )
      .option("--agent <id>", say("agent", "智能体"), "main")
      .action((options: { agent: string }) => {
        const now = engine();
        const dir = workspaceOf(options.agent);
        const reports =
          action === "diff" ? now.memory.diff(options.agent, dir) : now.memory.sync(options.agent, dir);
        if (reports.length === 0) {
          const full = now.memory.fullDir(options.agent);
          print(say(`No memory files in ${dir} or ${full}.`, `${dir} 和 ${full} 里都没有记忆文件。`));
        }
        for (const { name, changed, conflicts, skipped } of reports) {
          if (skipped !== undefined) {
            print(say(`${name}: left as it is: ${skipped}`, `${name}：保持原样：${skipped}`));
            continue;
          }
          const sides = [
            changed.clean ? say("clean side changes", "干净一侧有改动") : "",
            changed.full ? say("full side changes", "完整一侧有改动") : "",
          ].filter((text) => text !== "");
          print(`${name}: ${sides.join(", ") || say("in step", "两侧一致")}`);
          for (const { line, left, right } of conflicts)
            print(
              say(
                `  conflict at line ${line}: ${left.length} lines on the full side, ${right.length} on the clean side; both are kept`,
                `  第 ${line} 行冲突：完整一侧 ${left.length} 行，干净一侧 ${right.length} 行，两者都保留`,
              ),
            );
        }
      });
  }
}

function exportSessions(
  now: Engine,
  track: Track,
  options: { agent: string; session?: string; out?: string },
): void {
  const entries = listSessionEntries({ agentId: options.agent, readOnly: true }).filter(
    ({ sessionKey }) => options.session === undefined || sessionKey === options.session,
  );
  if (entries.length === 0)
    throw new Error(
      options.session === undefined
        ? `agent ${options.agent} has no sessions`
        : `there is no session ${options.session}`,
    );
  for (const { sessionKey, entry } of entries) {
    const events = loadTranscriptEventsSync({
      agentId: options.agent,
      sessionId: entry.sessionId,
      sessionKey,
    });
    const talk = now.conversation(sessionKey);
    const detector = now.detector();
    const text = exportTrack(events, track, talk, (part) =>
      talk.redact(part, [...detector.detectByRules(part).findings, ...talk.findKnown(part)]),
    );
    if (options.out === undefined) process.stdout.write(text);
    else {
      const file = path.join(path.resolve(options.out), track, sessionFileName(sessionKey));
      writePrivateFile(file, text);
      print(file);
    }
  }
}
