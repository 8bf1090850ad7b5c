/** "This was wrong": shown first, then written. */
import { FeedbackError, type PlannedFeedback, planFeedback } from "../../api/feedback.ts";
import type { Call, Handlers } from "../context.ts";
import { ApiError } from "../http/errors.ts";
import { previewOf, write } from "./config.ts";
import { decisionRow } from "./events.ts";

export const feedbackHandlers: Handlers<"feedbackPreview" | "feedback"> = {
  async feedbackPreview(call) {
    const { raw } = planned(call);
    return previewOf(call.dashboard, raw);
  },

  async feedback(call) {
    const { dashboard, body, audit } = call;
    const { raw, forget, note } = planned(call);
    const document = await write(dashboard, raw, body.version, audit);
    if (forget !== undefined) dashboard.engine.vault().stopLooking(forget);
    dashboard.engine.ledger().noteFeedback(body.detection, note);
    audit("feedback", `detection ${body.detection}: ${note}`);
    return document;
  },
};

function planned({ dashboard, body }: Pick<Call<"feedback">, "dashboard" | "body">): PlannedFeedback {
  const row = decisionRow(dashboard, body.detection);
  try {
    return planFeedback(dashboard.engine, row, body.change, dashboard.api.config.read().raw);
  } catch (error) {
    if (error instanceof FeedbackError) throw new ApiError("invalid", error.message, { path: "/change" });
    throw error;
  }
}
