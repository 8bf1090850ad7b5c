import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { JinjaEnvironment } from "./environment.ts";

interface Fixture {
  jinja2: string;
  data: Record<string, unknown>;
  templates: Record<string, string>;
  cases: { template: string; name?: string; output: string }[];
  trimmed: { template: string; output: string };
}

const fixture = JSON.parse(
  readFileSync(new URL("./fixtures/snippets.json", import.meta.url), "utf8"),
) as Fixture;

describe(`output equals Python Jinja2 ${fixture.jinja2}`, () => {
  const env = new JinjaEnvironment({ loader: (name) => fixture.templates[name] });

  it("was made with Jinja2 3.1", () => {
    expect(fixture.jinja2).toMatch(/^3\.1\./);
    expect(fixture.cases.length).toBeGreaterThanOrEqual(50);
  });

  it.each(fixture.cases.map((c, i) => [`${i + 1}: ${c.name ?? c.template.slice(0, 70)}`, c] as const))(
    "%s",
    (_, c) => {
      expect(env.renderString(c.template, structuredClone(fixture.data), c.name)).toBe(c.output);
    },
  );

  it("trim_blocks and lstrip_blocks", () => {
    const trimming = new JinjaEnvironment({ trimBlocks: true, lstripBlocks: true });
    expect(trimming.renderString(fixture.trimmed.template, fixture.data)).toBe(fixture.trimmed.output);
  });
});
