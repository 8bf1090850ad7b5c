/** Load for the SIGKILL test: a logger and eight lanes of model calls, until somebody ends the process. */
import { writeSync } from "node:fs";
import { parseConfig } from "../packages/llm-logger-plugin/src/config.ts";
import { onModelCallEnded, onModelCallStarted } from "../packages/llm-logger-plugin/src/hooks/model-call.ts";
import { startLogger } from "../packages/llm-logger-plugin/src/logger.ts";

const [origin = "", stateDir = "", round = "0"] = process.argv.slice(2);

await startLogger({
  config: parseConfig({}),
  stateDir,
  hostConfig: { models: { providers: { stub: { baseUrl: `${origin}/v1`, models: [] } } } },
  conversationAccess: true,
  hostVersion: undefined,
  log: { info() {}, warn: console.error, error: console.error },
});

let count = 0;
const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

async function lane(number: number): Promise<never> {
  for (;;) {
    const spanId = hex((Number(round) + 1) * 1_000_000 + ++count, 16);
    const traceId = hex(number + 1, 32);
    const event = {
      runId: `run-${spanId}`,
      callId: `run-${spanId}:model:1`,
      sessionId: `round-${round}-lane-${number}`,
      provider: "stub",
      model: "m",
      api: "openai-completions",
    };
    const ctx = { trace: { traceId, spanId } };
    onModelCallStarted(event, ctx);
    const response = await fetch(`${origin}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", traceparent: `00-${traceId}-${spanId}-01` },
      body: JSON.stringify({
        model: "m",
        messages: [{ role: "user", content: `question ${spanId} ${"x".repeat(20_000)}` }],
      }),
    });
    await response.text();
    onModelCallEnded({ ...event, outcome: "completed" }, ctx);
    // The call is over for its client once the event loop has gone on; from here on nothing of it may be lost.
    await new Promise((done) => setImmediate(done));
    writeSync(1, `${spanId}\n`);
  }
}

await Promise.all(Array.from({ length: 8 }, (_, number) => lane(number)));
