import { readdirSync, readFileSync } from "node:fs";

/**
 * Ends every process whose HOME is `home` (Linux; elsewhere none is found). The host's helpers (spawn broker, service relay)
 * have groups of their own and outlive a gateway that was killed.
 */
export function killLeftOver(home: string): void {
  for (const pid of pidsOf(home)) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It ended by itself.
    }
  }
}

function pidsOf(home: string): number[] {
  let names: string[];
  try {
    names = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  } catch {
    return [];
  }
  return names.filter((name) => hasHome(name, home)).map(Number);
}

function hasHome(pid: string, home: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`HOME=${home}`);
  } catch {
    return false;
  }
}
