/** Lines of a call that no seam made: the payload as the agent loop hands it over, and the call that was not seen. */
import { cutUtf8 } from "../body/body-fields.ts";
import { type Binding, commonFields, newBinding } from "../correlate/binding.ts";
import type { CallInfo } from "../correlate/calls.ts";
import type { LineContext } from "./http-lines.ts";

/** provider_request_payload, cut at the body cap. */
export function payloadLine(call: CallInfo, payload: unknown, context: LineContext): object {
  const { config, bodies, content } = context;
  const binding: Binding = { ...newBinding(), call, correlation: "scope" };
  const clean = content ? bodies.redactValue(payload).value : undefined;
  const text = clean === undefined ? "" : (JSON.stringify(clean) ?? "");
  const length = Buffer.byteLength(text);
  const truncated = length > config.maxBodyBytes;
  return {
    ...commonFields(binding, "provider_request_payload", Date.now()),
    payload: truncated ? cutUtf8(text, config.maxBodyBytes) : (clean ?? null),
    truncated,
    originalLength: length,
  };
}

/** llm_call of a call that ended without traffic: blocked before the socket, or a seam that does not see. */
export function noTrafficLine(call: CallInfo): object {
  const { ended } = call;
  const binding: Binding = { ...newBinding(), call, correlation: "traceparent" };
  return {
    ...commonFields(binding, "llm_call", ended?.at ?? Date.now()),
    outcome: "no_http",
    complete: false,
    via: null,
    api: call.api ?? null,
    startedAt: new Date(call.startedAt).toISOString(),
    // The clock may have been set in between.
    durationMs: ended ? Math.max(0, ended.at - call.startedAt) : null,
    hostOutcome: ended?.outcome ?? null,
    failureKind: ended?.failureKind ?? null,
    errorCategory: ended?.errorCategory ?? null,
    usage: null,
    costUsd: null,
    message: null,
  };
}
