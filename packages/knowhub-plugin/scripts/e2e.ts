/**
 * e2e:knowhub — the knowledge base on real gateways; prints the figures measured and `N passed, N failed`.
 *
 *   node packages/knowhub-plugin/scripts/e2e.ts [name of a test]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  testResults: {
    assertionResults: { status: string; fullName: string; duration?: number; failureMessages?: string[] }[];
    status: string;
    message?: string;
  }[];
}

const root = fileURLToPath(new URL("../../..", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "kh-e2e-"));
const file = path.join(folder, "report.json");
const [only] = process.argv.slice(2);
const child = spawn(
  path.join(root, "node_modules", ".bin", "vitest"),
  [
    ...["run", "--config", "vitest.workspace.ts", "--project", "e2e", "e2e/knowhub"],
    ...["--reporter", "json", "--outputFile", file, "--silent=false", "--disableConsoleIntercept"],
    ...(only ? ["-t", only] : []),
  ],
  { cwd: root, stdio: ["ignore", "pipe", "inherit"] },
);
let pending = "";
child.stdout.on("data", (chunk: Buffer) => {
  pending += chunk.toString();
  const lines = pending.split("\n");
  pending = lines.pop() ?? "";
  for (const line of lines)
    if (line.includes("figure: ")) console.log(`      ${line.slice(line.indexOf("figure: ") + 8)}`);
});
child.once("close", (code) => {
  try {
    const report = JSON.parse(readFileSync(file, "utf8")) as Report;
    let broken = 0;
    for (const { assertionResults, status, message } of report.testResults) {
      for (const { status: outcome, fullName, duration, failureMessages = [] } of assertionResults) {
        if (outcome !== "passed" && outcome !== "failed") continue;
        console.log(
          `${outcome === "passed" ? "ok  " : "FAIL"}  ${fullName} (${((duration ?? 0) / 1000).toFixed(1)} s)`,
        );
        for (const failure of failureMessages)
          console.log(`        ${failure.split("\n").slice(0, 4).join("\n        ")}`);
      }
      if (assertionResults.length === 0 && status === "failed") {
        broken += 1;
        console.log(`FAIL  ${message ?? "a test file could not run"}`);
      }
    }
    console.log(`\n${report.numPassedTests} passed, ${report.numFailedTests + broken} failed`);
  } catch (error) {
    console.error(`no report: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
    process.exitCode = code ?? 1;
  }
});
