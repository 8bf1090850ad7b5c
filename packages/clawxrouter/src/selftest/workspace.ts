import { readdirSync } from "node:fs";
import path from "node:path";
import { SELFTEST_PREFIX } from "./names.ts";

/** What OpenClaw itself leaves in a workspace; it does not count as content (OpenClaw 2026.9.6). */
const OF_THE_HOST = new Set([".DS_Store", ".openclaw", "openclaw-workspace-state.json"]);

/**
 * Whether a workspace has content of its own. OpenClaw notes of one that has that it is in use, and refuses every
 * later turn (`WORKSPACE_VANISHED`) when it finds it empty within a day: a file that is put into an empty workspace
 * for a moment breaks the user's gateway.
 */
export function hasContent(workspace: string): boolean {
  try {
    return readdirSync(workspace, { withFileTypes: true }).some((entry) => {
      if (OF_THE_HOST.has(entry.name) || entry.name.startsWith(SELFTEST_PREFIX)) return false;
      // The host counts `skills` only with a skill in it.
      return !(entry.name === "skills" && entry.isDirectory()) || hasSkill(path.join(workspace, "skills"));
    });
  } catch {
    return false; // None is there, or nobody may look: nothing is put into it.
  }
}

function hasSkill(folder: string): boolean {
  return readdirSync(folder, { withFileTypes: true }).some(
    (entry) =>
      entry.isDirectory() && readdirSync(path.join(folder, entry.name)).some((name) => name === "SKILL.md"),
  );
}
