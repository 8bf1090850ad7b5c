/** `llm-logs prune`: applies the retention now. */

import { localDay } from "../store/paths.ts";
import { listLogFiles, prune } from "../store/retention.ts";
import { bytes } from "./format.ts";
import { type Command, number } from "./spec.ts";

export const pruneCommand: Command = {
  name: "prune",
  usage: "",
  summary: "Delete old logs by age and size / 清理旧日志",
  options: {
    days: { value: "n", help: "keep this many days (default: the setting)" },
    "max-bytes": { value: "n", help: "keep at most this many bytes (default: the setting)" },
    "dry-run": { help: "only say what would go" },
  },
  async run(context) {
    const policy = {
      days: number(context, "days") ?? context.retention.days,
      maxBytes: number(context, "max-bytes") ?? context.retention.maxBytes,
    };
    // The gateway may hold today's files open.
    const today = localDay(new Date());
    const current = new Set(
      (await listLogFiles(context.location)).filter((file) => file.day === today).map((file) => file.file),
    );
    const dryRun = context.options["dry-run"] === true;
    const gone = await prune(context.location, policy, current, { dryRun });
    for (const file of gone) context.out(`${file.file}\n`);
    const size = gone.reduce((sum, file) => sum + file.bytes, 0);
    context.err(
      `${gone.length} file(s), ${bytes(size)} ${dryRun ? "would be deleted" : "deleted"} (keep ${policy.days || "all"} days, ${policy.maxBytes > 0 ? bytes(policy.maxBytes) : "any size"})\n`,
    );
    return 0;
  },
};
