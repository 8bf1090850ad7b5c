/**
 * Where each handed case of the router (`../shared/cases/router.jsonl`) is proven: fails when a case has no test, or
 * when a test named here is gone or switched off. Each was read against its case when it was entered.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { Vault } from "@clawx/shared-security";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../src/config-file/parse.ts";
import { Detector } from "../src/detection/detector.ts";
import { RuleDetector } from "../src/detection/rules.ts";
import { rewriteMessage } from "../src/transcript/rewrite.ts";
import { Conversation } from "../src/vault-store/conversation.ts";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../../..");
const handed = path.resolve(root, "../shared/cases/router.jsonl");

const SRC = "packages/clawxrouter/src";
const CASES = `${SRC}/egress/cases.test.ts`;
const GUARDS = `${SRC}/egress/guards.test.ts`;
const LOCAL = `${SRC}/egress/local-routes.test.ts`;
const PROXY = `${SRC}/egress/proxy.test.ts`;
const TRANSFORM = `${SRC}/egress/response/transform.test.ts`;
const DECIDE = `${SRC}/routing/decide.test.ts`;
const REWRITE = `${SRC}/transcript/rewrite.test.ts`;
const DETECTOR = `${SRC}/detection/local-model.test.ts`;
const CONFIG_API = `${SRC}/api/config.test.ts`;
const COST = `${SRC}/cost/cost.test.ts`;
const ENGINE_E2E = "e2e/clawxrouter-engine.test.ts";
const SCENES = "e2e/leak/scenes";

/** Case id -> the tests that prove it: file and the beginning of the title. */
const PROVEN: Record<string, readonly (readonly [file: string, title: string])[]> = {
  "fallback-to-cloud": [
    [LOCAL, "fallback-to-cloud: a private turn with the local model down"],
    [LOCAL, "fallback-to-cloud: so does one whose local model answers 500"],
    [DECIDE, "keeps the verdict by run"],
    [`${SCENES}/failures.ts`, "fallback with the local model down"],
  ],
  "retry-unmarked": [
    [CASES, "retry-unmarked: every attempt is redacted alike"],
    [DECIDE, "keeps the verdict by run"],
    [`${SCENES}/failures.ts`, "retry after errors and cut connections"],
  ],
  "marker-in-user-text": [
    [CASES, "marker-in-user-text: markers switch nothing off"],
    [CASES, "marker-in-user-text: a placeholder of another conversation"],
    [DECIDE, "a user's own marker changes nothing"],
    [`${SCENES}/conversation.ts`, "placeholders of another conversation, typed in"],
  ],
  tail: [
    [CASES, "tail: after 20,000 characters"],
    [CASES, "tail: at every border of the windows"],
    [DECIDE, "sees a secret after 20,000 harmless characters"],
    [DETECTOR, "reads the whole text in windows"],
  ],
  "tool-args-history": [
    [CASES, "tool-args-history: in the arguments of an earlier call"],
    [CASES, "tool-args-history: in tool_use.input and functionCall.args"],
  ],
  "tool-role": [
    [CASES, "tool-role: in tool results, plain or in parts"],
    [`${SRC}/selftest/paths.ts`, "tool result: read"],
  ],
  "anthropic-system": [[CASES, "anthropic-system: in system"]],
  "responses-instructions": [
    [CASES, "responses-instructions: in instructions and input"],
    [`${SCENES}/entries.ts`, "history and instructions by /v1/responses"],
  ],
  "sse-split": [
    [TRANSFORM, "restores text and tool arguments cut at every position"],
    [TRANSFORM, "restores the same for every cut of the bytes"],
    [PROXY, "passes pieces on as they come"],
    [`${SCENES}/conversation.ts`, "answer that streams placeholders back, cut at every character"],
  ],
  "restored-args": [
    [TRANSFORM, "restores text and tool arguments cut at every position"],
    [ENGINE_E2E, "a placeholder in tool arguments runs as the value"],
  ],
  remask: [
    [CASES, "remask: a restored value in the next turn's history"],
    [REWRITE, "two names are two placeholders, the same ones in every turn"],
    [ENGINE_E2E, "a placeholder in tool arguments runs as the value"],
  ],
  "two-people": [
    [CASES, "two-people: two values have two placeholders"],
    [REWRITE, "two names are two placeholders"],
    ["packages/clawxrouter/scripts/router-cases.test.ts", "two-people: names, in two messages"],
  ],
  "detector-down": [
    [CASES, "%s: fails closed, says so, sends nothing"],
    [CASES, "a degraded verdict is used, told and asked for again"],
    [DETECTOR, "asks once more after prose"],
    [DETECTOR, "is degraded, not safe, when the model is slow, down or failing"],
    [`${SCENES}/failures.ts`, `detector \${how}`],
  ],
  "schema-property": [[CASES, "schema-property: tool schemas stay as they are"]],
  "429-once": [[PROXY, "429-once: errors pass through once"]],
  "stream-tool-calls": [
    [PROXY, "stream-tool-calls: a whole answer to a streaming request"],
    [TRANSFORM, "turns a whole answer into a stream without losing tool calls"],
  ],
  website: [
    [GUARDS, "website: neither a web page nor another user is served"],
    [GUARDS, "a preflight is refused without CORS headers"],
    [GUARDS, "wrong or missing key"],
  ],
  "host-trick": [[GUARDS, "host-trick: the target of a request is the configured one or nothing"]],
  "prompt-name": [[CONFIG_API, "prompts have fixed names"]],
  "module-data-url": [
    [CONFIG_API, "refuses code that the file on disk does not name"],
    [`${SRC}/user-code/module.test.ts`, "module-data-url"],
  ],
  "two-users-one-file": [[`${SRC}/sessions/export.test.ts`, "two sessions never share a file"]],
  "judge-raw": [
    [`${SRC}/routing/pipeline.test.ts`, "runs privacy first and skips the judge"],
    [`${SRC}/routing/pipeline.test.ts`, "keeps the judge after privacy even when its weight says otherwise"],
  ],
  "mini-price": [[COST, "a small sibling has its own price, an unknown model none"]],
  "one-id-two-providers": [
    [LOCAL, "one-id-two-providers: one model id at two providers"],
    [COST, "one id at two providers has two prices"],
  ],
  "path-variants": [
    [`${SRC}/detection/paths.test.ts`, "path-variants"],
    [ENGINE_E2E, "a cloud turn may not touch private files"],
  ],
  "same-prefix-results": [
    [CASES, "same-prefix-results: two results that begin alike"],
    [REWRITE, "two tool results that begin alike stay two"],
  ],
};

