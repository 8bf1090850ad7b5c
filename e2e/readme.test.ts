import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PLUGIN_FOLDERS, packPlugin } from "../scripts/pack.ts";
import { type Gateway, prepareGateway, root } from "./harness/index.ts";

const run = promisify(execFile);

/** The README is a promise: what it says to type is typed here, in a fresh home, in its order. */
describe("README.md", () => {
  let gateway: Gateway;
  let readme = "";

  beforeAll(async () => {
    readme = await readFile(path.join(root, "README.md"), "utf8");
    gateway = await prepareGateway();
    // The same tarballs as `pnpm run pack`, at the same place.
    for (const folder of PLUGIN_FOLDERS) await packPlugin(folder);
    // A user has `openclaw` on his PATH.
    const bin = path.join(gateway.home, "bin");
    await mkdir(bin);
    const script = `#!/bin/sh\nexec "${process.execPath}" "${path.join(root, "node_modules/openclaw/openclaw.mjs")}" "$@"\n`;
    await writeFile(path.join(bin, "openclaw"), script);
    await chmod(path.join(bin, "openclaw"), 0o755);
  });
  afterAll(async () => {
    await gateway?.close();
  });

  it("every command of the install section works as written", async () => {
    const blocks = [...readme.matchAll(/<!-- readme:run -->\n```bash\n([\s\S]*?)```/g)].map(
      (m) => m[1] ?? "",
    );
    expect(blocks.length).toBeGreaterThanOrEqual(5);
    for (const line of blocks.join("").trim().split("\n")) {
      const result = await run("sh", ["-c", line], {
        cwd: root,
        env: {
          ...gateway.env,
          PATH: `${path.join(gateway.home, "bin")}${path.delimiter}${gateway.env.PATH}`,
        },
        timeout: 120_000,
      }).then(
        () => ({ code: 0, output: "" }),
        (error: { code?: number; stdout?: string; stderr?: string }) => ({
          code: error.code ?? 1,
          output: `${error.stdout}\n${error.stderr}`,
        }),
      );
      // Posture is meant to end with 1 while the gateway, and with it the proxy, is not running yet.
      const allowed = line.includes("posture") ? [0, 1] : [0];
      expect(allowed, `${line}\n${result.output}`).toContain(result.code);
    }
  }, 600_000);

  it("says the same commands in Chinese", async () => {
    const chinese = await readFile(path.join(root, "README_zh.md"), "utf8");
    const commands = (text: string) => [...text.matchAll(/```bash\n([\s\S]*?)```/g)].map((m) => m[1]);
    expect(commands(chinese)).toEqual(commands(readme));
  });

  it("names the commands that package.json has", async () => {
    const { scripts } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    for (const match of `${readme}\n${await readFile(path.join(root, "CONTRIBUTING.md"), "utf8")}`.matchAll(
      /pnpm@12 (?:run )?([a-z][a-z0-9:-]*)/g,
    )) {
      const name = match[1] ?? "";
      if (!["install", "exec"].includes(name)) expect(Object.keys(scripts)).toContain(name);
    }
  });
});
