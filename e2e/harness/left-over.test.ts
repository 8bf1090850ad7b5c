import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { killLeftOver } from "./left-over.ts";

it.runIf(process.platform === "linux")("ends what a killed gateway has left, and nothing else", async () => {
  const start = async (home: string) => {
    const child = spawn(process.execPath, ["-e", "console.log(1); setInterval(() => {}, 1000)"], {
      env: { PATH: process.env.PATH, HOME: home },
      detached: true,
    });
    await once(child.stdout, "data");
    return child;
  };
  const [left, other] = [await start("/nowhere/clawx-home"), await start("/nowhere/clawx-home-2")];
  try {
    killLeftOver("/nowhere/clawx-home");
    expect((await once(left, "exit"))[1]).toBe("SIGKILL");
    expect(other.exitCode ?? other.signalCode).toBeNull();
  } finally {
    left.kill("SIGKILL");
    other.kill("SIGKILL");
  }
});
