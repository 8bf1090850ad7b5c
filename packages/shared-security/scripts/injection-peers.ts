import vard from "@andersmyrmel/vard";
import { isSafe } from "@claude-flow/aidefence";

/** Public prompt injection detectors, as yes or no; for the benchmark only (dev dependencies of this package). */
export const INJECTION_PEERS: readonly { name: string; flags: (text: string) => boolean }[] = [
  { name: "@andersmyrmel/vard 1.2.0", flags: (text) => !vard.safe(text).safe },
  { name: "@claude-flow/aidefence 3.0.3", flags: (text) => !isSafe(text) },
];
