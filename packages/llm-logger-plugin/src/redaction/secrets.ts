/**
 * Secret-shaped strings inside text, by the shared rules only; remembers the verdict of texts seen again.
 * Loaded when a logger starts, not when the plugin registers: the rules are the largest part of the code.
 */
import { BUILT_IN_RULES, detect, type Finding, type Policy } from "@clawx/shared-security";
import type { SecretFinder } from "./replace.ts";

/** Rule families whose findings are credentials; the rest is personal data and only looked for with `redactPii`. */
const SECRET_FAMILIES = new Set(["credentials", "private-keys", "connection-strings", "assignments"]);

/** No credential or phone number is shorter. */
const MIN_LENGTH = 7;

/** Texts up to this length are remembered; a conversation sends its history again with every call. */
const MEMO_MAX_LENGTH = 100_000;
/** All remembered texts together, UTF-16 units: beyond it memory starts anew. */
const MEMO_TOTAL = 8_000_000;

const NONE: readonly Finding[] = [];

/** @param pii also find personal data. */
export function createSecretFinder(pii: boolean): SecretFinder {
  const policy: Policy = pii ? {} : { disabledRules: piiFamilies() };
  const memo = new Map<string, readonly Finding[]>();
  let remembered = 0;
  return {
    find(text) {
      if (text.length < MIN_LENGTH) return NONE;
      const known = memo.get(text);
      if (known) return known;
      const found = detect(text, policy);
      const result = found.length === 0 ? NONE : found;
      if (text.length > MEMO_MAX_LENGTH) return result;
      remembered += text.length;
      if (remembered > MEMO_TOTAL) {
        memo.clear();
        remembered = text.length;
      }
      memo.set(text, result);
      return result;
    },
  };
}

function piiFamilies(): string[] {
  const families = new Set(BUILT_IN_RULES.map((rule) => rule.id.slice(0, rule.id.indexOf("/"))));
  return [...families].filter((family) => !SECRET_FAMILIES.has(family)).map((family) => `${family}/*`);
}
