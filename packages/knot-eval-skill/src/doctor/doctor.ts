import { constants, existsSync, statSync } from "node:fs";
import { access } from "node:fs/promises";
import path from "node:path";
import { VERSION } from "../cli/version.ts";
import type { LoadedConfig } from "../config/load.ts";
import { makeScrubber, type Secrets } from "../config/secrets.ts";
import { KnotClient } from "../knot/client.ts";
import { LlmClient } from "../llm/client.ts";
import { McpClient } from "../mcp/client.ts";
import { runPaths } from "../results/paths.ts";

export interface Check {
  name: string;
  ok: boolean;
  detail: string;
  /** What to do, for a check that failed. */
  advice?: string;
}

const PROBE = "你好";

type Probe = () => Promise<Omit<Check, "name">>;

function isPlainRemote(address: string): boolean {
  const url = new URL(address);
  return url.protocol === "http:" && !["localhost", "127.0.0.1", "[::1]"].includes(url.hostname);
}

function agentAdvice(error: string, status: number | null): string {
  if (status === 401 || status === 403 || /permission|token|unauthor/i.test(error))
    return "check agent.api_token_env / agent.api_token and that agent.username may use this agent";
  if (status === 404) return "check agent.knot_url and agent.agent_id";
  if (/redirect/.test(error))
    return "agent.knot_url points to a login page or another host: use the address the API answers on";
  if (/timeout/.test(error)) return "raise agent.timeouts, or try again when the agent is less busy";
  return "check agent.knot_url and the network (VPN, proxy)";
}

function mcpAdvice(error: string): string {
  if (/HTTP 401|HTTP 403|token/i.test(error))
    return "check agent.kb_mcp.api_token_env: the knowledge base token may differ from the agent's";
  if (/HTTP 404/.test(error)) return "check agent.kb_mcp.url";
  return "check agent.kb_mcp.url and the network";
}

/** The files the configuration names, and the folder the results go to. */
async function fileChecks(loaded: LoadedConfig): Promise<Check[]> {
  const { config, baseDir } = loaded;
  const checks: Check[] = [];
  const named: [string, string | undefined][] = [
    ["report.template", config.report.template],
    ["grading.equivalent_map_file", config.grading.equivalent_map_file],
    ["qa_gen.doc_list_file", config.qa_gen.doc_list_file],
  ];
  for (const [field, file] of named) {
    if (file === undefined) continue;
    const where = path.resolve(baseDir, file);
    const fault = await access(where, constants.R_OK).then(
      () => undefined,
      () => `${field}: cannot read ${where}`,
    );
    if (fault) checks.push({ name: "files", ok: false, detail: fault, advice: `correct ${field}` });
  }
  const { dir } = runPaths(loaded);
  let existing = dir;
  while (!existsSync(existing) && path.dirname(existing) !== existing) existing = path.dirname(existing);
  const writable = await access(existing, constants.W_OK).then(
    () => statSync(existing).isDirectory(),
    () => false,
  );
  if (!writable)
    checks.push({
      name: "files",
      ok: false,
      detail: `cannot write into ${dir}`,
      advice: "choose another folder with output.dir or --out",
    });
  return checks;
}

