/** All commands of `llm-logs`, in the order of the help. */
import { diffCommand } from "./diff.ts";
import { exportCommand } from "./export.ts";
import { htmlCommand } from "./html.ts";
import { listCommand } from "./list.ts";
import { pruneCommand } from "./prune.ts";
import { replayCommand } from "./replay.ts";
import { showCommand } from "./show.ts";
import type { Command } from "./spec.ts";
import { statsCommand } from "./stats.ts";
import { statusCommand } from "./status.ts";
import { tailCommand } from "./tail.ts";

export const commands: Command[] = [
  listCommand,
  showCommand,
  tailCommand,
  diffCommand,
  statsCommand,
  exportCommand,
  replayCommand,
  htmlCommand,
  pruneCommand,
  statusCommand,
];
