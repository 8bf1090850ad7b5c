/** Writes files atomically and privately. */
import { randomBytes } from "node:crypto";
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";

/**
 * Replaces `file` in one step (temporary file, fsync, rename), mode 0600, in a folder of mode 0700. Behind a symbolic
 * link its target is replaced and the link stays; on a failure nothing is left behind and `file` is as it was.
 * @param mode permissions of the new file; default 0600
 */
export function writePrivateFile(file: string, text: string, mode = 0o600): void {
  const target = targetOf(file);
  mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 });
  const temporary = `${target}.${process.pid}.${randomBytes(4).toString("hex")}.tmp`;
  const fd = openSync(temporary, "wx", mode);
  try {
    try {
      // Not `writeSync`: on a disk that is nearly full it writes a part and says nothing.
      writeFileSync(fd, text);
      fchmodSync(fd, mode);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    renameSync(temporary, target);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

/** As {@link writePrivateFile} for a file of somebody else's: it keeps the permissions it has. */
export function replaceFile(file: string, text: string): void {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode;
  writePrivateFile(file, text, mode === undefined ? 0o600 : mode & 0o777);
}

/** The file behind symbolic links; the path itself when there is none, or one that leads nowhere. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return file;
    throw error;
  }
}
