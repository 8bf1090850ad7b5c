import type { JsonObject } from "../json.ts";
import type { DeltaSlot } from "./types.ts";

/** Adds a slot for `object[key]` when it holds a string. */
export function slot(
  slots: DeltaSlot[],
  object: JsonObject,
  key: string,
  channel: string,
  kind: DeltaSlot["kind"],
): void {
  if (typeof object[key] !== "string") return;
  slots.push({
    channel,
    kind,
    get: () => {
      const piece = object[key];
      return typeof piece === "string" ? piece : "";
    },
    set: (piece) => {
      object[key] = piece;
    },
  });
}
