import { describe, expect, it } from "vitest";
import { ConfigFileSchema } from "../../../../config-file/schema.ts";
import { words } from "../../i18n/words.ts";
import { leavesOf, pointerOf, readSchema, type Setting } from "./schema.ts";

const { managed: _, ...properties } = ConfigFileSchema.properties;
const schema: unknown = JSON.parse(JSON.stringify({ ...ConfigFileSchema, properties }));
const tree = readSchema(schema, ["/privacy/localModel/module", "/privacy/routers/*/module"]);
const leaf = (pointer: string) => leavesOf(tree).find((setting) => pointerOf(setting.path) === pointer);

describe("the form of all settings", () => {
  it("knows every kind of setting of the real schema", () => {
    expect(leaf("/privacy/enabled")?.kind).toBe("switch");
    expect(leaf("/privacy/proxyPort")).toMatchObject({
      kind: "number",
      min: 1,
      max: 65_535,
      whole: true,
      optional: false,
    });
    expect(leaf("/tokenSaver/budget/dayUsd")).toMatchObject({ kind: "number", optional: true });
    expect(leaf("/privacy/s2Policy")).toMatchObject({ kind: "choice", options: ["proxy", "local"] });
    expect(leaf("/privacy/checkpoints/outbound")).toMatchObject({ kind: "choices" });
    expect(leaf("/privacy/rules/keywords/S2")).toMatchObject({ kind: "texts" });
    expect(leaf("/privacy/guardAgent/toolsAllow")).toMatchObject({ kind: "texts", optional: true });
    expect(leaf("/privacy/localModel/module")).toMatchObject({ kind: "text", diskOnly: true });
  });

  it("edits as JSON only what has keys of the user's own", () => {
    const json = leavesOf(tree).filter((setting) => setting.kind === "json");
    expect(json.map((setting) => pointerOf(setting.path))).toEqual([
      "/privacy/routers",
      "/tokenSaver/prices",
    ]);
  });

  it("has words in both languages for each setting and each group", async () => {
    const { privacySettingWords } = await import("../../i18n/settings-privacy.ts");
    const { otherSettingWords } = await import("../../i18n/settings-other.ts");
    const all = (setting: Setting): string[] => [
      pointerOf(setting.path),
      ...(setting.kind === "group" ? setting.children.flatMap(all) : []),
    ];
    for (const language of ["en", "zh"] as const) {
      const known = { ...privacySettingWords[language], ...otherSettingWords[language] };
      expect(all(tree).filter((pointer) => pointer !== "" && !Object.hasOwn(known, pointer))).toEqual([]);
    }
    expect(words({ en: { a: "a" }, zh: { a: "一" } }).zh.a).toBe("一");
  });
});
