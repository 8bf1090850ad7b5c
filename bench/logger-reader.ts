/** How fast `llm-logs stats` reads: a log as the plugin writes it, in a process of its own. */
import { spawn } from "node:child_process";
import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";

export interface ReaderResult {
  bytes: number;
  lines: number;
  megabytesPerSecond: number;
  peakRssMb: number;
}

/** Writes a log of about `megabytes` (prompts of 4 to 120 kB, answers of 1 to 80 kB) and times the reader on it. */
export async function benchReader(megabytes: number): Promise<ReaderResult> {
  const dir = mkdtempSync(path.join(os.tmpdir(), "bench-reader-"));
  const folder = path.join(dir, "logs", "session-1");
  mkdirSync(folder, { recursive: true });
  const bytes = await writeLog(
    path.join(folder, "llm-logger-openclaw-plugin-2026-01-02.jsonl"),
    megabytes * 1e6,
  );
  try {
    const bin = path.resolve(import.meta.dirname, "../packages/llm-logger-plugin/src/cli/bin.ts");
    const code = `process.on("exit",()=>console.error("rss="+process.resourceUsage().maxRSS));process.argv.splice(1,0,${JSON.stringify(bin)});await import(${JSON.stringify(bin)})`;
    const child = spawn(
      process.execPath,
      ["--input-type=module", "-e", code, "stats", "--json", "--state-dir", dir],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    let out = "";
    let err = "";
    child.stdout.on("data", (part) => (out += part));
    child.stderr.on("data", (part) => (err += part));
    const exit = await new Promise((done) => child.once("close", done));
    if (exit !== 0) throw new Error(`stats ended with ${exit}: ${err}`);
    const { scanned, seconds } = JSON.parse(out) as {
      scanned: { bytes: number; lines: number };
      seconds: number;
    };
    const rss = Number(/rss=(\d+)/.exec(err)?.[1] ?? 0);
    return {
      bytes,
      lines: scanned.lines,
      megabytesPerSecond: scanned.bytes / 1e6 / seconds,
      peakRssMb: rss / 1024,
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function writeLog(file: string, size: number): Promise<number> {
  const out = createWriteStream(file);
  let written = 0;
  for (let i = 0; written < size; i++) {
    const common = {
      ts: new Date(1_767_312_000_000 + i * 1000).toISOString(),
      plugin: "llm-logger-openclaw-plugin",
      eventType: "",
      callId: `run-${i}:model:1`,
      attemptId: (i + 1).toString(16).padStart(16, "0"),
      traceId: null,
      runId: `run-${i}`,
      sessionId: "session-1",
      sessionKey: "agent:main:main",
      agentId: "main",
      provider: "bench",
      model: `model-${i % 3}`,
      purpose: "turn",
      correlation: "traceparent",
    };
    const prompt = 'a line of the prompt with "quotes" and 中文 characters\n'.repeat(70 + ((i * 37) % 2000));
    const answer = "words of the answer ".repeat(50 + ((i * 53) % 600));
    const lines = [
      {
        ...common,
        eventType: "http_request",
        url: "https://bench/v1/chat/completions",
        body: JSON.stringify({ messages: [{ role: "user", content: prompt }] }),
      },
      { ...common, eventType: "http_response", status: 200, body: answer.repeat(4) },
      {
        ...common,
        eventType: "llm_call",
        outcome: i % 50 === 0 ? "http_error" : "ok",
        complete: true,
        via: "http",
        status: 200,
        startedAt: common.ts,
        ttfbMs: 200 + (i % 700),
        durationMs: 900 + (i % 5000),
        requestBytes: prompt.length,
        responseBytes: answer.length,
        usage: { input: 1000, output: 200, cacheRead: 0, cacheWrite: 0, total: 1200 },
        costUsd: 0.001,
        message: { text: answer, thinking: "", toolCalls: [] },
      },
    ];
    const text = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    written += Buffer.byteLength(text);
    if (!out.write(text)) await new Promise<void>((done) => out.once("drain", () => done()));
  }
  await new Promise<void>((done) => out.end(() => done()));
  return written;
}
