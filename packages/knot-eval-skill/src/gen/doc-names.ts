import path from "node:path";
import * as z from "zod";
import type { LoadedConfig } from "../config/load.ts";
import { configError, StageError } from "../exit-codes.ts";
import { readText } from "../files/text.ts";

/** Names from `qa_gen.doc_list_file`: a JSON list, or one name a line with # comments. */
async function fromFile(file: string): Promise<string[]> {
  const text = await readText(file).catch((error: unknown) => {
    if (error instanceof StageError) throw error;
    throw configError(
      `qa_gen.doc_list_file: cannot read ${file}: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
  if (/^\s*\[/.test(text)) {
    try {
      return z.array(z.string()).parse(JSON.parse(text));
    } catch {
      throw configError(`qa_gen.doc_list_file: ${file} must be a JSON list of names, or one name a line`);
    }
  }
  return text.split(/\r?\n/).filter((line) => !line.trim().startsWith("#"));
}

/** Document names given by hand, without repetitions. */
export async function listedDocuments(loaded: LoadedConfig): Promise<string[]> {
  const { doc_names: names, doc_list_file: file } = loaded.config.qa_gen;
  const all = [...names, ...(file ? await fromFile(path.resolve(loaded.baseDir, file)) : [])];
  return [...new Set(all.map((name) => name.trim()).filter((name) => name !== ""))];
}

/** What to say when there is nothing to make questions from. */
export function noDocuments(): never {
  throw configError(
    [
      "No documents to make questions from / 没有可出题的文档。Two ways out / 两种解决方案:",
      "  1. list the document names in qa_gen.doc_names (or a file in qa_gen.doc_list_file): complete and under your control (recommended)",
      "  2. set qa_gen.auto_discover_docs: true to infer them by searching the knowledge base: may be incomplete",
    ].join("\n"),
  );
}
