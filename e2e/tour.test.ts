import { spawn } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { root } from "./harness/index.ts";

/** What `npx -y pnpm@12 start --exit` runs: exit code 0 means that every claim of every step held. */
it("the tour ends with every claim shown", async () => {
  const child = spawn(process.execPath, ["demo/start.ts", "--exit", "--lang", "en"], {
    cwd: path.resolve(root),
    env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: undefined },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += String(chunk);
  });
  child.stderr.on("data", (chunk) => {
    output += String(chunk);
  });
  const code = await new Promise((resolve) => child.once("exit", resolve));
  expect(code, output).toBe(0);
  expect(output).toContain("8/8");
  expect(output).not.toContain("✘");
}, 300_000);
