/**
 * Loads code routers and custom detectors. A module is named only in clawxrouter.json on disk, never through the
 * dashboard or a request: whoever can write that file can already run code as the user.
 */
import path from "node:path";
import { pathToFileURL } from "node:url";

/**
 * The file a module setting means.
 * @param module as written: a path, absolute or relative to the folder of clawxrouter.json
 * @throws for anything but a path, e.g. `data:`, `http:` or a package name
 */
export function modulePath(module: string, configFile: string): string {
  if (/^[A-Za-z][A-Za-z0-9+.-]+:/.test(module) || module.includes("\0")) {
    throw new Error(`module "${shorten(module)}": only a path of a file is allowed, not a URL`);
  }
  if (!path.isAbsolute(module) && !module.startsWith("./") && !module.startsWith("../")) {
    throw new Error(
      `module "${shorten(module)}": must start with "/", "./" or "../" (relative to ${path.dirname(configFile)})`,
    );
  }
  if (!/\.(?:js|mjs|cjs|ts|mts)$/.test(module))
    throw new Error(`module "${shorten(module)}": must be a .js, .mjs, .cjs or .ts file`);
  return path.resolve(path.dirname(configFile), module);
}

/**
 * Imports a module's default export.
 * @param stamp changes with the file, so that an edited module is loaded anew
 */
export async function loadModule(file: string, stamp: number): Promise<unknown> {
  const loaded = (await import(`${pathToFileURL(file).href}?v=${stamp}`)) as { default?: unknown };
  return loaded.default;
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
