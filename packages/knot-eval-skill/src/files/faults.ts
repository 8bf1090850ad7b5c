import { configError, infrastructureError, type StageError } from "../exit-codes.ts";

/** What the user can do something about: a path that is wrong or not allowed. Exit 2. */
const WRONG_PLACE: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "not permitted",
  EROFS: "read-only file system",
  ENOTDIR: "a part of the path is a file, not a folder",
  EISDIR: "there is a folder of this name",
  EEXIST: "something of this name is in the way",
  ENAMETOOLONG: "the name is too long",
  ENOENT: "the folder cannot be made",
  ELOOP: "a circle of links",
};

/** What the machine is short of. Exit 3. */
const SHORT_OF: Readonly<Record<string, string>> = {
  ENOSPC: "no space left on the disk",
  EDQUOT: "disk quota reached",
  EFBIG: "the file would be larger than allowed",
  EIO: "the disk reported an error",
  EMFILE: "too many open files",
  ENFILE: "too many open files on this machine",
};

/** Gives a write error the file it was about: the system's own error of a write to an open file names none. */
export function namingFile(error: unknown, file: string): unknown {
  if (error instanceof Error && "syscall" in error && !("path" in error))
    return Object.assign(error, { path: file });
  return error;
}

/** The sentence for an error of the file system; undefined for any other error. */
export function describeFileFault(error: unknown): StageError | undefined {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return undefined;
  const code = String(error.code);
  const named = [("dest" in error && error.dest) || undefined, "path" in error ? error.path : undefined].find(
    (p): p is string => typeof p === "string" && p !== "",
  );
  // The temporary name of an atomic write means the file itself.
  const where = (named ?? "an output file").replace(/\.\d+\.[0-9a-f]{8}\.tmp$/, "");
  const wrong = WRONG_PLACE[code];
  if (wrong !== undefined)
    return configError(
      `Cannot use ${where}: ${wrong} (${code}). Choose a folder you may write to with --out or output.dir.`,
    );
  const short = SHORT_OF[code];
  return short === undefined
    ? undefined
    : infrastructureError(
        `Cannot write ${where}: ${short} (${code}). What was complete is on disk; make room and run the same command again.`,
      );
}
