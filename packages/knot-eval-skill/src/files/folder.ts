import { mkdirSync, statSync } from "node:fs";
import path from "node:path";

/**
 * Makes a folder and each missing parent, every one tried at most twice. Node's own `mkdirSync(.., {recursive: true})`
 * never returns where the system answers ENOENT although the parent exists (below `/proc`, seen with Node 24).
 *
 * @throws the system's error (`code`, `path`) of the folder that cannot be made
 */
export function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let at = path.resolve(folder); !made(at); at = path.dirname(at)) missing.push(at);
  for (const at of missing.reverse()) {
    // The parent exists now: ENOENT means that the system makes none here.
    if (!made(at)) throw refusal(at);
  }
}

/** @returns false when the parent is missing. @throws the system's error when it refuses for another reason. */
function made(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    // The root of a drive is refused with EPERM or EISDIR, a read-only one with EROFS, though it exists.
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return true;
    const missing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (missing && path.dirname(folder) !== folder) return false;
    throw error;
  }
}

function refusal(folder: string): Error {
  return Object.assign(new Error(`ENOENT: no such file or directory, mkdir '${folder}'`), {
    code: "ENOENT",
    syscall: "mkdir",
    path: folder,
  });
}
