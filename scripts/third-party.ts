import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";

/**
 * The licence texts of every npm package that went into a bundle, as its licences ask for.
 * @param inputs esbuild's metafile inputs, relative to `baseDir`
 */
export async function thirdPartyNotices(inputs: readonly string[], baseDir: string): Promise<string> {
  const folders = new Map<string, string>();
  for (const input of inputs) {
    const file = path.resolve(baseDir, input);
    const at = file.lastIndexOf(`${path.sep}node_modules${path.sep}`);
    if (at < 0) continue;
    const rest = file.slice(at + "/node_modules/".length).split(path.sep);
    const name = rest[0]?.startsWith("@") ? `${rest[0]}/${rest[1]}` : (rest[0] ?? "");
    folders.set(name, path.join(file.slice(0, at), "node_modules", name));
  }
  const parts: string[] = [];
  for (const [name, folder] of [...folders].sort(([a], [b]) => a.localeCompare(b))) {
    if (!existsSync(path.join(folder, "package.json")))
      throw new Error(`${name}: no package.json in ${folder}`);
    const manifest = JSON.parse(await readFile(path.join(folder, "package.json"), "utf8")) as {
      version?: string;
      license?: string;
    };
    const licence = (await readdir(folder)).find((f) => /^(licen[cs]e|copying)/i.test(f));
    const text = licence
      ? await readFile(path.join(folder, licence), "utf8")
      : `Licence: ${manifest.license ?? "not stated"}`;
    parts.push(
      `${name} ${manifest.version ?? ""} (${manifest.license ?? "licence not stated"})\n\n${text.trim()}\n`,
    );
  }
  return parts.length === 0
    ? ""
    : `This package contains the following software.\n\n${parts.join(`\n${"-".repeat(80)}\n\n`)}`;
}
