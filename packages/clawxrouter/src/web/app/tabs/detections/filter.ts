/** The filters of the log as they stand in the address of the page, so that a filtered log can be linked to. */
import type { Detection, Query } from "../../../contract.ts";
import { CHECKPOINT_ORDER, LEVELS, oneOf, ROUTES } from "../../api/names.ts";

export type Filter = Pick<
  Query<"detections">,
  "level" | "checkpoint" | "route" | "rule" | "session" | "text"
>;

export function filterOf(params: Readonly<Record<string, string>>): Filter {
  return {
    level: oneOf(LEVELS, params.level),
    checkpoint: oneOf(CHECKPOINT_ORDER, params.checkpoint),
    route: oneOf(ROUTES, params.route),
    rule: params.rule || undefined,
    session: params.session || undefined,
    text: params.text || undefined,
  };
}

export function isFiltered(filter: Filter): boolean {
  return Object.values(filter).some((value) => value !== undefined);
}

/** Whether a new event belongs on top of the filtered list; a search for words is the gateway's alone. */
export function fits(detection: Detection, filter: Filter): boolean {
  if (filter.text !== undefined) return false;
  return (
    (filter.level === undefined || detection.level === filter.level) &&
    (filter.checkpoint === undefined || detection.checkpoint === filter.checkpoint) &&
    (filter.route === undefined || detection.route === filter.route) &&
    (filter.rule === undefined || detection.rules.includes(filter.rule)) &&
    (filter.session === undefined || detection.session === filter.session)
  );
}
