import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  AGENTS,
  type AgentName,
  type LoggerLab,
  type LogLine,
  plantedKey,
  spanOf,
  startLoggerLab,
} from "./logger-lab.ts";

/**
 * The host refuses a run before it calls a model: its state database is locked on a busy machine, or it could not close
 * an idle agent's database (2026.9.6: maintenance of that database was under way), after which every agent whose
 * database is not open yet is refused until the gateway starts anew.
 */
const HOST_REFUSAL = /UNAVAILABLE|state-lifecycle|database/;

/** Everything a real gateway sends to models is in the log, byte for byte, once, under the right call. */
describe("llm-logger on a real gateway", { timeout: 400_000 }, () => {
  let lab: LoggerLab;
  let failed = true;

  beforeAll(async () => {
    lab = await startLoggerLab(
      {},
      { files: { ".openclaw/workspace/MEMORY.md": "# Notes\nThe violet lighthouse stands on the hill.\n" } },
    );
  });
  afterAll(async () => {
    await lab?.gateway.close(failed);
    await lab?.stub.stop();
  });

  /** One turn whose plan tells the stub what to do. The id names the session, so attribution can be checked. */
  const turn = async (agent: AgentName, session: string, plan: string, number = 0, restart = true) => {
    const id = `${agent}S${session}N${number}`;
    for (let round = 1; ; round++) {
      const result = await lab.gateway.turn(session, `please [[plan=${plan} id=${id}]]`, {
        agent,
        timeoutMs: 170_000,
      });
      if (result.ok || round === 8 || !HOST_REFUSAL.test(result.error)) return result;
      await wait(2_000);
      if (restart && round === 4) await lab.gateway.restart();
    }
  };
  const of = (type: string) => lab.records().filter((line) => line.eventType === type);

  it("logs >= 200 calls of five protocols in 8 parallel sessions", async () => {
    const sessions: [AgentName, string][] = [
      ["main", "a"],
      ["main", "b"],
      ["resp", "a"],
      ["resp", "b"],
      ["claude", "a"],
      ["claude", "b"],
      ["gemini", "a"],
      ["llama", "a"],
    ];
    const plans = ["gzip,tools", "deflate", "tools", "br,think", "tools,long", "gzip", "tools"];
    const refused: [AgentName, string, number][] = [];
    const run = async ([agent, session]: [AgentName, string], from = 0, alone = false) => {
      for (let number = from; number < plans.length; number++) {
        const plan = plans[number] ?? "";
        const result = await turn(agent, session, plan, number, alone);
        if (!alone && HOST_REFUSAL.test(result.error)) {
          refused.push([agent, session, number]);
          return;
        }
        expect(result.ok, `${agent} ${session} ${plan}: ${result.error}`).toBe(true);
      }
    };
    await Promise.all(sessions.map((session) => run(session)));
    // A restart would cut the others' calls: what the host refused goes on when they are done.
    for (const [agent, session, number] of refused) await run([agent, session], number, true);
    await lab.settled();
    expect(lab.stub.exchanges.length).toBeGreaterThanOrEqual(200);
  }, 900_000);

  it("logs subagents, memory embeddings, compaction, heartbeat, utility calls by their purpose", async () => {
    expect((await turn("main", "spawn", "spawn")).ok).toBe(true);
    expect((await turn("main", "recall", "recall")).ok).toBe(true);
    await lab.gateway.client.request("sessions.compact", { key: "agent:main:a" });
    await lab.gateway.cli(["system", "event", "--text", "[[plan=ok id=mainSmainN0]] wake", "--mode", "now"]);
    await waitFor(() => of("llm_call").some((line) => line.purpose === "heartbeat"), 60_000);
    await lab.settled();
    const calls = of("llm_call");
    const purposes = (purpose: string) => calls.filter((line) => line.purpose === purpose);
    expect(purposes("turn").some((line) => String(line.sessionKey).startsWith("agent:main:subagent:"))).toBe(
      true,
    );
    expect(purposes("embedding").length).toBeGreaterThan(0);
    for (const call of purposes("embedding")) expect(call.model).toBe("embed-1");
    expect(purposes("compaction").map((line) => line.sessionKey)).toContain("agent:main:a");
    expect(purposes("heartbeat")[0]).toMatchObject({ sessionKey: "agent:main:main", outcome: "ok" });
    expect(purposes("utility").length).toBeGreaterThan(8);
    for (const call of purposes("utility"))
      expect(call).toMatchObject({ provider: "p-util", sessionId: null, correlation: "none" });
    expect(purposes("unknown")).toEqual([]);
  });

  it("tells retries, errors, cut and refused connections apart", async () => {
    for (const [agent, plan] of [
      ["resp", "429x2"],
      ["main", "500"],
      ["claude", "cut"],
      ["main", "refuse"],
    ] as const) {
      const result = await turn(agent, `e${plan.replace(/\W/g, "")}`, plan);
      expect(result.ok, `${plan}: ${result.error}`).toBe(true);
    }
    await lab.settled();
    const outcomes = (session: string) =>
      of("llm_call")
        .filter((line) => line.purpose === "turn" && String(line.sessionKey).endsWith(`:${session}`))
        .map((line) => `${line.outcome} ${line.status}`);
    expect(outcomes("e429x2")).toEqual(["http_error 429", "http_error 429", "ok 200"]);
    expect(outcomes("e500")).toEqual(["http_error 500", "ok 200"]);
    expect(outcomes("ecut")[0]).toBe("network_error 200");
    expect(outcomes("ecut").at(-1)).toBe("ok 200");
    expect(outcomes("erefuse")[0]).toBe("network_error null");
    const retried = of("llm_call").filter(
      (line) => line.sessionKey === "agent:resp:e429x2" && line.purpose === "turn",
    );
    expect(new Set(retried.map((line) => line.attemptId)).size).toBe(3);
    expect(new Set(retried.map((line) => line.callId)).size).toBe(1);
  });

  it("logs what never reaches a server, and a client that gives up", async () => {
    for (const agent of ["refused", "blocked"]) {
      const failure = () =>
        of("llm_call").find((line) => line.provider === `p-${agent}` && line.purpose === "turn");
      for (let round = 0; round < 4 && !failure(); round++) {
        const ended = lab.gateway.turn("x", "nobody is there", { agent, timeoutMs: 60_000 });
        const seen = waitFor(() => failure() !== undefined, 60_000).catch(() => undefined);
        const result = await Promise.race([ended, seen]);
        // A call without traffic is logged a moment after its end.
        await waitFor(() => failure() !== undefined, 4_000).catch(() => undefined);
        if (result && HOST_REFUSAL.test(result.error) && !failure()) await lab.gateway.restart();
      }
      // The host's own guard stops the second one before it makes a request.
      const outcome = agent === "refused" ? "network_error" : "no_http";
      expect(failure()).toMatchObject({ outcome, complete: false });
      await lab.gateway.client
        .request("chat.abort", { sessionKey: `agent:${agent}:x` })
        .catch(() => undefined);
    }
    const hanging = lab.gateway.turn("hang", "please [[plan=hang id=mainShangN0]]", { via: "chat.send" });
    await waitFor(
      () =>
        lab.stub.exchanges.some(
          (exchange) => exchange.id === "mainShangN0" && spanOf(exchange) !== undefined,
        ),
      60_000,
    );
    await wait(500);
    await lab.gateway.client.request("chat.abort", { sessionKey: "agent:main:hang" });
    await hanging;
    await lab.settled();
    const aborted = of("llm_call").find(
      (line) => line.sessionKey === "agent:main:hang" && line.purpose === "turn",
    );
    expect(aborted).toMatchObject({ outcome: "aborted", complete: false, status: 200 });
  });

  it("has exactly one request and one response for each that reached a server: 0 missing, doubled, wrong", async () => {
    await lab.settled();
    const requests = of("http_request");
    const responses = of("http_response");
    const byBody = Map.groupBy(requests, (line) => String(line.body));
    const faults: string[] = [];
    const used = new Set<LogLine>();
    for (const exchange of lab.stub.exchanges) {
      const span = spanOf(exchange);
      const found = (byBody.get(exchange.body) ?? []).filter(
        (line) =>
          !used.has(line) && (span ? String(line.attemptId).split(".")[0] === span : line.callId === null),
      );
      const request = found[0];
      if (!request || (span && found.length > 1)) {
        faults.push(`${found.length} requests for ${exchange.path} ${exchange.id} ${span}`);
        continue;
      }
      used.add(request);
      const answers = responses.filter(
        (line) => line.attemptId === request.attemptId && line.sessionId === request.sessionId,
      );
      if (answers.length !== 1)
        faults.push(`${answers.length} responses for ${exchange.path} ${exchange.id}`);
      else if (answers[0]?.body !== exchange.answer)
        faults.push(`another body for ${exchange.path} ${exchange.id}`);
      const owner = /^(\w+)S(\w+)N\d+$/.exec(exchange.id ?? "");
      const key = owner ? `agent:${owner[1]}:${owner[2]}` : undefined;
      // A subagent's task and what it reports carry the plan of the session that asked.
      const related =
        // A memory search indexes what other sessions said; a recap is nobody's.
        request.purpose === "embedding" ||
        key === undefined ||
        request.sessionKey === null ||
        request.sessionKey === key ||
        String(request.sessionKey).startsWith("agent:main:subagent:");
      if (!related) faults.push(`${exchange.id} is logged under ${String(request.sessionKey)}`);
    }
    expect(faults).toEqual([]);
    // What is left went to nobody.
    const left = requests.filter((line) => !used.has(line));
    for (const line of left) {
      const response = responses.find((one) => one.attemptId === line.attemptId);
      expect(response, JSON.stringify(line).slice(0, 300)).toMatchObject({ status: null });
    }
    expect(responses).toHaveLength(requests.length);
    const withoutTraffic = of("llm_call").filter((line) => line.outcome === "no_http");
    expect(of("llm_call")).toHaveLength(requests.length + withoutTraffic.length);
    for (const line of withoutTraffic) expect(line.provider).toBe("p-blocked");
    console.log(
      `${lab.stub.exchanges.length} requests reached the stubs: 0 missing, 0 doubled, 0 wrongly attributed; ${left.length} reached nobody`,
    );
  });

  it("assembles every answer, with tokens and cost", () => {
    for (const call of of("llm_call")) {
      if (call.outcome !== "ok" || call.purpose === "embedding") continue;
      const message = call.message as { text: string; toolCalls: { name: string }[] };
      expect(
        message.text.length + message.toolCalls.length,
        JSON.stringify(call).slice(0, 400),
      ).toBeGreaterThan(0);
      expect(call.complete).toBe(true);
      expect(call.usage).toMatchObject({ output: 20, total: 120 });
      expect(call.costUsd).toBeGreaterThan(0);
    }
    for (const agent of Object.keys(AGENTS)) {
      const tools = of("llm_call").filter(
        (line) =>
          line.provider === `p-${agent}` &&
          (line.message as { toolCalls: unknown[] } | null)?.toolCalls.length,
      );
      expect(tools.length, agent).toBeGreaterThan(0);
    }
  });

  it("holds no key, token or cookie that was planted, in any file", () => {
    const everything = readdirSync(lab.logDir, { recursive: true, encoding: "utf8" })
      .map((file) => path.join(lab.logDir, file))
      .filter((file) => statSync(file).isFile())
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    for (const owner of [...Object.keys(AGENTS), "util", "embed", "refused", "blocked"])
      expect(everything).not.toContain(plantedKey(owner));
    expect(everything).not.toContain("planted-cookie-value");
    expect(everything).not.toContain(lab.gateway.token);
    expect(everything).toContain('"authorization":"[REDACTED]"');
    expect(everything).toContain("max_tokens");
  });

  it("writes 0600 files in 0700 folders by session and day", () => {
    for (const line of lab.records()) {
      const folder = line.sessionId === null ? "_unknown_session" : String(line.sessionId);
      expect(line.file).toMatch(
        new RegExp(`^${folder}/llm-logger-openclaw-plugin-\\d{4}-\\d{2}-\\d{2}\\.jsonl$`),
      );
      expect(statSync(path.join(lab.logDir, line.file)).mode & 0o777).toBe(0o600);
      expect(statSync(path.dirname(path.join(lab.logDir, line.file))).mode & 0o777).toBe(0o700);
    }
  });

  it("reads it back: CLI, chat command, gateway page", async () => {
    const { gateway } = lab;
    // One command through the host's own command line, which takes long to start; the rest through the bin.
    const status = await gateway.cli(["llm-logs", "status"], { timeoutMs: 240_000 });
    expect(status.code, status.stderr).toBe(0);
    expect(status.stdout).toMatch(
      /calls +\d+ seen, \d+ matched with HTTP, 0 with WebSocket, \d+ without traffic/,
    );
    const [call] = bin("list", "--purpose", "compaction", "--json")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { attemptId: string });
    expect(bin("show", String(call?.attemptId))).toContain("compaction");
    const { all } = JSON.parse(bin("stats", "--json")) as { all: { calls: number; costUsd: number } };
    expect(all.calls).toBe(of("llm_call").length);
    expect(all.costUsd).toBeCloseTo(
      of("llm_call").reduce((sum, line) => sum + Number(line.costUsd ?? 0), 0),
      9,
    );
    const chat = await gateway.turn("a", "/llm-logs", { via: "chat.send" });
    expect(chat.text).toContain("matched with HTTP");
    const page = await fetch(`${gateway.url}/plugins/llm-logger/status`);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-security-policy")).toContain("frame-ancestors 'self'");
    const html = await page.text();
    expect(html).toContain("undici-channels");
    for (const secret of [lab.logDir, "回答", gateway.token]) expect(html).not.toContain(secret);
    const rebinding = execFileSync("curl", [
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code}",
      "-H",
      "Host: evil.example",
      `${gateway.url}/plugins/llm-logger/status`,
    ]).toString();
    expect(rebinding).toBe("403");
  });

  it("a settings change reloads it: everything once, nothing left behind", async () => {
    const before = pidAndStart();
    await lab.gateway.editConfig((config) =>
      setIn(
        config,
        ["plugins", "entries", "llm-logger-openclaw-plugin", "config", "maxBodyBytes"],
        7_000_000,
      ),
    );
    await waitFor(() => pidAndStart() !== before, 60_000);
    const seen = lab.stub.exchanges.length;
    expect((await turn("main", "reload", "tools")).ok).toBe(true);
    await lab.settled();
    const fresh = lab.stub.exchanges.slice(seen).filter((exchange) => spanOf(exchange));
    expect(fresh.length).toBe(4);
    for (const exchange of fresh)
      expect(
        of("http_request").filter(
          (line) => line.body === exchange.body && line.attemptId === spanOf(exchange),
        ),
      ).toHaveLength(1);
  });

  it("without conversation access only metadata is written, and status names the key", async () => {
    const before = pidAndStart();
    await lab.gateway.editConfig((config) =>
      setIn(
        config,
        ["plugins", "entries", "llm-logger-openclaw-plugin", "hooks", "allowConversationAccess"],
        false,
      ),
    );
    await waitFor(() => pidAndStart() !== before, 60_000);
    expect((await turn("main", "meta", "gzip")).ok).toBe(true);
    await lab.settled();
    const lines = lab.records().filter((line) => line.sessionKey === "agent:main:meta");
    expect(
      lines.filter((line) => line.eventType === "http_request" && line.purpose !== "utility"),
    ).toHaveLength(1);
    for (const line of lines) expect(line.body ?? line.message ?? null).toBeNull();
    expect(JSON.stringify(lines)).not.toContain("mainSmetaN0");
    expect(bin("status")).toContain(
      "plugins.entries.llm-logger-openclaw-plugin.hooks.allowConversationAccess true",
    );
  });

  it("disabled it writes nothing and holds no descriptor", async () => {
    const { pid } = JSON.parse(readFileSync(statusFile(), "utf8")) as { pid: number };
    await lab.gateway.editConfig((config) =>
      setIn(config, ["plugins", "entries", "llm-logger-openclaw-plugin", "enabled"], false),
    );
    await waitFor(
      () => (JSON.parse(readFileSync(statusFile(), "utf8")) as { running: boolean }).running === false,
      60_000,
    );
    const count = lab.records().length;
    expect((await turn("main", "off", "ok")).ok).toBe(true);
    await wait(2_000);
    expect(lab.records()).toHaveLength(count);
    if (existsSync(`/proc/${pid}/fd`)) {
      const open = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
        } catch {
          return [];
        }
      });
      expect(open.filter((file) => file.startsWith(lab.logDir))).toEqual([]);
    }
    failed = false;
  });

  const bin = (...args: string[]) => {
    const script = path.resolve(import.meta.dirname, "../packages/llm-logger-plugin/dist/bin.js");
    return execFileSync(process.execPath, [script, "--state-dir", lab.gateway.stateDir, ...args], {
      encoding: "utf8",
      maxBuffer: 1 << 28,
      stdio: ["ignore", "pipe", "ignore"],
    });
  };
  const statusFile = () => path.join(lab.logDir, ".llm-logger-openclaw-plugin.status.json");
  const pidAndStart = () => {
    const { pid, startedAt } = JSON.parse(readFileSync(statusFile(), "utf8")) as {
      pid: number;
      startedAt: string;
    };
    return `${pid} ${startedAt}`;
  };
});

async function waitFor(done: () => boolean, timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!done()) {
    if (Date.now() > deadline) throw new Error(`still not so after ${timeoutMs} ms: ${done.toString()}`);
    await wait(200);
  }
}

function setIn(root: Record<string, unknown>, keys: string[], value: unknown): void {
  let at = root;
  for (const key of keys.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[keys.at(-1) ?? ""] = value;
}
