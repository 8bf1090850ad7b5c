/**
 * Values that the settings no longer call private. A rule that caught too much is mended in clawxrouter.json; what it has
 * put into the vault until then must not be kept back for ever. Placeholders in transcripts still come back.
 */
import { setImmediate as pause } from "node:timers/promises";
import type { PrivacyConfig } from "../config-file/schema.ts";
import type { Detector } from "../detection/detector.ts";
import { allowEntryOf } from "../detection/rules.ts";
import type { VaultStore } from "../vault-store/store.ts";

/** Types of what the user's own rules find: only those rules say that it is private. */
const USER_TYPES = new Set(["KEYWORD", "PATTERN"]);
/** Values looked at before others get their turn. */
const BATCH = 50;

/**
 * Lets go of values that are allowed now, and of those of the user's rules that no rule finds any more.
 * @returns how many
 */
export async function releaseValues(
  store: VaultStore,
  detector: Detector,
  allow: PrivacyConfig["rules"]["allow"],
): Promise<number> {
  const allowed = new Set(allow);
  const types = new Map<string, string[]>();
  for (const { value, type } of store.vault.entries()) types.set(value, [...(types.get(value) ?? []), type]);
  let released = 0;
  let looked = 0;
  for (const [value, its] of types) {
    const isAllowed = allowed.size > 0 && (allowed.has(value) || allowed.has(allowEntryOf(value)));
    if (!isAllowed && !its.every((type) => USER_TYPES.has(type))) continue;
    if (++looked % BATCH === 0) await pause();
    if (!isAllowed && detector.detectByRules(value).level !== "S1") continue;
    store.stopLooking(value);
    released++;
  }
  return released;
}