/** One tiny call to each service. Never throws for what a service does; the detail holds no token. */
export async function runDoctor(
  loaded: LoadedConfig,
  secrets: Secrets,
  signal?: AbortSignal,
): Promise<Check[]> {
  const { agent } = loaded.config;
  const scrub = makeScrubber(secrets);
  const withSignal = signal ? { signal } : {};
  const checks: Check[] = [
    { name: "config", ok: true, detail: `${loaded.file}: all REQUIRED fields are there` },
  ];
  for (const warning of loaded.warnings)
    checks.push({ name: "config", ok: true, detail: `note: ${warning}` });
  checks.push(...(await fileChecks(loaded)));
  for (const [field, address] of [
    ["agent.knot_url", agent.knot_url],
    ["agent.kb_mcp.url", agent.kb_mcp.url],
    ["agent.llm.base_url", agent.llm.base_url],
  ] as const) {
    if (isPlainRemote(address))
      checks.push({
        name: "config",
        ok: true,
        detail: `note: ${field} is http: the token travels unencrypted`,
      });
  }
  const run = async (name: string, probe: Probe, advise: (error: string) => string) => {
    try {
      checks.push({ name, ...(await probe()) });
    } catch (error) {
      const detail = scrub(error instanceof Error ? error.message : String(error));
      checks.push({ name, ok: false, detail, advice: advise(detail) });
    }
  };
  await run(
    "agent",
    async () => {
      const result = await new KnotClient(agent).ask(PROBE, {
        token: secrets.agentToken ?? "",
        ...withSignal,
      });
      if (result.status === "ok")
        return {
          ok: true,
          detail: `${agent.agent_name} answered in ${result.latencyMs} ms (${result.answer.length} characters, first event after ${result.firstTokenMs ?? "?"} ms)`,
        };
      const error = scrub(result.error ?? "no answer");
      return { ok: false, detail: error, advice: agentAdvice(error, result.httpStatus) };
    },
    (error) => agentAdvice(error, null),
  );
  const mcp = new McpClient({
    config: agent.kb_mcp,
    token: secrets.mcpToken ?? "",
    clientVersion: VERSION,
    retries: { ...agent.retries, max: Math.min(1, agent.retries.max) },
    ...withSignal,
  });
  await run(
    "mcp tools",
    async () => {
      const tools = await mcp.listTools();
      const tool = tools.find((t) => t.name === agent.kb_mcp.tool);
      if (tool)
        return { ok: true, detail: `${tool.name} inputSchema: ${JSON.stringify(tool.inputSchema ?? {})}` };
      const advice =
        tools.length === 0
          ? "no tool is offered: agent.kb_mcp.knowledge_uuid is wrong or not visible for this token"
          : `offered: ${tools.map((t) => t.name).join(", ")}; set agent.kb_mcp.tool`;
      return { ok: false, detail: `tool ${agent.kb_mcp.tool} is not there`, advice };
    },
    mcpAdvice,
  );
  await run(
    "mcp search",
    async () => {
      const query = loaded.config.qa_gen.doc_names[0] ?? agent.agent_name;
      const chunks = await mcp.search(query);
      const titles = [...new Set(chunks.map((chunk) => chunk.title))].slice(0, 5);
      if (chunks.length > 0)
        return {
          ok: true,
          detail: `"${query}": ${chunks.length} chunk(s) from ${titles.join("、")}; make sure that this is the knowledge base you mean`,
        };
      const advice = agent.kb_mcp.search_domain
        ? "leave agent.kb_mcp.search_domain out: some knowledge bases answer only without it"
        : "check agent.kb_mcp.knowledge_uuid with a query you know the answer of";
      return { ok: false, detail: `"${query}": nothing found`, advice };
    },
    mcpAdvice,
  );
  await run(
    "llm",
    async () => {
      const answer = await new LlmClient(agent.llm, secrets.llmKey, {
        ...agent.retries,
        max: Math.min(1, agent.retries.max),
      }).chat([{ role: "user", content: "Reply with: ok" }], signal);
      return {
        ok: true,
        detail: `${agent.llm.model} answered: ${scrub(answer.replace(/\s+/g, " ").slice(0, 60))}`,
      };
    },
    (error) =>
      /HTTP 401|HTTP 403/.test(error)
        ? "check agent.llm.api_key_env"
        : /HTTP 404/.test(error)
          ? "check agent.llm.base_url (usually ends with /v1) and agent.llm.model"
          : "check agent.llm.base_url and the network",
  );
  return checks;
}

export function checkLines(checks: readonly Check[]): string[] {
  return checks.flatMap((check) => [
    `[${check.ok ? "ok" : "FAIL"}] ${check.name}: ${check.detail}`,
    ...(check.advice ? [`       -> ${check.advice}`] : []),
  ]);
}
