import { type LocalExtractor, plainMessages } from "../extraction/extractor.ts";
import { capMessage } from "../extraction/messages.ts";
import { redactMessages } from "../extraction/redact.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { ExtractRequest } from "./schemas.ts";

/** The answer of `POST /api/extract`; `queued` when no model is at hand and the gateway will do it later. */
export interface ExtractAnswer {
  extracted_count: number;
  knowledge_ids: string[];
  queued?: boolean;
}

/** Extraction for another machine's agent. What it sends is reduced and redacted again: it may run an older plugin. */
export async function extractOverWire(
  request: ExtractRequest,
  by: { extractor: LocalExtractor; outbox: Outbox; wake: () => void },
): Promise<ExtractAnswer> {
  const messages = redactMessages(plainMessages(request.messages), "strict").messages.map((m) => ({
    ...m,
    content: capMessage(m.content),
  }));
  if (messages.length === 0) return { extracted_count: 0, knowledge_ids: [] };
  const body = JSON.stringify({ ...request, messages });
  if (by.extractor.complete) {
    try {
      const ids = await by.extractor.run({ body }, AbortSignal.timeout(60_000));
      return { extracted_count: ids.length, knowledge_ids: ids };
    } catch {
      // The model is not there now: the job below is tried until it is.
    }
  }
  by.outbox.add(
    { origin: "", kind: "extract", method: "POST", path: "/api/extract", body, localId: undefined },
    Date.now(),
  );
  by.wake();
  return { extracted_count: 0, knowledge_ids: [], queued: true };
}
