/** What the gateway's state is now, as events: the hub tells what has changed. */
import { statSync } from "node:fs";
import { type RouterApi, versionOf } from "../../api/index.ts";
import type { Engine } from "../../engine/engine.ts";
import { PROMPT_NAMES } from "../../prompts.ts";
import type { StreamEvent } from "../contract.ts";

/** How long what needs a look at the disk is good for, in milliseconds. */
const FRESH_MS = 1_500;

export function dashboardStates(engine: Engine, api: RouterApi): () => readonly StreamEvent[] {
  let at = 0;
  let states: StreamEvent[] = [];
  return () => {
    const now = Date.now();
    if (now - at < FRESH_MS) return states;
    at = now;
    states = [
      { event: "posture", data: { state: engine.posture().state } },
      { event: "config", data: { version: api.config.version(), error: engine.settings.error() ?? null } },
      { event: "prompts", data: { version: promptsVersion(engine) } },
    ];
    return states;
  };
}

/** Changes with every edit of a prompt's file, here or on disk. */
function promptsVersion(engine: Engine): string {
  const marks = PROMPT_NAMES.map((name) => {
    try {
      const { mtimeMs, size, ino } = statSync(engine.prompts.file(name));
      return `${name} ${mtimeMs} ${size} ${ino}`;
    } catch {
      return name;
    }
  });
  return versionOf(marks.join("\n"));
}
