import { type Level, maxLevel, PLACEHOLDER_WORD, protocolOfPath } from "@clawx/shared-security";
import { isCloudModel } from "./cloud-models.ts";
import { isLocalUpstream } from "./endpoints.ts";
import { asObject, asString, type JsonObject } from "./json.ts";
import type { ExchangeContext, Outgoing, Passage } from "./passage.ts";
import { BodyText } from "./request/body-text.ts";
import { decodeInTurns, encodeInTurns } from "./request/bytes.ts";
import { mayBeCut, mendCut } from "./request/cut-placeholders.ts";
import { parseInTurns, stringifyInTurns } from "./request/large-json.ts";
import { RefusedError } from "./request/refused-error.ts";
import { restoreRequest } from "./request/restore-request.ts";
import { Turns } from "./request/turns.ts";
import type { Restorer } from "./response/restorer.ts";
import { vaultRestorer } from "./response/vault-restorer.ts";
import { modelFamily } from "./signatures.ts";
import type { ForwardEvent, InspectContext } from "./types.ts";

/** Larger bodies are decoded in turns, in bytes. */
const AT_ONCE = 2 * 1024 * 1024;

/** A body ready to leave, and what its answer goes through. */
export interface Prepared {
  outgoing: Outgoing;
  restorer: Restorer | undefined;
}

/** A body's new bytes, and what is told of how it came to be. */
interface Made {
  bytes: Buffer;
  isPrivate: boolean;
  restorer: Restorer | undefined;
  told: Pick<
    ForwardEvent,
    | "level"
    | "replaced"
    | "placeholders"
    | "newest"
    | "mediaWithheld"
    | "signaturesStripped"
    | "reasons"
    | "degraded"
  >;
}

/**
 * Makes a body fit to leave: redacted for the cloud, with its real values for a local model. Notes in the passage
 * what was asked for.
 * @param refusal why it must not leave, when that is known already
 * @throws RefusedError when it must not leave
 */
export async function prepare(
  context: ExchangeContext,
  passage: Passage,
  bytes: Buffer,
  refusal?: RefusedError,
): Promise<Prepared> {
  const { route, upstream } = passage;
  const forbidden = refusal ?? whyNot(context, passage);
  if (forbidden) {
    // What was asked for says in what form to refuse it.
    await parse(passage, await textOf(context, passage, bytes));
    throw forbidden;
  }
  // For a cloud only what is new is decoded; cut placeholders may stand anywhere.
  const body = new BodyText(bytes);
  const isText = upstream.local || bytes.length > AT_ONCE || mayBeCut(body.structure);
  const text = isText ? await textOf(context, passage, bytes) : body;
  await new Turns().pause();
  const local = typeof text === "string" && upstream.local && !(await runsElsewhere(passage, text));
  const {
    bytes: ready,
    isPrivate,
    restorer,
    told,
  } = local ? await forLocal(context, passage, text) : await forCloud(context, passage, text);
  context.emit({
    kind: "forward",
    requestId: passage.id,
    at: Date.now(),
    providerId: route.providerId,
    session: passage.session,
    api: upstream.api,
    endpoint: passage.endpoint.id,
    model: passage.asked?.model,
    local,
    stream: passage.asked?.stream ?? false,
    ...told,
    reasons: [...told.reasons, ...passage.notes],
    requestBytes: bytes.length,
    sentBytes: ready.length,
    inspectMs: performance.now() - passage.started,
  });
  return { outgoing: { bytes: ready, isPrivate }, restorer };
}

async function textOf({ options }: ExchangeContext, { session }: Passage, bytes: Buffer): Promise<string> {
  return mendCut(await decodeInTurns(bytes), options.vault, session);
}

/** Whether a local server passes the request on to a cloud, as the name of the model says (Ollama's `-cloud`). */
async function runsElsewhere(passage: Passage, text: string): Promise<boolean> {
  // Most requests are told apart without parsing them.
  if (!/cloud|\\u/i.test(text) && !isCloudModel(passage.endpoint.modelInPath)) return false;
  await parse(passage, text);
  return isCloudModel(passage.asked?.model);
}

