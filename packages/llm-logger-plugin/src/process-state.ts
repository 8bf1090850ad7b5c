/** The logger of this process, on a symbol that all copies of this code share. */
import type { Logger } from "./logger.ts";

interface Shared {
  active?: Logger;
  /** The last stopped logger: late hooks still write through it. */
  last?: Logger;
  /** Hook events that were taken, by hook. */
  seen?: Map<string, WeakSet<object>>;
}

const SHARED = Symbol.for("llm-logger-openclaw-plugin.state.v1");

/** State of the process, shared by all copies of this module. */
export function shared(): Shared {
  const host = globalThis as { [SHARED]?: Shared };
  host[SHARED] ??= {};
  return host[SHARED];
}
