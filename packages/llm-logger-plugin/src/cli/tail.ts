/** `llm-logs tail [-f]`: the newest calls, then every new one as it ends. */
import { setTimeout as wait } from "node:timers/promises";
import { type CallRecord, toCallRecord } from "../read/call-record.ts";
import { matches } from "../read/filter.ts";
import { parseLine, scanFile } from "../read/scan.ts";
import { listLogFiles } from "../store/retention.ts";
import { callTable, filterOf, filterOptions, findCalls } from "./list.ts";
import { type Command, count } from "./spec.ts";

const POLL_MS = 250;

export const tailCommand: Command = {
  name: "tail",
  usage: "",
  summary: "The newest calls; -f follows / 跟踪新调用",
  options: {
    ...filterOptions,
    follow: { short: "f", help: "wait for new calls" },
    limit: { value: "n", short: "n", help: "start with this many (default 10)" },
    json: { help: "one JSON object a line" },
  },
  async run(context) {
    const filter = filterOf(context);
    const show = (...calls: CallRecord[]) => {
      if (calls.length === 0) return;
      if (context.options.json) for (const call of calls) context.out(`${JSON.stringify(call)}\n`);
      else context.out(callTable(calls, context.columns, false));
    };
    // Sizes are taken first: what is written while the start is shown is not missed.
    const offsets = new Map((await listLogFiles(context.location)).map((file) => [file.file, file.bytes]));
    show(...(await findCalls(context, filter, count(context, "limit") ?? 10)));
    while (context.options.follow && !context.signal.aborted) {
      await wait(POLL_MS, undefined, { signal: context.signal }).catch(() => undefined);
      for (const { file, bytes } of await listLogFiles(context.location)) {
        const known = offsets.get(file) ?? 0;
        // Shorter than it was: deleted and begun anew.
        let from = bytes < known ? 0 : known;
        if (bytes <= from) continue;
        await scanFile(file, from, (line, offset) => {
          from = offset + line.length + 1;
          const record = line.subarray(0, 200).includes('"eventType":"llm_call"')
            ? parseLine(line)
            : undefined;
          const call = record && toCallRecord(record);
          if (call && matches(call, filter)) show(call);
          return true;
        });
        offsets.set(file, from);
      }
    }
    return 0;
  },
};
