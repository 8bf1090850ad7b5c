/** "This was wrong": what it makes of the settings. */
import { allowEntryOf } from "../detection/rules.ts";
import type { Engine } from "../engine/engine.ts";
import type { StoredDecision } from "../ledger/rows.ts";
import { PRIVATE_TEXT_TYPE } from "../vault-store/store.ts";

export type FeedbackChange =
  | { kind: "allow"; token: string }
  | { kind: "keyword" | "pattern" | "remove-keyword" | "remove-pattern"; level: "S2" | "S3"; text: string };

/** The change cannot be made; the message says why and what to do instead. */
export class FeedbackError extends Error {
  override readonly name = "FeedbackError";
}

export interface PlannedFeedback {
  /** The whole document with the change. */
  raw: Record<string, unknown>;
  /** A value that must no longer be looked for once the change is written. */
  forget: string | undefined;
  /** For the record; holds no value. */
  note: string;
}

/**
 * @param raw the settings as the user wrote them
 * @throws FeedbackError
 */
export function planFeedback(
  engine: Engine,
  decision: StoredDecision,
  change: FeedbackChange,
  raw: Record<string, unknown>,
): PlannedFeedback {
  const next = structuredClone(raw);
  const rules = objectAt(objectAt(next, "privacy"), "rules");
  const inForce = engine.config().privacy.rules;
  if (change.kind === "allow") {
    const value = valueBehind(engine, decision, change.token);
    const entry = allowEntryOf(value);
    const list = inForce.allow;
    rules.allow = list.includes(entry) ? list : [...list, entry];
    return { raw: next, forget: value, note: `allowed a value of type ${typeOf(change.token)}` };
  }
  const kind = change.kind.endsWith("keyword") ? "keywords" : "patterns";
  const lists = objectAt(rules, kind);
  const list = inForce[kind][change.level];
  if (change.kind.startsWith("remove-")) {
    if (!list.includes(change.text))
      throw new FeedbackError(`there is no such entry in privacy.rules.${kind}.${change.level}`);
    lists[change.level] = list.filter((item) => item !== change.text);
  } else if (list.includes(change.text)) {
    throw new FeedbackError(`privacy.rules.${kind}.${change.level} already has this entry`);
  } else lists[change.level] = [...list, change.text];
  return { raw: next, forget: undefined, note: `${change.kind} ${change.level}` };
}

/** Only a placeholder that stands in the recorded text, and only a value: a whole private text has no allow rule. */
function valueBehind(engine: Engine, decision: StoredDecision, token: string): string {
  if (decision.text === null || !decision.text.includes(token))
    throw new FeedbackError("this placeholder does not stand in the recorded text");
  if (typeOf(token) === PRIVATE_TEXT_TYPE)
    throw new FeedbackError(
      "the whole text was taken for private: take away the keyword or pattern that found it instead",
    );
  const entry = engine.vault().vault.get(token);
  if (entry === undefined) throw new FeedbackError("the vault no longer holds the value of this placeholder");
  return entry.value;
}

function typeOf(token: string): string {
  return /:([A-Z][A-Z0-9_]*)_\d+\]$/.exec(token)?.[1] ?? "VALUE";
}

function objectAt(parent: Record<string, unknown>, key: string): Record<string, unknown> {
  const value = parent[key];
  if (typeof value === "object" && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  const fresh: Record<string, unknown> = {};
  parent[key] = fresh;
  return fresh;
}
