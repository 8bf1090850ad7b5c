import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const ROUNDS = 20;

/** SIGKILL at a random moment under load: no line of a finished call is lost, and only a file's last line may be torn. */
describe("llm-logger killed under load", () => {
  const stateDir = mkdtempSync(path.join(os.tmpdir(), "clawx-kill-"));
  const answer = `${Array.from({ length: 400 }, (_, i) => `data: ${JSON.stringify({ id: "c", choices: [{ index: 0, delta: { content: `字 word ${i} ` } }] })}\n\n`).join("")}data: [DONE]\n\n`;
  const server = http.createServer((request, response) => {
    request.resume();
    request.on("end", () => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let at = 0; at < answer.length; at += 4000) response.write(answer.slice(at, at + 4000));
      response.end();
    });
  });

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(stateDir, { recursive: true, force: true });
  });

  it(`${ROUNDS} times`, async () => {
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const script = path.join(import.meta.dirname, "logger-kill-child.ts");
    let finished = 0;
    let torn = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const child = spawn(process.execPath, [script, origin, stateDir, String(round)], {
        stdio: ["ignore", "pipe", "pipe"],
      });
      let out = "";
      let err = "";
      child.stdout.on("data", (part) => (out += part));
      child.stderr.on("data", (part) => (err += part));
      await once(child.stdout, "data");
      await wait(Math.random() * 600);
      child.kill("SIGKILL");
      await once(child, "close");
      expect(err).not.toContain("Error");
      // The very last line of the pipe may be half a span.
      const spans = out.split("\n").slice(0, -1);
      expect(spans.length).toBeGreaterThan(0);
      finished += spans.length;
      const seen = new Map<string, string[]>();
      for (const folder of readdirSync(path.join(stateDir, "logs")).filter((name) =>
        name.startsWith(`round-${round}-`),
      )) {
        for (const file of readdirSync(path.join(stateDir, "logs", folder))) {
          const lines = readFileSync(path.join(stateDir, "logs", folder, file), "utf8").split("\n");
          if (lines.pop() !== "") torn++;
          for (const line of lines) {
            const event = JSON.parse(line) as {
              eventType: string;
              attemptId: string;
              body?: string;
              outcome?: string;
            };
            seen.set(event.attemptId, [...(seen.get(event.attemptId) ?? []), event.eventType]);
            if (event.eventType === "http_response") expect(event.body).toBe(answer);
          }
        }
      }
      for (const span of spans)
        expect(seen.get(span), `call ${span} in round ${round}`).toEqual([
          "http_request",
          "http_response",
          "llm_call",
        ]);
    }
    console.log(
      `killed ${ROUNDS} times: ${finished} finished calls, none lost; ${torn} file(s) with a torn last line`,
    );
  }, 600_000);
});
