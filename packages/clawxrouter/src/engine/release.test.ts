import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { parseConfig } from "../config-file/parse.ts";
import { Detector } from "../detection/detector.ts";
import { allowEntryOf, RuleDetector } from "../detection/rules.ts";
import { VaultStore } from "../vault-store/store.ts";
import { releaseValues } from "./release.ts";

let dir: string;
let store: VaultStore;
beforeEach(() => {
  dir = mkdtempSync(path.join(os.tmpdir(), "clawx-release-"));
  store = new VaultStore(path.join(dir, "vault.sqlite"), { maxValues: 1_000, retentionDays: 0 });
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true, force: true });
});

function settings(rules: object) {
  const { privacy } = parseConfig(JSON.stringify({ privacy: { rules } }), "test");
  return {
    detector: new Detector(privacy, new RuleDetector(privacy.rules), undefined, "1"),
    allow: privacy.rules.allow,
  };
}

it("a rule that caught everything is mended: what it has learnt is let go, and nothing else", async () => {
  const { vault } = store;
  const learn = (text: string, rules: object) =>
    vault.replaceFindings(text, settings(rules).detector.detectByRules(text).findings, { session: "s" });
  const greedy = learn("Write the documentation of widgets", { patterns: { S3: ["[a-z]+"] } });
  learn("project bluewhale", { keywords: { S2: ["bluewhale"] } });
  learn("call 13800130013 or 13900139001", {});
  vault.tokenise("documentation", "SECRET", "S3", "other");
  const now = settings({ keywords: { S2: ["bluewhale"] }, allow: [allowEntryOf("13800130013")] });
  expect(await releaseValues(store, now.detector, now.allow)).toBeGreaterThan(3);
  const found = vault.findKnown(
    "Write the documentation of widgets for bluewhale, 13800130013 or 13900139001",
  );
  expect(found.map(({ value }) => value)).toEqual(["documentation", "bluewhale", "13900139001"]);
  expect(vault.restore(greedy, { session: "s" })).toBe("Write the documentation of widgets");
  expect(await releaseValues(store, now.detector, now.allow)).toBe(0);
});
