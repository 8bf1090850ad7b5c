/** Placeholder until the legacy seam lands: never live. */
import type { CaptureSink, Seam } from "./seam.ts";

export function fetchPatch(_sink: CaptureSink): Seam {
  return {
    name: "fetch-patch",
    start() {},
    stop() {},
    status: () => ({ live: false, seen: 0, reason: "not needed: undici channels see this host's requests" }),
  };
}
