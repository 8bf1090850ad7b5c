/**
 * A copy of the last valid clawxrouter.json: a gateway that starts while the file is broken or gone has no other way to
 * know the user's rules.
 */
import { readFileSync } from "node:fs";
import { checkBuildable } from "./buildable.ts";
import { withManaged } from "./managed-copy.ts";
import { checkConfig } from "./parse.ts";
import { writePrivateFile } from "./private-file.ts";
import type { RouterConfig } from "./schema.ts";

/** Makes the copy say what a valid file says. Never throws: without a copy all is as it was. */
export function keepLastGood(file: string, copy: string): void {
  try {
    const text = readFileSync(file, "utf8");
    if (text.trim() !== "" && text !== textOf(copy)) writePrivateFile(copy, text);
  } catch {
    // The file went, or the folder cannot be written.
  }
}

/** The settings of the copy, with what setup keeps now; undefined when there is none, or none of use. */
export function readLastGood(file: string, copy: string): RouterConfig | undefined {
  try {
    const { managed: _, ...raw } = JSON.parse(textOf(copy) ?? "") as Record<string, unknown>;
    const config = checkConfig(withManaged(raw, file), copy);
    checkBuildable(config, copy);
    return config;
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
