import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { defaultConfig } from "../config-file/parse.ts";
import { RuleDetector } from "./rules.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const shared = path.resolve(root, "../shared/data");
const rules = new RuleDetector(defaultConfig().privacy.rules);
const CHUNK = 2_000;

/** Share of chunks that the default rules raise above S1, and what raised them. */
function raised(texts: readonly string[]): { share: number; of: number; by: Record<string, number> } {
  let n = 0;
  const by: Record<string, number> = {};
  for (const text of texts) {
    const found = rules.detect(text);
    if (found.level === "S1") continue;
    n++;
    for (const reason of found.reasons) by[reason] = (by[reason] ?? 0) + 1;
  }
  return { share: n / texts.length, of: texts.length, by };
}

function chunks(files: readonly string[], limit: number): string[] {
  const out: string[] = [];
  for (const file of files) {
    const text = readFileSync(file, "utf8");
    for (let at = 0; at + CHUNK <= text.length && out.length < limit; at += CHUNK)
      out.push(text.slice(at, at + CHUNK));
  }
  return out;
}

describe("clean text under the default rules", () => {
  it.each([
    "微信客户端怎么安装？",
    "console.log(process.env.PORT)",
    "how do I ssh into a server",
    "what does .env mean in a project?",
    "the tokenizer splits a token into bytes",
  ])("%s is S1", (text) => {
    expect(rules.detect(text).reasons).toEqual([]);
  });

  it("raises at most 3 % of 2 kB chunks of documents and of code", { timeout: 60_000 }, () => {
    const host = path.join(root, "node_modules", "openclaw");
    for (const pattern of ["docs/**/*.md", "dist/plugin-sdk/*.js"]) {
      const files = globSync(pattern, { cwd: host })
        .map((file) => path.join(host, file))
        .sort();
      const measured = raised(chunks(files, 3_000));
      console.log(`${pattern}: ${(measured.share * 100).toFixed(2)} % of ${measured.of} chunks`, measured.by);
      expect(measured.of).toBeGreaterThan(100);
      expect(measured.share, JSON.stringify(measured.by)).toBeLessThanOrEqual(0.03);
    }
  });

  it.skipIf(!existsSync(shared))(
    "raises at most 0.5 % of MT-bench prompts (skipped without ../shared/data)",
    () => {
      const prompts = readFileSync(path.join(shared, "routing", "mt-bench.jsonl"), "utf8")
        .trim()
        .split("\n")
        .flatMap((line) =>
          Object.values(JSON.parse(line) as Record<string, unknown>)
            .flat()
            .filter((v): v is string => typeof v === "string" && v.length > 30),
        );
      const measured = raised(prompts);
      console.log(`MT-bench: ${(measured.share * 100).toFixed(2)} % of ${measured.of} prompts`, measured.by);
      expect(measured.share, JSON.stringify(measured.by)).toBeLessThanOrEqual(0.005);
    },
  );
});
