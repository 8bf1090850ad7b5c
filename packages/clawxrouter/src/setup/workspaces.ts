import os from "node:os";
import path from "node:path";
import { record } from "./host-view.ts";

/**
 * Workspace folder of each agent as openclaw.json gives it (OpenClaw docs: concepts/agent-workspace): the entry's own
 * `workspace`, else `agents.defaults.workspace`, else `<stateDir>/workspace`; other agents than `main` have
 * `workspace-<id>` beside it.
 */
export function workspacesOf(config: unknown, stateDir: string): ReadonlyMap<string, string> {
  const agents = record(record(config).agents);
  const set = folder(record(agents.defaults).workspace);
  const found = new Map([["main", set ?? path.join(stateDir, "workspace")]]);
  for (const [id, entry] of Object.entries(record(agents.entries))) {
    const own = folder(record(entry).workspace);
    if (own !== undefined) found.set(id, own);
    else if (id !== "main") found.set(id, `${found.get("main")}-${id}`);
  }
  return found;
}

function folder(value: unknown): string | undefined {
  if (typeof value !== "string" || value.trim() === "") return undefined;
  return path.resolve(value.replace(/^~(?=$|[\\/])/, os.homedir()));
}
