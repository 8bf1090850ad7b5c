/** `llm-logs export --har`: calls for any tool that reads HTTP archives. */
import { open } from "node:fs/promises";
import packageJson from "../../package.json" with { type: "json" };
import { toCallRecord } from "../read/call-record.ts";
import { matches, relevantFiles } from "../read/filter.ts";
import { HAR_TAIL, harEntry, harHead } from "../read/har.ts";
import { type LogRecord, scanFiles } from "../read/scan.ts";
import { progress } from "./format.ts";
import { filterOf, filterOptions } from "./list.ts";
import { loadFiles } from "./load.ts";
import { type Command, text, UsageError } from "./spec.ts";

interface Parts {
  request?: LogRecord;
  response?: LogRecord;
}

export const exportCommand: Command = {
  name: "export",
  usage: "",
  summary: "HTTP archive of matching calls / 导出 HAR",
  options: {
    ...filterOptions,
    har: { help: "as HAR 1.2 (the only format, and the default)" },
    out: { value: "file", short: "o", help: "write to this file (0600) instead of standard output" },
  },
  async run(context) {
    const filter = filterOf(context);
    const files = relevantFiles(await loadFiles(context), filter, context.location);
    const target = text(context, "out");
    const handle =
      target === undefined
        ? undefined
        : await open(target, "w", 0o600).catch((error: Error) => {
            throw new UsageError(`cannot write ${target}: ${error.message}`);
          });
    const write = async (piece: string) => {
      if (handle) await handle.write(piece);
      else context.out(piece);
    };
    const bar = progress(context, "exporting");
    // Request and response of a call stand before its summary: only calls under way are held in memory.
    const waiting = new Map<string, Parts>();
    const entries: object[] = [];
    let count = 0;
    await write(harHead(packageJson.version));
    const flush = async () => {
      for (const entry of entries.splice(0))
        await write(`${count++ === 0 ? "" : ",\n"}${JSON.stringify(entry)}`);
    };
    for (const file of files) {
      await scanFiles(
        [file],
        {
          types: ["http_request", "http_response", "llm_call"],
          onProgress: bar.update,
          signal: context.signal,
        },
        (record) => {
          const id = String(record.attemptId);
          if (record.eventType === "http_request") waiting.set(id, { request: record });
          else if (record.eventType === "http_response")
            waiting.set(id, { ...waiting.get(id), response: record });
          else {
            const parts = waiting.get(id);
            waiting.delete(id);
            const call = toCallRecord(record);
            if (parts?.request && call && matches(call, filter))
              entries.push(harEntry(parts.request, parts.response, record));
          }
          if (waiting.size > 5000) waiting.delete(waiting.keys().next().value ?? "");
        },
      );
      await flush();
    }
    await write(HAR_TAIL);
    bar.end();
    await handle?.close();
    context.err(
      `${count} call(s) exported${target === undefined ? "" : ` to ${target}`}. Prompts and answers are in it: share it with care.\n`,
    );
    return 0;
  },
};
