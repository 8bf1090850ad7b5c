import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";

/**
 * Runs a hook's work so that a fault of the knowledge base never costs the user a turn: it is logged, once a minute for each
 * kind of work, and the hook does nothing.
 */
export function quietly(api: OpenClawPluginApi): <T>(what: string, work: () => T) => T | undefined {
  const last = new Map<string, number>();
  return (what, work) => {
    try {
      return work();
    } catch (error) {
      const now = Date.now();
      if (now - (last.get(what) ?? 0) > 60_000) {
        last.set(what, now);
        api.logger.warn(`knowhub: ${what} failed: ${error instanceof Error ? error.message : String(error)}`);
      }
      return undefined;
    }
  };
}
