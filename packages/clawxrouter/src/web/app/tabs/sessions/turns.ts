/** The timeline of a session as turns. */
import type { Detection, Level, ModelRequest, TimelineItem } from "../../../contract.ts";

export interface Turn {
  /** Null: what belongs to no turn (titles, recaps, embeddings). */
  loopId: string | null;
  /** Oldest first. */
  items: TimelineItem[];
  startedAt: number;
  level: Level;
  /** The verdict on the user's message, when there was one. */
  opening: Detection | undefined;
  requests: ModelRequest[];
  /** Sum of the requests whose price is known. */
  usd: number;
}

/**
 * Groups neighbours of one turn. What belongs to no turn stands by itself between the turns, in its place in time.
 * @param items newest first, as the API gives them
 */
export function turnsOf(items: readonly TimelineItem[]): Turn[] {
  const groups = new Map<string, TimelineItem[]>();
  let loose = 0;
  let previous: string | null | undefined;
  for (const item of items) {
    if (item.loopId === null && previous !== null) loose++;
    previous = item.loopId;
    const key = item.loopId === null ? `loose ${loose}` : `loop ${item.loopId}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()].map(turnOf).sort((a, b) => b.startedAt - a.startedAt);
}

function turnOf(newestFirst: readonly TimelineItem[]): Turn {
  const items = [...newestFirst].sort((a, b) => a.at - b.at || order(a) - order(b));
  const requests = items.filter((item) => item.kind === "request");
  const detections = items.filter((item) => item.kind === "detection");
  return {
    loopId: items[0]?.loopId ?? null,
    items,
    startedAt: items[0]?.at ?? 0,
    // A request is as private as the whole conversation it carries; the turn, as what was new in it.
    level: strictest((detections.length > 0 ? detections : requests).map((item) => item.level)),
    opening: detections.find((item) => item.checkpoint === "onUserMessage"),
    requests,
    usd: requests.reduce((sum, request) => sum + (request.usd ?? 0), 0),
  };
}

/** A verdict comes before the request it leads to. */
function order(item: TimelineItem): number {
  return item.kind === "detection" ? 0 : 1;
}

function strictest(levels: readonly (Level | null)[]): Level {
  if (levels.includes("S3")) return "S3";
  return levels.includes("S2") ? "S2" : "S1";
}

/** Whether two items of a timeline are the same event. */
export function sameEvent(a: TimelineItem, b: TimelineItem): boolean {
  return a.kind === b.kind && a.id === b.id;
}
