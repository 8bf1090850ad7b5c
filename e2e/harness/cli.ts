import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the OpenClaw command line to its end; never rejects. */
export async function runCli(
  entry: string,
  args: string[],
  env: Record<string, string>,
  cwd: string,
  timeoutMs: number,
  input?: string,
): Promise<CliResult> {
  const promise = run(process.execPath, [entry, ...args], {
    env,
    cwd,
    timeout: timeoutMs,
    maxBuffer: 64 * 1024 * 1024,
  });
  promise.child.stdin?.end(input ?? "");
  try {
    const { stdout, stderr } = await promise;
    return { code: 0, stdout, stderr };
  } catch (error) {
    const failed = error as { code?: number | string; stdout?: string; stderr?: string; killed?: boolean };
    const why = failed.killed ? `\n(killed after ${timeoutMs} ms)` : "";
    return {
      code: typeof failed.code === "number" ? failed.code : 1,
      stdout: failed.stdout ?? "",
      stderr: (failed.stderr ?? String(error)) + why,
    };
  }
}
