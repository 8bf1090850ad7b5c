/** All commands of `llm-logs`, in the order of the help. */

import { listCommand } from "./list.ts";
import type { Command } from "./spec.ts";
import { statusCommand } from "./status.ts";

export const commands: Command[] = [listCommand, statusCommand];
