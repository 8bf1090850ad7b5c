/**
 * Example of a code router: long messages go to a model with a large context window, and an office door stays
 * closed at night. In clawxrouter.json:
 *
 *   "privacy": { "routers": { "long-messages": {
 *     "type": "custom", "module": "./long-message-router.js", "weight": 60,
 *     "target": { "provider": "anthropic", "model": "claude-sonnet-4.6" }
 *   } },
 *   "pipeline": { "onUserMessage": ["privacy", "long-messages", "token-saver"] } }
 *
 * The privacy router always runs too, and the strictest level wins: a router can make a text more private, never less.
 */
/** Characters from which a message counts as long. */
const LONG = 10_000;

/** @type {import("../src/routing/types.ts").ClawXrouterRouter} */
const router = {
  id: "long-messages",
  // When it fails, messages go where they would have gone without it.
  purpose: "cost",
  detect(context, config) {
    if (context.message.length <= LONG || config.target === undefined)
      return { level: "S1", action: "passthrough" };
    return {
      level: "S1",
      action: "redirect",
      target: config.target,
      reason: `message of ${context.message.length} characters`,
    };
  },
};

export default router;
