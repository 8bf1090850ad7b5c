import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { configError } from "../exit-codes.ts";

/**
 * Text out of a user's file. UTF-8 with or without a byte-order mark, and UTF-16 with one (Windows Notepad's
 * "Unicode"); anything else is refused: read as UTF-8, a GBK file would silently become other words.
 *
 * @throws StageError (exit 2) that says how to save the file
 */
export function decodeText(bytes: Uint8Array, file: string): string {
  const [a, b] = bytes;
  const encoding =
    a === 0xff && b === 0xfe ? "utf-16le" : a === 0xfe && b === 0xff ? "utf-16be" : ("utf-8" as const);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw configError(
      `${file} is not ${encoding.toUpperCase()} text (perhaps GBK?): save it as UTF-8 / 文件不是 UTF-8 编码，请另存为 UTF-8`,
    );
  }
}

/** @throws the file system's error, or StageError (exit 2) for another encoding */
export async function readText(file: string): Promise<string> {
  return decodeText(await readFile(file), file);
}

/** As readText, at once. */
export function readTextSync(file: string): string {
  return decodeText(readFileSync(file), file);
}
