/**
 * Runs vitest with this repository's configuration and ends with one plain line, `N passed, N failed[, N skipped]`,
 * whatever the reporter of the day prints.
 *
 *   node scripts/vitest.ts --project e2e [file ...]
 */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

interface JsonReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const folder = await mkdtemp(path.join(os.tmpdir(), "clawx-vitest-"));
const report = path.join(folder, "report.json");
try {
  const child = spawn(
    process.execPath,
    [
      path.join(root, "node_modules", "vitest", "vitest.mjs"),
      "run",
      "--config",
      "vitest.workspace.ts",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
    { cwd: root, stdio: "inherit" },
  );
  const code = await new Promise<number>((resolve) => child.once("exit", (c) => resolve(c ?? 1)));
  if (!existsSync(report))
    throw new Error(`vitest ended (code ${code}) before it wrote its report: it was stopped`);
  const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(
    await readFile(report, "utf8"),
  ) as JsonReport;
  // A file that could not be loaded has no test to count, and is a failure all the same.
  const broken = testResults.filter((r) => r.status === "failed" && r.assertionResults.length === 0).length;
  const failed = numFailedTests + broken;
  const skipped = numPendingTests + numTodoTests;
  console.log(`${numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
  process.exitCode = code !== 0 || failed > 0 ? 1 : 0;
} finally {
  await rm(folder, { recursive: true, force: true });
}
