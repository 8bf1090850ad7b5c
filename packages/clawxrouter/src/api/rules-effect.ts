/** What a change of rules would have made of what was recorded lately. Private texts stay in this process. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Level } from "@clawx/shared-security";
import type { PrivacyConfig } from "../config-file/schema.ts";
import { RuleDetector } from "../detection/rules.ts";
import type { Engine } from "../engine/engine.ts";
import type { StoredDecision } from "../ledger/rows.ts";

export interface RulesEffect {
  checked: number;
  changed: number;
  samples: { detection: number; at: number; session: string | null; before: Level; after: Level }[];
}

const SAMPLES = 20;
const TURN_MS = 10;

/** Rules are what differs in these settings. */
export function sameRules(a: PrivacyConfig["rules"], b: PrivacyConfig["rules"]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** @param rows recorded decisions, newest first */
export async function rulesEffect(
  engine: Engine,
  rows: readonly StoredDecision[],
  next: PrivacyConfig["rules"],
): Promise<RulesEffect> {
  const old = new RuleDetector(engine.config().privacy.rules);
  const now = new RuleDetector(next);
  const effect: RulesEffect = { checked: 0, changed: 0, samples: [] };
  let started = performance.now();
  for (const row of rows) {
    if (row.text === null) continue;
    if (performance.now() - started > TURN_MS) {
      await nextTurn();
      started = performance.now();
    }
    const text = engine.conversation(row.session ?? "").restore(row.text);
    const [before, after] = [old.detect(text).level, now.detect(text).level];
    effect.checked += 1;
    if (before === after) continue;
    effect.changed += 1;
    if (effect.samples.length < SAMPLES)
      effect.samples.push({ detection: row.id, at: row.at, session: row.session, before, after });
  }
  return effect;
}
