/** A `logFile` where nothing can be written must neither hang the gateway nor fail in silence. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { publicStatus } from "../web/status-page.ts";

const module = (name: string) => JSON.stringify(path.join(import.meta.dirname, "..", name));

/** Runs code in a process of its own with a deadline: a loop in a system call's wrapper would hang this one. */
function run(code: string): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, ["--input-type=module", "-e", code], {
    encoding: "utf8",
    timeout: 20_000,
    killSignal: "SIGKILL",
  });
}

const starting = (logFile: string) => `
  import { parseConfig } from ${module("config.ts")};
  import { startLogger, stopLogger } from ${module("logger.ts")};
  const told = [];
  const log = { info() {}, warn(m) { told.push(m); }, error(m) { told.push(m); } };
  const logger = await startLogger({ config: parseConfig({ logFile: ${JSON.stringify(logFile)} }), stateDir: "/nonexist",
    hostConfig: {}, conversationAccess: true, hostVersion: "2026.9.6", log });
  const idle = logger.status();
  logger.writer.write("session", { n: 1 });
  logger.writer.write("session", { n: 2 });
  console.log(JSON.stringify({ told, idle, status: logger.status() }));
  await stopLogger();
`;

describe.runIf(fs.existsSync("/proc/self"))("a logFile below /proc", () => {
  it.each(["/proc/x.jsonl", "/proc/no/such/x.jsonl"])(
    "%s: the logger starts, says what, where and what to do, once, and counts what is lost",
    (logFile) => {
      const { status, stdout, stderr } = run(starting(logFile));
      expect(stderr).toBe("");
      expect(status).toBe(0);
      const seen = JSON.parse(stdout);
      const [first, ...others] = seen.told;
      expect(first).toContain("the log cannot be written (ENOENT)");
      expect(first).toContain(`.config.logFile <file>`);
      expect(first).toContain("日志无法写入");
      expect(first).toContain(path.dirname(logFile));
      // Once for the folder, once for the first lost line.
      expect(others).toHaveLength(1);
      expect(seen.idle.warnings).toEqual([first]);
      expect(seen.status.writer.dropped).toBe(2);
      expect(seen.status.counters.faults).toBe(0);
      expect(seen.status.warnings).toEqual([
        expect.stringContaining(`: cannot write ${path.dirname(logFile)}/session/`),
        "2 log line(s) were lost: ENOENT",
      ]);
      // The page is open to whoever reaches the port: what to do, but no path.
      const [warning] = publicStatus(seen.status).warnings;
      expect(warning).toMatch(/^the log cannot be written \(ENOENT\)\..*logFile <file>.*重启网关$/);
    },
    60_000,
  );

  it("the CLI's status says so, where the logger could leave none", () => {
    const { status, stdout } = run(
      `import { main } from ${module("cli/main.ts")};
       process.exitCode = await main(["--log-file", "/proc/x.jsonl", "status"]);`,
    );
    expect(status).toBe(1);
    expect(stdout).toContain("the log cannot be written (ENOENT)");
    expect(stdout).toContain("/proc");
  }, 60_000);
});
