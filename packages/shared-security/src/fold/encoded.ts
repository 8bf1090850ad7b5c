import { base64Parts } from "./base64.ts";
import { byteLists } from "./byte-lists.ts";
import { escapedParts } from "./escapes.ts";
import { hexDumps } from "./hex-dumps.ts";
import type { View } from "./view.ts";

/** All parts of a text that are text in another notation, decoded. */
export function encodedParts(text: string): View[] {
  return [...escapedParts(text), ...base64Parts(text), ...byteLists(text), ...hexDumps(text)];
}
