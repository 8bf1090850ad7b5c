import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { parseConfig } from "./config-file/parse.ts";
import { RuleDetector } from "./detection/rules.ts";

const here = fileURLToPath(new URL("..", import.meta.url));
const root = path.resolve(here, "../..");
const cases = path.resolve(root, "../shared/cases/router.jsonl");

describe("what the package ships and promises", () => {
  it("config.example.json is valid, patterns included", () => {
    const config = parseConfig(
      readFileSync(path.join(here, "config.example.json"), "utf8"),
      "config.example.json",
    );
    expect(() => new RuleDetector(config.privacy.rules)).not.toThrow();
  });

  it.skipIf(!existsSync(cases))("every handed case has a test (skipped without ../shared/cases)", () => {
    const files = [
      ...globSync("src/**/*.test.ts", { cwd: here }).map((f) => path.join(here, f)),
      ...globSync("e2e/*.test.ts", { cwd: root }).map((f) => path.join(root, f)),
    ];
    const tests = files
      .filter((file) => !file.endsWith("package-files.test.ts"))
      .map((file) => readFileSync(file, "utf8"));
    const ids = readFileSync(cases, "utf8")
      .trim()
      .split("\n")
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(ids.length).toBeGreaterThan(20);
    const missing = ids.filter(
      (id) =>
        !tests.some((text) =>
          new RegExp(`\\bcases?:? [^"'\`]*\\b${id}\\b|["'\`][^"'\`]*\\b${id}\\b`).test(text),
        ),
    );
    expect(missing).toEqual([]);
  });
});
