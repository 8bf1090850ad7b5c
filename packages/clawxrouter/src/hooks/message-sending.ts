import type { OpenClawPluginApi } from "openclaw/plugin-sdk/plugin-entry";
import type { Engine } from "../engine/engine.ts";

/** The user reads values, not placeholders, whatever way a reply took. Only values of the same conversation. */
export function registerMessageSending(api: OpenClawPluginApi, engine: () => Engine): void {
  api.on("message_sending", (event, ctx) => {
    if (ctx.sessionKey === undefined) return;
    const content = engine().conversation(ctx.sessionKey).restore(event.content);
    return content === event.content ? undefined : { content };
  });
  api.on("reply_payload_sending", (event, ctx) => {
    const session = event.sessionKey ?? ctx.sessionKey;
    const text = event.payload.text;
    if (session === undefined || text === undefined) return;
    const restored = engine().conversation(session).restore(text);
    return restored === text ? undefined : { payload: { ...event.payload, text: restored } };
  });
}
