import { randomBytes } from "node:crypto";
import { open, rename, rm } from "node:fs/promises";
import path from "node:path";
import { configError, StageError } from "../exit-codes.ts";
import { namingFile } from "./faults.ts";
import { makeFolder } from "./folder.ts";
import { readText } from "./text.ts";

/**
 * Writes a file so that a reader (or a power cut) sees the old or the new content, never a part:
 * temporary file in the same folder, fsync, rename.
 *
 * @param mode permission bits; answers may quote internal documents, so the default is owner-only
 */
export async function writeFileAtomic(
  file: string,
  data: string | Uint8Array | Iterable<string>,
  mode = 0o600,
): Promise<void> {
  makeFolder(path.dirname(file));
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const handle = await open(temporary, "w", mode);
  try {
    if (typeof data === "string" || data instanceof Uint8Array) await handle.writeFile(data);
    else await handle.writeFile(joined(data));
    await handle.sync();
    await handle.close();
    await rename(temporary, file);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw namingFile(error, file);
  }
}

const PIECE_CHARS = 256 * 1024;

/** Small parts in pieces of a size worth a system call; the whole never stands in memory. */
function* joined(parts: Iterable<string>): Generator<Uint8Array> {
  let buffer: string[] = [];
  let size = 0;
  for (const part of parts) {
    buffer.push(part);
    size += part.length;
    if (size < PIECE_CHARS) continue;
    yield Buffer.from(buffer.join(""), "utf8");
    buffer = [];
    size = 0;
  }
  if (size > 0) yield Buffer.from(buffer.join(""), "utf8");
}

/** Writes JSON with two spaces and a final newline, atomically. */
export async function writeJson(file: string, value: unknown, mode?: number): Promise<void> {
  await writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`, mode);
}

/**
 * Reads a JSON file that an earlier stage or the user wrote.
 *
 * @param hint what to do when it is not there
 * @throws StageError (exit 2)
 */
export async function readJson(file: string, hint: string): Promise<unknown> {
  let text: string;
  try {
    text = await readText(file);
  } catch (error) {
    if (error instanceof StageError) throw error;
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw configError(`${missing ? "Not found" : "Cannot read"}: ${file}. ${hint}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw configError(
      `${file} is not valid JSON: ${error instanceof Error ? error.message : String(error)}. ${hint}`,
    );
  }
}