/** True when a test or scene whose title begins so is in the file and runs. */
function runs(file: string, title: string): boolean {
  const lines = readFileSync(path.join(root, file), "utf8").split("\n");
  if (lines.some((line) => /^describe\.(?:skip|todo)\b/.test(line))) return false;
  return lines.some(
    (line) =>
      ['"', "`"].some((quote) => line.includes(quote + title)) &&
      /\b(?:it|describe)\b|\]\)\(|name:/.test(line) &&
      !/\.(?:skip|todo|fails)\b|^\s*(?:\/\/|\*)/.test(line),
  );
}

describe("the handed cases of the router", () => {
  it.skipIf(!existsSync(handed))("each has a named test (skipped where ../shared is absent)", () => {
    const ids = readFileSync(handed, "utf8")
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids.length).toBeGreaterThan(0);
    expect(ids.filter((id) => (PROVEN[id] ?? []).length === 0)).toEqual([]);
  });

  it.each(Object.entries(PROVEN))("%s", (_, tests) => {
    for (const [file, title] of tests)
      expect(runs(file, title), `${file} has no running test "${title}"`).toBe(true);
  });

  it("would notice a test that is gone", () => {
    expect(runs(CASES, "tail: before 20,000 characters")).toBe(false);
  });
});

it("two-people: names, in two messages, keep their own placeholders over turns", () => {
  const { privacy } = defaultConfig();
  const detector = new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1");
  const talk = new Conversation(new Vault(), "s");
  const write = (content: string) =>
    (rewriteMessage({ role: "user", content }, { talk, detector, privateTurn: false }) as { content: string })
      .content;
  const [one, other] = ["客户姓名：王小明", "客户姓名：李建国"].map(write) as [string, string];
  for (const text of [one, other]) expect(text).toMatch(/\[REDACTED:[A-Z_]+_\d+\]/);
  expect(one).not.toBe(other);
  expect([talk.restore(one), talk.restore(other)]).toEqual(["客户姓名：王小明", "客户姓名：李建国"]);
  expect(["客户姓名：王小明", "客户姓名：李建国"].map(write)).toEqual([one, other]);
});
