import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";
import { rewriteMessage, withheld } from "../transcript/rewrite.ts";
import { sessionOf } from "./session.ts";

/**
 * Transcripts hold placeholders. The host stores the raw message after a throw or a promise, so this never
 * throws and never waits.
 */
export function registerBeforeMessageWrite(api: OpenClawPluginApi, engine: () => Engine): void {
  api.on(
    "before_message_write",
    (event, ctx) => {
      try {
        const now = engine();
        if (!now.config().privacy.enabled) return;
        const session = sessionOf({
          sessionKey: event.sessionKey ?? ctx.sessionKey,
          agentId: event.agentId ?? ctx.agentId,
        });
        const turn = now.turns.inSession(session);
        const message = rewriteMessage(event.message, {
          talk: now.conversation(session),
          detector: now.detector(),
          privateTurn: turn?.localOnly ?? false,
          valuesOnly: turn?.valuesOnly ?? false,
        });
        return message === event.message ? undefined : { message: message as typeof event.message };
      } catch (error) {
        api.logger.error(`clawxrouter: a message could not be judged and was not stored: ${String(error)}`);
        return { message: withheld(event.message) as typeof event.message };
      }
    },
    { priority: 1_000 },
  );
}
