/** What "this was wrong" can mean for one detection. */
import type { Body, Detection } from "../../../contract.ts";
import { PRIVATE_LEVELS, type PrivateLevel } from "../../api/names.ts";
import type { Settings } from "../../state/settings.ts";

export type Correction = Body<"feedback">["change"];
export type CorrectionKind = Correction["kind"];

/** The placeholders in what was said, each once. */
export function hiddenParts(detection: Detection): { token: string; type: string; level: PrivateLevel }[] {
  const parts = (detection.said ?? []).filter((segment) => "token" in segment);
  return parts.filter((part, at) => parts.findIndex((other) => other.token === part.token) === at);
}

/** The user's own rules of one kind, with their level; the levels that this detection came out at first. */
export function ownRules(
  settings: Settings,
  kind: "keywords" | "patterns",
  level: Detection["level"],
): { level: PrivateLevel; text: string }[] {
  const levels = [...PRIVATE_LEVELS].sort((a, b) => Number(b === level) - Number(a === level));
  return levels.flatMap((own) => settings.privacy.rules[kind][own].map((text) => ({ level: own, text })));
}

/** The kinds that make sense, most likely first. */
export function kindsFor(detection: Detection, settings: Settings): CorrectionKind[] {
  const raised = detection.level !== "S1";
  const less: CorrectionKind[] = [
    ...(hiddenParts(detection).length > 0 ? (["allow"] as const) : []),
    ...(raised && ownRules(settings, "keywords", detection.level).length > 0
      ? (["remove-keyword"] as const)
      : []),
    ...(raised && ownRules(settings, "patterns", detection.level).length > 0
      ? (["remove-pattern"] as const)
      : []),
  ];
  return [...less, "keyword", "pattern"];
}
