/**
 * Packs the plugins as `npm pack` gives them, from a clean staging folder: only what `files` names, a package.json
 * without development fields. The dependencies are in the bundle, so the tarball installs without a registry.
 *
 *   node scripts/pack.ts [--out DIR] [folder ...]
 *
 * Prints one line a tarball: its path.
 */
import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

export const PLUGIN_FOLDERS = ["clawxrouter", "llm-logger-plugin", "knowhub-plugin"] as const;

export interface PackOptions {
  /** Where the tarball goes; default `.cache/packs`. */
  out?: string;
}

/** Fields that only mean something before the build: what `dependencies` named is in the bundle. */
const BUILD_FIELDS = ["dependencies", "devDependencies", "scripts", "clawx", "private"];

/**
 * Packs one package folder and returns the absolute path of the tarball.
 * @throws when the package has not been built (`dist/` missing) or npm fails.
 */
export async function packPlugin(
  folder: string,
  { out = path.join(root, ".cache", "packs") }: PackOptions = {},
): Promise<string> {
  const source = path.join(root, "packages", folder);
  const manifest = JSON.parse(await readFile(path.join(source, "package.json"), "utf8")) as Record<
    string,
    unknown
  > & {
    name: string;
    files: string[];
    dependencies?: Record<string, string>;
  };
  await stat(path.join(source, "dist")).catch(() => {
    throw new Error(`${folder} is not built: run \`pnpm build\` first`);
  });
  const stage = await mkdtemp(path.join(os.tmpdir(), "clawx-pack-"));
  try {
    for (const entry of manifest.files) {
      await cp(path.join(source, entry), path.join(stage, entry), { recursive: true }).catch(
        (error: NodeJS.ErrnoException) => {
          if (error.code !== "ENOENT") throw error;
        },
      );
    }
    await cp(path.join(root, "LICENSE"), path.join(stage, "LICENSE"));
    const published = Object.fromEntries(
      Object.entries(manifest).filter(([key]) => !BUILD_FIELDS.includes(key)),
    );
    await writeFile(path.join(stage, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    await mkdir(out, { recursive: true });
    const { stdout } = await run(
      "npm",
      ["pack", "--silent", "--ignore-scripts", "--pack-destination", stage],
      { cwd: stage },
    );
    const file = stdout.trim().split("\n").at(-1) ?? "";
    const target = path.join(out, file);
    // Parallel test files may pack the same plugin: the last rename wins, each with a whole file.
    const temporary = `${target}.${process.pid}.tmp`;
    await cp(path.join(stage, file), temporary);
    await rename(temporary, target);
    return target;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

/** The file names in a tarball, as `tar -tzf` lists them. */
export async function listTarball(file: string): Promise<string[]> {
  const { stdout } = await run("tar", ["-tzf", file]);
  return stdout.trim().split("\n");
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const args = process.argv.slice(2);
  const at = args.indexOf("--out");
  const out = at >= 0 ? path.resolve(args[at + 1] ?? ".") : undefined;
  const folders = args.filter((a, i) => !a.startsWith("--") && (at < 0 || i !== at + 1));
  const known = await readdir(path.join(root, "packages"));
  for (const folder of folders.length > 0 ? folders : PLUGIN_FOLDERS) {
    if (!known.includes(folder))
      throw new Error(`no package folder ${folder}; there are: ${known.join(", ")}`);
    console.log(await packPlugin(folder, out ? { out } : {}));
  }
}
