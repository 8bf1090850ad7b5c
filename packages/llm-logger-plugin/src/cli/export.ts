/** `llm-logs export --har`: calls for any tool that reads HTTP archives. */
import { open } from "node:fs/promises";
import packageJson from "../../package.json" with { type: "json" };
import { toCallRecord } from "../read/call-record.ts";
import { matches, relevantFiles } from "../read/filter.ts";
import { HAR_TAIL, harEntry, harHead } from "../read/har.ts";
import { type LogRecord, type RecordPosition, readRecord, scanFiles } from "../read/scan.ts";
import { progress } from "./format.ts";
import { filterOf, filterOptions } from "./list.ts";
import { loadFiles } from "./load.ts";
import { type Command, type CommandContext, text, UsageError } from "./spec.ts";

/** Where request and response of a call stand. Only places are held: bodies are read when the call is written. */
interface Places {
  request?: RecordPosition;
  response?: RecordPosition;
}

/** Calls whose summary never came (a killed gateway) are forgotten beyond this many. */
const MAX_WAITING = 100_000;

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
    const output = await openOutput(context);
    const bar = progress(context, "exporting");
    const waiting = new Map<string, Places>();
    const ready: { places: Places; call: LogRecord }[] = [];
    let exported = 0;
    const left = new LeftOut();
    const flush = async () => {
      for (const { places, call } of ready.splice(0)) {
        const request = places.request && (await readRecord(places.request));
        if (!request) {
          left.gone++;
          continue;
        }
        const response = places.response && (await readRecord(places.response));
        await output.write(
          `${exported++ === 0 ? "" : ",\n"}${JSON.stringify(harEntry(request, response, call))}`,
        );
      }
    };
    await output.write(harHead(packageJson.version));
    const { bad } = await scanFiles(
      files,
      {
        types: ["http_request", "http_response", "llm_call"],
        until: filter.text === undefined ? [',"body":', ',"message":'] : [',"body":'],
        onProgress: bar.update,
        onPause: flush,
        signal: context.signal,
      },
      (record, position) => {
        const id = String(record.attemptId);
        if (record.eventType === "http_request") waiting.set(id, { request: position });
        else if (record.eventType === "http_response")
          waiting.set(id, { ...waiting.get(id), response: position });
        else {
          const places = waiting.get(id);
          waiting.delete(id);
          const call = toCallRecord(record);
          if (!call || !matches(call, filter)) return;
          if (places?.request) ready.push({ places, call: record });
          else if (call.via === "websocket") left.sockets++;
          else if (call.outcome === "no_http") left.unseen++;
          else left.gone++;
        }
        if (waiting.size > MAX_WAITING) {
          waiting.delete(waiting.keys().next().value ?? "");
          left.unfinished++;
        }
      },
    );
    await flush();
    await output.write(HAR_TAIL);
    await output.close();
    bar.end();
    left.unfinished += waiting.size;
    left.damaged = bad;
    context.err(
      `${exported} call(s) exported${output.name}.${left.text()} Prompts and answers are in it: share it with care. / 已导出 ${exported} 次调用；含提示词与回答，分享前请留意。\n`,
    );
    return 0;
  },
};

/** Matching calls that are not in the archive, by reason. */
class LeftOut {
  /** Frames have no place in a HAR. */
  sockets = 0;
  /** No traffic was seen. */
  unseen = 0;
  /** The request's line is not in the log: deleted with its file, or `includeHttp` was off. */
  gone = 0;
  /** Requests without a summary: whether they match the filter is not known. */
  unfinished = 0;
  /** Lines that are no record. */
  damaged = 0;

  /** A sentence a kind, with a leading space; empty when nothing was left out. */
  text(): string {
    const skipped = this.sockets + this.unseen + this.gone;
    const reasons = [
      this.sockets > 0 && `${this.sockets} over WebSocket (no place in a HAR)`,
      this.unseen > 0 && `${this.unseen} without HTTP traffic (no_http)`,
      this.gone > 0 && `${this.gone} whose request is not in the log`,
    ].filter(Boolean);
    return [
      skipped > 0 && ` ${skipped} skipped 略过: ${reasons.join(", ")}.`,
      this.unfinished > 0 &&
        ` ${this.unfinished} request(s) without a summary (under way, or the gateway was killed) are not in it.`,
      this.damaged > 0 && ` ${this.damaged} damaged line(s) were passed over.`,
    ]
      .filter(Boolean)
      .join("");
  }
}

/** The file asked for, or standard output at the pace of its reader. */
async function openOutput(
  context: CommandContext,
): Promise<{ name: string; write(piece: string): Promise<void>; close(): Promise<void> }> {
  const target = text(context, "out");
  if (target === undefined) {
    return {
      name: "",
      async write(piece) {
        context.raw(piece);
        await context.drained();
      },
      async close() {},
    };
  }
  const handle = await open(target, "w", 0o600).catch((error: Error) => {
    throw new UsageError(`cannot write ${target}: ${error.message} / 无法写入`);
  });
  return {
    name: ` to ${target}`,
    async write(piece) {
      await handle.appendFile(piece);
    },
    close: () => handle.close(),
  };
}
