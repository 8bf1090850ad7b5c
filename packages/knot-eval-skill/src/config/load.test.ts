import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { skillFile } from "../files/skill.ts";
import { loadConfig, REQUIRED_FIELDS } from "./load.ts";
import { makeScrubber, readSecrets } from "./secrets.ts";

const dir = mkdtempSync(path.join(tmpdir(), "knot-config-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function write(text: string): string {
  const file = path.join(dir, "eval_config.yaml");
  writeFileSync(file, text);
  return file;
}

const GOOD = `
agent:
  knot_url: https://knot.invalid
  agent_id: "1234e56"
  username: u
  api_token_env: KNOT_TOKEN
  model: deepseek-v4-flash
  temperature: 0.3
  agent_name: 助手
  kb_mcp: { url: "http://mcp.invalid/open/mcp", api_token_env: MCP_TOKEN, knowledge_uuid: "00e1" }
  llm: { base_url: "https://llm.invalid/v1", api_key_env: LLM_KEY, model: gpt-4o-mini }
report: { question_source: 题库 }
`;

const message = (text: string) =>
  loadConfig(write(text)).then(
    () => "",
    (error: Error & { exitCode?: number }) => `${error.exitCode}|${error.message}`,
  );

describe("eval_config.yaml", () => {
  it.each([
    ["empty", ""],
    ["only comments", "# nothing yet\n"],
    ["null", "~\n"],
    ["an empty group", "agent:\nreport:\n"],
  ])("%s: every REQUIRED field in one message, exit 2", async (_, text) => {
    const said = await message(text);
    expect(said).toMatch(/^2\|/);
    for (const group of REQUIRED_FIELDS) expect(said).toContain(`- ${group.join(" or ")}`);
  });

  it.each(REQUIRED_FIELDS.map((group) => [group.join(" or "), group] as const))(
    "names %s when it alone is missing",
    async (_, group) => {
      const key = group.at(-1)?.split(".").at(-1) ?? "";
      const inner = group[0]?.split(".")[1] ?? "";
      const text = GOOD.split("\n")
        .map((line) =>
          inner === "kb_mcp" || inner === "llm"
            ? line.includes(`${inner}: {`)
              ? line.replace(new RegExp(`${key}: (?:"[^"]*"|[\\w.-]+),?`), "")
              : line
            : line.replace(new RegExp(`^(\\s*|report: \\{ )${key}:[^}]*`), "$1"),
        )
        .join("\n");
      const said = await message(text);
      expect(said).toContain(`- ${group.join(" or ")}`);
      expect(said.match(/^ {4}- /gm)).toHaveLength(1);
    },
  );

  it("loads a complete file and fills in the defaults", async () => {
    const { config, warnings } = await loadConfig(write(GOOD));
    expect(config.agent.agent_id).toBe("1234e56");
    expect(config.grading.a3_keyword_rate).toBe(0.15);
    expect(warnings).toEqual([]);
  });

  it("says that an unquoted id became a number", async () => {
    const said = await message(GOOD.replace('"1234e56"', "1234e56").replace('"00e1"', "12"));
    expect(said).toMatch(/agent\.agent_id: YAML read a number .*put it in quotes/);
    expect(said).toMatch(/agent\.kb_mcp\.knowledge_uuid: YAML read a number \(12\)/);
  });

  it.each([
    [
      "a model with capitals",
      GOOD.replace("deepseek-v4-flash", "DeepSeek"),
      /agent\.model: must be lower-case/,
    ],
    [
      "a token where a name belongs",
      GOOD.replace("KNOT_TOKEN", "tok-en.1"),
      /agent\.api_token_env: must be the NAME/,
    ],
    [
      "a URL with a password",
      GOOD.replace("https://knot.invalid", "https://u:p@knot.invalid"),
      /agent\.knot_url/,
    ],
    ["an out-of-range rate", `${GOOD}grading: { pass_keyword_rate: 80 }\n`, /grading\.pass_keyword_rate/],
    ["a list", "- a\n- b\n", /mapping/],
    ["broken YAML", "agent: {\n  api_token: abc\n", /not valid YAML at line/],
  ])("refuses %s", async (_, text, reason) => {
    expect(await message(text)).toMatch(reason);
  });

  it("never quotes a token in a message", async () => {
    const token = ["very", "secret", "value"].join("-");
    expect(await message(`agent:\n  api_token: ${token}\n\t broken`)).not.toContain(token);
    expect(await message(GOOD.replace("KNOT_TOKEN", token))).not.toContain(token);
  });

  it("takes kb_mcp and llm at the top level too, and warns about unknown keys and plain tokens", async () => {
    const text = GOOD.replace(/^ {2}(kb_mcp|llm): /gm, "$1: ").replace(
      "api_token_env: KNOT_TOKEN",
      "api_token: abcd-efgh\n  modle: x",
    );
    const { warnings } = await loadConfig(
      write(`${text.replace(/^(kb_mcp|llm).*$/gm, "")}\n${text.match(/^(?:kb_mcp|llm).*$/gm)?.join("\n")}`),
    );
    expect(warnings.join("\n")).toMatch(/unknown key agent\.modle/);
    expect(warnings.join("\n")).toMatch(/plain text/);
  });

  it("the example file holds every REQUIRED field and is not accepted unfilled", async () => {
    const example = readFileSync(skillFile("config", "eval_config.example.yaml"), "utf8");
    expect(example.match(/# REQUIRED/g)).toHaveLength(REQUIRED_FIELDS.length);
    expect(await message(example)).toMatch(/missing REQUIRED fields .*\(10\)/);
  });
});

describe("tokens", () => {
  it("are read for the stages that need them, all unset ones named at once", async () => {
    const { config } = await loadConfig(write(GOOD));
    expect(readSecrets(config, [], {})).toEqual({});
    expect(() => readSecrets(config, ["agentToken", "mcpToken"], { LLM_KEY: "x" })).toThrow(
      /KNOT_TOKEN .*MCP_TOKEN/,
    );
    expect(readSecrets(config, ["agentToken"], { KNOT_TOKEN: " t1 " }).agentToken).toBe("t1");
  });

  it("are taken out of texts, the longer one first", () => {
    expect(makeScrubber({ agentToken: "abcd", llmKey: "abcdefgh" })("x abcdefgh y abcd")).toBe(
      "x [REDACTED] y [REDACTED]",
    );
  });
});
