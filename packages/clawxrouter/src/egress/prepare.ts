import { protocolOfPath } from "@clawx/shared-security";
import { isLocalUpstream } from "./endpoints.ts";
import { asObject, asString, type JsonObject } from "./json.ts";
import type { ExchangeContext, Outgoing, Passage } from "./passage.ts";
import { stringifyInTurns } from "./request/large-json.ts";
import type { RedactionReport } from "./request/redactor.ts";
import { RefusedError } from "./request/refused-error.ts";
import { restoreRequest } from "./request/restore-request.ts";
import type { Restorer } from "./response/restorer.ts";
import { vaultRestorer } from "./response/vault-restorer.ts";
import { modelFamily } from "./signatures.ts";

/** A body ready to leave, and what its answer goes through. */
export interface Prepared {
  outgoing: Outgoing;
  restorer: Restorer | undefined;
}

/**
 * Makes a body fit to leave: redacted for the cloud, with its real values for a local model.
 * @throws RefusedError when it must not leave
 */
export async function prepare(
  context: ExchangeContext,
  passage: Passage,
  body: JsonObject,
  requestBytes: number,
): Promise<Prepared> {
  const { options } = context;
  const { endpoint, route, upstream, session } = passage;
  const { vault } = options;
  const closed = options.closedBecause?.();
  if (closed !== undefined) throw new RefusedError("closed", closed);
  if (upstream.local && !isLocalUpstream(upstream, options.localHosts?.() ?? [])) {
    throw new RefusedError("local-not-local", `provider ${route.providerId}`);
  }
  if (endpoint.id === "streamGenerateContent" && route.query.get("alt") !== "sse") {
    throw new RefusedError("bad-path", "streamGenerateContent is served with alt=sse only");
  }
  const model = asString(body.model) ?? endpoint.modelInPath;
  const stream = endpoint.kind === "generate" && passage.protocol.wantsStream(body, endpoint.id, route.query);
  const signaturesStripped = model === undefined ? 0 : context.signatures.strip(body, modelFamily(model));

  const wireProtocol = protocolOfPath(route.tail);
  let report: RedactionReport | undefined;
  let isPrivate = false;
  let ready: JsonObject;
  if (upstream.local) {
    ({ body: ready, isPrivate } = await restoreRequest(body, wireProtocol, vault, session));
  } else {
    ({ body: ready, report } = await context.redactor.redact(
      body,
      wireProtocol,
      { requestId: passage.id, providerId: route.providerId, model, session, signal: passage.abort.signal },
      options.policy(),
    ));
  }
  const wire = await stringifyInTurns(ready, requestBytes);
  if (!upstream.local) {
    const hit = await context.wireCheck.find(wire);
    if (hit) {
      throw new RefusedError("final-check", `a value of type ${hit.type} stands where it cannot be replaced`);
    }
  }
  const bytes = Buffer.from(wire, "utf8");
  context.emit({
    kind: "forward",
    requestId: passage.id,
    at: Date.now(),
    providerId: route.providerId,
    session,
    api: upstream.api,
    endpoint: endpoint.id,
    model,
    local: upstream.local,
    stream,
    level: report?.level ?? (isPrivate ? "S3" : "S1"),
    replaced: report?.counts ?? {},
    mediaWithheld: report?.mediaWithheld ?? 0,
    signaturesStripped,
    reasons: report?.reasons ?? [],
    degraded: report?.degraded,
    requestBytes,
    sentBytes: bytes.length,
    inspectMs: performance.now() - passage.started,
  });
  const mayComeBack = report !== undefined && /REDACTED|PRIVATE/i.test(wire);
  return {
    outgoing: { bytes, body, model, stream, isPrivate, jsonText: asksForJson(body) },
    restorer: report && mayComeBack ? vaultRestorer(vault, wire, report.minted, session) : undefined,
  };
}

/** True when the caller asked for a JSON document as the answer's text (structured output). */
function asksForJson(body: JsonObject): boolean {
  const format =
    asObject(body.response_format) ??
    asObject(asObject(body.text)?.format) ??
    asObject(asObject(body.output_config)?.format);
  if (/^json/.test(asString(format?.type) ?? "")) return true;
  const config = asObject(body.generationConfig) ?? asObject(body.generation_config);
  const mime = asString(config?.responseMimeType) ?? asString(config?.response_mime_type);
  return mime === "application/json" || body.format === "json" || asObject(body.format) !== undefined;
}
