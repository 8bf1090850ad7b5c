/** `openclaw clawxrouter sessions list | export` and `memory diff | sync`. */
import path from "node:path";
import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import { listSessionEntries, loadTranscriptEventsSync } from "openclaw/plugin-sdk/session-store-runtime";
import { writePrivateFile } from "../config-file/file.ts";
import type { Engine } from "../engine/engine.ts";
import { exportTrack, sessionFileName, type Track } from "../sessions/export.ts";
import { type Command, fail, print, table } from "./command.ts";

export function addSessionCommands(root: Command, api: OpenClawPluginApi, engine: () => Engine): void {
  const sessions = root.command("sessions").description("Conversations: list, export");
  sessions
    .command("list")
    .description("Conversations of which the vault holds values")
    .action(() => {
      const rows = engine()
        .vault()
        .sessions()
        .map(({ session, values }) => [session === "" ? "(no conversation)" : session, `${values} values`]);
      print(rows.length === 0 ? "The vault is empty." : table(rows));
    });
  sessions
    .command("export")
    .description(
      "Write conversations as JSON Lines: --full with every value, --clean as a cloud model may see them",
    )
    .option("--full", "with every private value; stays on this machine")
    .option("--clean", "without private values (default)")
    .option("--agent <id>", "agent", "main")
    .option("--session <key>", "only this session key")
    .option("--out <dir>", "folder for one file a conversation; default: print")
    .action((options: { full?: boolean; agent: string; session?: string; out?: string }) => {
      try {
        exportSessions(engine(), options.full === true ? "full" : "clean", options);
      } catch (error) {
        fail(error instanceof Error ? error.message : String(error));
      }
    });
  const memory = root
    .command("memory")
    .description("Dual memory: MEMORY.md (clean) and MEMORY-FULL.md (this machine only)");
  const workspaceOf = (agentId: string) => api.runtime.agent.resolveAgentWorkspaceDir(api.config, agentId);
  for (const action of ["diff", "sync"] as const) {
    memory
      .command(action)
      .description(action === "diff" ? "Show what sync would change" : "Bring both sides together")
      .option("--agent <id>", "agent", "main")
      .action((options: { agent: string }) => {
        const now = engine();
        const dir = workspaceOf(options.agent);
        const reports =
          action === "diff" ? now.memory.diff(options.agent, dir) : now.memory.sync(options.agent, dir);
        if (reports.length === 0) print(`No memory files in ${dir} or ${now.memory.fullDir(options.agent)}.`);
        for (const { name, changed, conflicts, skipped } of reports) {
          if (skipped !== undefined) {
            print(`${name}: left as it is: ${skipped}`);
            continue;
          }
          const sides = [
            changed.clean ? "clean side changes" : "",
            changed.full ? "full side changes" : "",
          ].filter((text) => text !== "");
          print(`${name}: ${sides.join(", ") || "in step"}`);
          for (const { line, left, right } of conflicts)
            print(
              `  conflict at line ${line}: ${left.length} lines on the full side, ${right.length} on the clean side; both are kept`,
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
