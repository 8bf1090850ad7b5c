import { type ChildProcess, fork, spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { connect } from "node:net";
import { fileURLToPath } from "node:url";
import { KEY, PORTS } from "./ports.ts";

/** Something that requests can be sent through. */
export interface Subject {
  name: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  /** Undefined for the direct way to the upstream. */
  pid: number | undefined;
}

const children: ChildProcess[] = [];

/** Starts the upstream and everything to be compared, each in a process of its own. */
export async function startSubjects(): Promise<Subject[]> {
  await forked("./upstream.ts");
  const through = await forked("../../packages/clawxrouter/src/egress/testing/pass-through.ts", [
    String(PORTS.passThrough),
    String(PORTS.upstream),
  ]);
  const own = await forked("./clawxrouter.ts");
  const subjects: Subject[] = [
    { name: "direct", port: PORTS.upstream, path: "/v1/chat/completions", headers: {}, pid: undefined },
    {
      name: "undici pass-through",
      port: PORTS.passThrough,
      path: "/v1/chat/completions",
      headers: {},
      pid: through,
    },
    {
      name: "clawxrouter",
      port: PORTS.clawxrouter,
      path: `/k/${KEY}/p/bench/v1/chat/completions`,
      headers: {},
      pid: own,
    },
  ];
  const portkey = await startPortkey();
  if (portkey !== undefined) {
    subjects.push({
      name: "@portkey-ai/gateway",
      port: PORTS.portkey,
      path: "/v1/chat/completions",
      headers: {
        "x-portkey-provider": "openai",
        "x-portkey-custom-host": `http://127.0.0.1:${PORTS.upstream}/v1`,
      },
      pid: portkey,
    });
  }
  return subjects;
}

/** Ends all that was started. */
export function stopSubjects(): void {
  for (const child of children) child.kill("SIGKILL");
}

/** CPU time a process has used so far, user and system, in milliseconds (clock ticks of 10 ms). */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory of a process, in MiB. */
export function rssMiB(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024;
}

async function forked(file: string, args: string[] = []): Promise<number> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.push(child);
  await new Promise((resolve, reject) => {
    child.once("message", resolve);
    child.once("exit", (code) => reject(new Error(`${file} ended with ${code} before it was ready`)));
  });
  return pidOf(child);
}

async function startPortkey(): Promise<number | undefined> {
  const require = createRequire(new URL("../../packages/clawxrouter/package.json", import.meta.url));
  const folder = require.resolve
    .paths("x")
    ?.map((paths) => `${paths}/@portkey-ai/gateway`)
    .find(existsSync);
  if (folder === undefined) {
    console.log("@portkey-ai/gateway is not installed: left out");
    return undefined;
  }
  const child = spawn(
    process.execPath,
    [`${folder}/build/start-server.js`, "--headless", `--port=${PORTS.portkey}`],
    {
      stdio: "ignore",
      env: { ...process.env, NODE_ENV: "production" },
    },
  );
  children.push(child);
  for (let tries = 0; tries < 100; tries += 1) {
    if (await answers(PORTS.portkey)) return pidOf(child);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log("@portkey-ai/gateway did not start: left out");
  return undefined;
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function pidOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error("the process did not start");
  return child.pid;
}
