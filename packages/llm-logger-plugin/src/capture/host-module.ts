/** Modules of the host, as the host itself has them loaded. */
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Loads a module the way the host's own code would find it: the same instance, because Node caches by path.
 * @param entry the host's main script.
 * @returns undefined when the host does not have it.
 */
export function hostModule(name: string, entry: string | undefined): unknown {
  for (const from of entryPoints(entry)) {
    try {
      return createRequire(pathToFileURL(from))(name) as unknown;
    } catch {
      // Not reachable from this entry; the next one may reach it.
    }
  }
  return undefined;
}

/** Scripts from which the host resolves: its launcher and its compiled code. */
export function entryPoints(entry: string | undefined): string[] {
  if (entry === undefined) return [];
  const launcher = path.resolve(entry);
  return [launcher, path.join(path.dirname(launcher), "dist", "index.js")];
}
