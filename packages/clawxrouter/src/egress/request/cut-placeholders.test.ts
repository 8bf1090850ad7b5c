import { Vault } from "@clawx/shared-security";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { json } from "../testing/recording-upstream.ts";
import { type Bench, startBench } from "../testing/setup.ts";
import { mayBeCut, mendCut } from "./cut-placeholders.ts";

const SESSION = "agent:main:main";
/** As the host does it; `bracket`: it takes the bracket for what follows the secret. */
const cut = (token: string, bracket = false): string =>
  bracket ? `${token.slice(0, 6)}…${token.slice(-5)}` : `${token.slice(0, 6)}…${token.slice(-4)}`;
const SECRET = ["xo", "xb-17653672481-aBcDeFgHiJkLmNoP"].join("");

describe("mendCut", () => {
  it("puts back what only one placeholder of the conversation can be", () => {
    const vault = new Vault();
    const token = vault.tokenise(SECRET, "SLACK_TOKEN", "S2", SESSION);
    vault.tokenise("13800138000", "PHONE", "S2", SESSION);
    const mark = vault.tokenise("a private text of some length", "PRIVATE_KEY", "S3", SESSION);
    const body = JSON.stringify({ a: `SLACK_TOKEN=${cut(token)}; ${cut(token, true)}`, b: cut(mark) });
    const ascii = body.replaceAll("…", "\\u2026");
    for (const text of [body, ascii])
      expect(JSON.parse(mendCut(text, vault, SESSION))).toEqual({
        a: `SLACK_TOKEN=${token}; ${token}`,
        b: mark,
      });
  });

  it("leaves what more than one can be, what is another conversation's, and what nobody knows", () => {
    const vault = new Vault();
    const token = vault.tokenise(SECRET, "SLACK_TOKEN", "S2", SESSION);
    vault.tokenise("another-token-value", "AUTH_TOKEN", "S2", SESSION);
    const text = `x=${cut(token)}`;
    expect(mendCut(text, vault, SESSION)).toBe(text);
    expect(mendCut(text, vault, undefined)).toBe(text);
    const other = vault.tokenise("13800138000", "PHONE_NUMBER", "S2", "agent:main:other");
    expect(mendCut(cut(other), vault, SESSION)).toBe(cut(other));
    expect(mendCut("[REDAC…R_99] [REDAC… [PRIVA…", vault, SESSION)).toBe("[REDAC…R_99] [REDAC… [PRIVA…");
  });

  it("is told to be needed by text, by its ASCII and by its bytes", () => {
    const text = `x=${cut("[REDACTED:SLACK_TOKEN_1]")}`;
    const bytes = Buffer.from(text).toString("latin1");
    for (const json of [text, text.replace("…", "\\u2026"), bytes]) expect(mayBeCut(json)).toBe(true);
    expect(mayBeCut("x=[REDACTED:SLACK_TOKEN_1] … [PRIVATE:KEY_1]")).toBe(false);
  });

  it("changes no text without a cut placeholder", () => {
    const vault = new Vault();
    vault.tokenise(SECRET, "SLACK_TOKEN", "S2", SESSION);
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        expect(mendCut(text, vault, SESSION)).toBe(text);
      }),
    );
  });
});

describe("through the proxy", () => {
  let bench: Bench;
  afterEach(() => bench.close());

  it("a placeholder that the host has cut in its transcript comes back as the value", async () => {
    bench = await startBench({ more: {} });
    bench.cloud.answer((_request, response) => json(response, 200, { choices: [] }));
    const ask = async (content: string) =>
      bench.post("/v1/chat/completions", { model: "m", messages: [{ role: "user", content }] });
    await ask(`SLACK_TOKEN=${SECRET}`);
    const [token = ""] = bench.vault.tokensOf(SESSION);
    expect(token).toMatch(/^\[(?:REDACTED|PRIVATE):/);
    bench.cloud.answer((_request, response) =>
      json(response, 200, { choices: [{ message: { role: "assistant", content: `use ${token}` } }] }),
    );
    const answer = await (await ask(`it says SLACK_TOKEN=${cut(token)}`)).text();
    expect(bench.cloud.requests.at(-1)?.body).toContain(token);
    expect(bench.cloud.requests.at(-1)?.body).not.toContain(SECRET);
    // What is S3 is never given back by a cloud's answer.
    expect(answer).toContain(token.startsWith("[REDACTED") ? SECRET : token);
  });
});