/** Why nothing may be sent at all on this way, whatever the body holds. */
function whyNot(
  { options }: ExchangeContext,
  { upstream, route, endpoint }: Passage,
): RefusedError | undefined {
  const closed = options.closedBecause?.();
  if (closed !== undefined) return new RefusedError("closed", closed);
  if (upstream.local && !isLocalUpstream(upstream, options.localHosts?.() ?? [])) {
    return new RefusedError("local-not-local", `provider ${route.providerId}`);
  }
  if (endpoint.id === "streamGenerateContent" && route.query.get("alt") !== "sse") {
    return new RefusedError("bad-path", "streamGenerateContent is served with alt=sse only");
  }
  return undefined;
}

async function forCloud(context: ExchangeContext, passage: Passage, text: string | BodyText): Promise<Made> {
  const { options, signatures } = context;
  const { route, session, upstream } = passage;
  let signaturesStripped = 0;
  const inspected: InspectContext = {
    requestId: passage.id,
    providerId: route.providerId,
    model: undefined,
    session,
    signal: passage.abort.signal,
  };
  const { bytes, report, tokens, minted, newest } = await context.cloudBodies.make({
    text,
    protocol: protocolOfPath(route.tail),
    context: inspected,
    policy: options.policy(),
    familyOf: (body) => {
      note(passage, body);
      inspected.model = passage.asked?.model;
      return passage.asked?.model === undefined ? "" : modelFamily(passage.asked.model);
    },
    adjust: (body, family) => {
      signaturesStripped = family === "" ? 0 : signatures.strip(body, family);
    },
    models: new Set(upstream.models),
  });
  const after = passage.asked?.after;
  const earlier = after === undefined ? [] : context.chains.tokens(route.providerId, after, session);
  passage.minted = new Set([...earlier, ...minted]);
  // What the provider keeps may hold placeholders, too.
  const restores = tokens !== undefined || passage.minted.size > 0 || after !== undefined;
  return {
    bytes,
    isPrivate: false,
    restorer: restores ? vaultRestorer(options.vault, passage.minted, session) : undefined,
    told: {
      level: maxLevel(report.level, levelOfTokens(tokens)),
      replaced: report.counts,
      placeholders: tokens?.size ?? 0,
      newest,
      mediaWithheld: report.mediaWithheld,
      signaturesStripped,
      reasons: report.reasons,
      degraded: report.degraded,
    },
  };
}

/** The level of what the placeholders of a body stand for. */
function levelOfTokens(tokens: ReadonlySet<string> | undefined): Level {
  let level: Level = "S1";
  for (const token of tokens ?? []) {
    if (token.startsWith(`[${PLACEHOLDER_WORD.S3}:`)) return "S3";
    level = "S2";
  }
  return level;
}

async function forLocal(context: ExchangeContext, passage: Passage, text: string): Promise<Made> {
  const body = await parse(passage, text);
  const model = passage.asked?.model;
  const signaturesStripped = model === undefined ? 0 : context.signatures.strip(body, modelFamily(model));
  const protocol = protocolOfPath(passage.route.tail);
  const { body: ready, isPrivate } = await restoreRequest(
    body,
    protocol,
    context.options.vault,
    passage.session,
  );
  return {
    bytes: await encodeInTurns(await stringifyInTurns(ready, text.length)),
    isPrivate,
    restorer: undefined,
    told: {
      level: isPrivate ? "S3" : "S1",
      replaced: {},
      mediaWithheld: 0,
      signaturesStripped,
      reasons: [],
      degraded: undefined,
    },
  };
}

async function parse(passage: Passage, text: string): Promise<JsonObject> {
  const body = asObject(await parseInTurns(text));
  if (!body) throw new RefusedError("bad-body", "the body is not a JSON object");
  note(passage, body);
  return body;
}

function note(passage: Passage, body: JsonObject): void {
  const { endpoint, protocol, route } = passage;
  passage.asked = {
    model: asString(body.model) ?? endpoint.modelInPath,
    stream: endpoint.kind === "generate" && protocol.wantsStream(body, endpoint.id, route.query),
    jsonText: asksForJson(body),
    after:
      asString(body.previous_response_id) ?? asString(asObject(body.conversation)?.id ?? body.conversation),
  };
}

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
