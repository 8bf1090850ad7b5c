/**
 * A second copy of what `setup` keeps in clawxrouter.json (the true addresses, openclaw.json as it was): the file may be
 * deleted, emptied or written anew by somebody who knows nothing of it, and without it there is no way back.
 */
import { readFileSync, rmSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { ConfigError, checkConfig } from "./parse.ts";
import { writePrivateFile } from "./private-file.ts";

type Raw = Record<string, unknown>;

/** The copy of a configuration file: `clawxrouter.managed.json` beside `clawxrouter.json`. */
export function managedCopyOf(file: string): string {
  const { dir, name } = path.parse(file);
  return path.join(dir, `${name}.managed.json`);
}

/** The document with what setup keeps, from the copy where the document does not say it itself. */
export function withManaged(raw: Raw, file: string): Raw {
  if (raw.managed !== undefined) return raw;
  const managed = readCopy(file);
  return managed === undefined ? raw : { ...raw, managed };
}

/** Makes the copy say what the document says; to be called before the document is written. */
export function keepManaged(raw: Raw, file: string): void {
  const copy = managedCopyOf(file);
  if (raw.managed === undefined) rmSync(copy, { force: true });
  else if (!isDeepStrictEqual(raw.managed, readCopy(file)))
    writePrivateFile(copy, `${JSON.stringify(raw.managed, null, 2)}\n`);
}

/** What the copy holds; undefined when there is none, or nothing of use in it. */
function readCopy(file: string): Raw | undefined {
  const copy = managedCopyOf(file);
  try {
    const managed: unknown = JSON.parse(readFileSync(copy, "utf8"));
    checkConfig({ managed }, copy);
    return managed as Raw;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing || error instanceof SyntaxError || error instanceof ConfigError) return undefined;
    throw error;
  }
}
