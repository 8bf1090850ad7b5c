/**
 * Packs the plugins as `npm pack` gives them, from a clean staging folder: only what `files` names, a package.json
 * without development fields. `--bundled` puts the npm dependencies into the tarball (`bundledDependencies`), for
 * machines without a registry.
 *
 *   node scripts/pack.ts [--bundled] [--out DIR] [folder ...]
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
  /** Bundle the npm dependencies into the tarball. Default false. */
  bundled?: boolean;
  /** Where the tarball goes; default `.cache/packs`. */
  out?: string;
}

/** Development-only fields: they mean nothing to whoever installs the tarball, and `workspace:*` means nothing to npm. */
const DEVELOPMENT_FIELDS = ["devDependencies", "scripts", "clawx", "private"];

/**
 * Packs one package folder and returns the absolute path of the tarball.
 * @throws when the package has not been built (`dist/` missing) or npm fails.
 */
export async function packPlugin(
  folder: string,
  { bundled = false, out = path.join(root, ".cache", "packs") }: PackOptions = {},
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
      Object.entries(manifest).filter(([key]) => !DEVELOPMENT_FIELDS.includes(key)),
    );
    if (bundled) published.bundledDependencies = Object.keys(manifest.dependencies ?? {});
    await writeFile(path.join(stage, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
    if (bundled)
      await run(
        "npm",
        [
          "install",
          "--omit=dev",
          "--omit=peer",
          "--ignore-scripts",
          "--no-audit",
          "--no-fund",
          "--no-package-lock",
        ],
        { cwd: stage },
      );
    await mkdir(out, { recursive: true });
    const { stdout } = await run(
      "npm",
      ["pack", "--silent", "--ignore-scripts", "--pack-destination", stage],
      { cwd: stage },
    );
    const file = stdout.trim().split("\n").at(-1) ?? "";
    const target = path.join(out, bundled ? file.replace(/\.tgz$/, "-bundled.tgz") : file);
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
    console.log(await packPlugin(folder, { bundled: args.includes("--bundled"), ...(out && { out }) }));
  }
}
