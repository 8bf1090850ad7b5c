/** The fixed names of the contract in the order the page shows them. Types check that none is forgotten or foreign. */
import type { Checkpoint, Level, Route, Tier } from "../../contract.ts";

export const LEVELS = ["S1", "S2", "S3"] as const satisfies readonly Level[];
export const PRIVATE_LEVELS = ["S2", "S3"] as const satisfies readonly Level[];
export const ROUTES = ["cloud", "redacted", "local", "blocked"] as const satisfies readonly Route[];
export const TIERS = [
  "SIMPLE",
  "MEDIUM",
  "COMPLEX",
  "RESEARCH",
  "REASONING",
] as const satisfies readonly Tier[];
export const CHECKPOINT_ORDER = [
  "onUserMessage",
  "onToolCallProposed",
  "onToolCallExecuted",
  "outbound",
] as const satisfies readonly Checkpoint[];
export const DETECTORS = ["ruleDetector", "localModelDetector"] as const;

export type PrivateLevel = (typeof PRIVATE_LEVELS)[number];

/** The member of `all` that a text names. */
export function oneOf<T extends string>(all: readonly T[], value: string | undefined): T | undefined {
  return all.find((candidate) => candidate === value);
}
