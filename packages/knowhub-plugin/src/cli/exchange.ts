import { createReadStream } from "node:fs";
import { open, readFile, rename, rm } from "node:fs/promises";
import path from "node:path";
import { tooDeep } from "../record/depth.ts";
import { recordSchema, saveInputSchema } from "../record/schema.ts";
import { tokenFile } from "../server/token.ts";
import type { EmbeddedBackend } from "../service/embedded.ts";
import type { Command } from "./commands.ts";
import { HUMAN, noteRemote, numberOption } from "./items.ts";
import { WORDS } from "./words.ts";

/** How often a long export or import says how far it is, and lets other work of the process run. */
const STEP = 200;

export const exportCommand: Command = {
  usage: "export <file>",
  description: "Write all items to a JSONL file, one record a line (导出)",
  async run({ output, language, config, hub }, [file = ""]) {
    noteRemote({ config, output, language });
    const store = hub().store();
    const target = path.resolve(file);
    const temporary = `${target}.${process.pid}.tmp`;
    const handle = await open(temporary, "w", 0o600);
    let count = 0;
    try {
      let lines = "";
      for (const { record, trust } of store.all("")) {
        lines += `${JSON.stringify({ ...record, trust })}\n`;
        count += 1;
        if (count % STEP === 0) {
          await handle.write(lines);
          lines = "";
          output.progress(`${count} exported`);
        }
      }
      await handle.write(lines);
      await handle.sync();
    } catch (error) {
      await handle.close();
      await rm(temporary, { force: true });
      throw error;
    }
    await handle.close();
    await rename(temporary, target);
    output.out(WORDS[language].exported(count, target));
    return 0;
  },
};

/** Largest JSON array that is read at once, and longest line of a JSONL file, bytes. */
const MAX_ARRAY = 256 * 1024 * 1024;
const MAX_LINE = 8 * 1024 * 1024;

/** The records of a JSONL file one by one, or of a JSON array. */
async function* records(file: string): AsyncGenerator<{ line: number; value: unknown }> {
  const handle = await open(file, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(64), 0, 64, 0);
  const { size } = await handle.stat();
  await handle.close();
  if (buffer.subarray(0, bytesRead).toString("utf8").replace("\ufeff", "").trimStart().startsWith("[")) {
    if (size > MAX_ARRAY) throw new Error(`${file} is too large for a JSON array; write one record a line`);
    for (const [index, value] of jsonArray(file, await readFile(file, "utf8")).entries())
      yield { line: index + 1, value };
    return;
  }
  let line = 0;
  for await (const text of linesOf(file)) {
    line += 1;
    const trimmed = text.replace(/^\ufeff/, "").trim();
    if (!trimmed) continue;
    let value: unknown;
    try {
      value = JSON.parse(trimmed);
    } catch {
      value = undefined;
    }
    yield { line, value };
  }
}

function jsonArray(file: string, text: string): unknown[] {
  try {
    return JSON.parse(text.replace("\ufeff", "")) as unknown[];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file} is not a whole JSON array (${reason}); nothing was imported`);
  }
}

/** Lines of a file; of one that is too long to be a record only the beginning, so that no file fills the memory. */
async function* linesOf(file: string): AsyncGenerator<string> {
  let pending = "";
  for await (const chunk of createReadStream(file, "utf8") as AsyncIterable<string>) {
    const parts = chunk.split("\n");
    for (const [i, part] of parts.entries()) {
      if (pending.length < MAX_LINE) pending += part;
      if (i < parts.length - 1) {
        yield pending;
        pending = "";
      }
    }
  }
  yield pending;
}

/** Imports one record. @returns what became of it, or why it is none */
export function importRecord(backend: EmbeddedBackend, value: unknown): "saved" | "known" | string {
  if (tooDeep(value)) return "nested too deeply";
  const full = recordSchema.safeParse(value);
  if (full.success) return backend.importRecord(full.data);
  const bare = saveInputSchema.safeParse(value);
  if (!bare.success) {
    const issue = full.error.issues[0];
    return value === undefined ? "not JSON" : `${issue?.path.join(".") || "record"}: ${issue?.message}`;
  }
  return backend.saveAs(bare.data, HUMAN, "imported").state === "saved" ? "saved" : "known";
}

export const importCommand: Command = {
  usage: "import <file>",
  description: "Read items from a JSONL file or a JSON array; what is there already is left out (导入)",
  async run({ output, language, config, hub }, [file = ""]) {
    noteRemote({ config, output, language });
    const w = WORDS[language];
    const knowhub = hub();
    const { embedded } = knowhub.parts(config());
    const store = knowhub.store();
    let [saved, there, bad] = [0, 0, 0];
    let batch: { line: number; value: unknown }[] = [];
    const flush = () => {
      store.transaction(() => {
        for (const { line, value } of batch) {
          const result = importRecord(embedded, value);
          if (result === "saved") saved += 1;
          else if (result === "known") there += 1;
          else {
            bad += 1;
            if (bad <= 20) output.err(w.line(line, result));
          }
        }
      });
      batch = [];
      output.progress(`${saved + there + bad} read, ${saved} imported`);
    };
    for await (const entry of records(path.resolve(file))) {
      batch.push(entry);
      if (batch.length >= STEP) flush();
    }
    flush();
    output.out(w.imported(saved, there, bad));
    if (saved > 0) output.out(w.importedHint);
    return bad > 0 ? 1 : 0;
  },
};

export const serveCommand: Command = {
  usage: "serve",
  description: "Offer the embedded knowledge base on 127.0.0.1 until Ctrl-C (对外提供服务)",
  options: [{ flags: "--port <n>", description: "Port on 127.0.0.1; default: the setting serve.port" }],
  async run({ output, language, config, hub }, _args, options) {
    const knowhub = hub();
    const port = numberOption(options.port, "port", config().serve.port, 0, 65_535);
    const served = await knowhub.serve(config(), port);
    output.out(WORDS[language].serving(served.url));
    output.out(WORDS[language].token(tokenFile(knowhub.stateDir)));
    await new Promise<void>((resolve) => {
      for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    });
    await served.close();
    await knowhub.stop();
    return 0;
  },
};
