import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { configSchema, uiHints } from "./config.ts";
import { manifest } from "./manifest.ts";

it("openclaw.plugin.json is what the code says (else: node packages/knowhub-plugin/scripts/manifest.ts)", async () => {
  const file = JSON.parse(await readFile(new URL("../openclaw.plugin.json", import.meta.url), "utf8"));
  expect(file).toEqual(JSON.parse(JSON.stringify(manifest())));
});

it("every setting has a hint and every hint a setting", () => {
  const settings = Object.entries(configSchema.properties).flatMap(([name, schema]) =>
    "properties" in schema
      ? Object.keys(schema.properties as object).map((inner) => `${name}.${inner}`)
      : [name],
  );
  expect(Object.keys(uiHints).sort()).toEqual(settings.sort());
});
