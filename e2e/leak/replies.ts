import type { ModelServer, Reply } from "../harness/index.ts";

/**
 * Answers the requests of one turn, in order: those whose last user text holds `match`. The host makes requests of
 * its own (titles, recaps), which a plain queue would answer by mistake.
 */
export function reply(server: ModelServer, match: string, ...replies: Reply[]): void {
  const off = server.script((request) => {
    if (!request.lastUserText.includes(match) || request.tools.length === 0) return undefined;
    const next = replies.shift();
    if (replies.length === 0) off();
    return next;
  });
}
