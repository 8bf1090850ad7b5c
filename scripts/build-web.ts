/**
 * Bundles the browser app of a package into `dist/web/{index.html,assets/<name>-<hash>.{js,css,svg}}`. The page names its
 * assets by absolute path, so it works below any address that ends in the same place. No script and no style is inline:
 * the page is served under a strict content security policy.
 */
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";

export interface WebConfig {
  /** Folder with `main.tsx`, `index.html` and `icon.svg`, relative to the package. */
  app: string;
  /** Where the server offers `dist/web`, without a slash at the end. */
  base: string;
}

export interface WebBuild {
  files: number;
  bytes: number;
  /** Sum of the files, each by gzip. */
  gzipBytes: number;
  /** Source files, for the third-party notices; relative to `dir`. */
  inputs: string[];
}

/** @throws when esbuild finds an error or the page has no place for an asset */
export async function buildWeb(
  dir: string,
  config: WebConfig,
  out = path.join(dir, "dist", "web"),
): Promise<WebBuild> {
  const app = path.join(dir, config.app);
  const assets = path.join(out, "assets");
  await mkdir(assets, { recursive: true });
  const result = await build({
    absWorkingDir: dir,
    entryPoints: [{ in: path.join(app, "main.tsx"), out: "app" }],
    outdir: assets,
    entryNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    target: ["es2022", "chrome123", "firefox120", "safari17.5"],
    jsx: "automatic",
    jsxImportSource: "preact",
    legalComments: "none",
    metafile: true,
    logLevel: "warning",
  });
  const icon = await readFile(path.join(app, "icon.svg"));
  const iconName = `icon-${createHash("sha256").update(icon).digest("hex").slice(0, 8).toUpperCase()}.svg`;
  await writeFile(path.join(assets, iconName), icon);

  const names = Object.keys(result.metafile.outputs).map((file) => path.basename(file));
  const only = (extension: string): string => {
    const name = names.find((candidate) => candidate.endsWith(extension));
    if (name === undefined) throw new Error(`${config.app} built no ${extension} file`);
    return `${config.base}/assets/${name}`;
  };
  const places: Record<string, string> = {
    icon: `${config.base}/assets/${iconName}`,
    style: only(".css"),
    script: only(".js"),
  };
  const template = await readFile(path.join(app, "index.html"), "utf8");
  const html = template.replace(/%(\w+)%/g, (_, name: string) => {
    const place = places[name];
    if (place === undefined) throw new Error(`${config.app}/index.html names %${name}%, which is not built`);
    return place;
  });
  await writeFile(path.join(out, "index.html"), html);

  const files = [
    path.join(out, "index.html"),
    ...[...names, iconName].map((name) => path.join(assets, name)),
  ];
  const contents = await Promise.all(files.map((file) => readFile(file)));
  return {
    files: files.length,
    bytes: contents.reduce((sum, content) => sum + content.length, 0),
    gzipBytes: contents.reduce((sum, content) => sum + gzipSync(content).length, 0),
    inputs: Object.keys(result.metafile.inputs),
  };
}
