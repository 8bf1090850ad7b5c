import { randomUUID } from "node:crypto";
import type { Vault, WireProtocol } from "@clawx/shared-security";
import { asObject, type Json, type JsonObject } from "../json.ts";
import type { EgressPolicy, InspectContext, TextInspector } from "../types.ts";
import { type ElementList, findElements } from "./elements.ts";
import { parseInTurns, stringifyInTurns } from "./large-json.ts";
import { type Redacted, Redactor } from "./redactor.ts";
import { RefusedError } from "./refused-error.ts";
import { type PartReport, type RedactionReport, refuseByPolicy, sumOf } from "./report.ts";
import { type SentElement, type SentPiece, TurnMemo } from "./turn-memo.ts";
import { Turns } from "./turns.ts";
import { WireCheck } from "./wire-check.ts";

/** A body ready for the cloud. */
export interface CloudBody {
  bytes: Buffer;
  report: RedactionReport;
  /** Placeholders that an answer may restore; undefined when nothing in the body looks like one. */
  tokens: ReadonlySet<string> | undefined;
}

/** What a body is redacted under; everything that its result depends on besides its text. */
export interface CloudRequest {
  text: string;
  protocol: WireProtocol;
  context: InspectContext;
  policy: EgressPolicy;
  /** Sees the body as soon as it is parsed (of its list of messages perhaps only the end) and names its model's family. */
  familyOf(body: JsonObject): string;
  /** Changes the body before it is redacted: takes out what the model's family cannot read. */
  adjust(body: JsonObject, family: string): void;
}

/** Bodies above this are done without memory of earlier turns, in UTF-16 units. */
const MAX_MEMO_TEXT = 8 * 1024 * 1024;
/**
 * How much prose before the first new message is done again, and how much before that is looked at with it, in
 * UTF-16 units: a value may be cut in two by the border of messages, and the walker looks 160 units to each side of one.
 */
const REDO = 512;
/** Below, memory gains nothing. */
const MIN_KEPT = 4;

/** Makes request bodies fit for the cloud; a conversation's unchanged beginning is taken from its last turn. */
export class CloudBodies {
  readonly #redactor: Redactor;
  readonly #inspector: TextInspector;
  readonly #vault: Vault;
  readonly #wireCheck: WireCheck;
  readonly #memo = new TurnMemo();

  constructor(inspector: TextInspector, vault: Vault) {
    this.#inspector = inspector;
    this.#redactor = new Redactor(inspector, vault);
    this.#vault = vault;
    this.#wireCheck = new WireCheck(vault);
  }

  /**
   * The body as it may leave.
   * @throws RefusedError when it must not
   */
  async make(request: CloudRequest): Promise<CloudBody> {
    const list = request.text.length <= MAX_MEMO_TEXT ? findElements(request.text) : undefined;
    if (list && list.spans.length > MIN_KEPT) {
      const quick = await this.#makeByTurn(request, list);
      if (quick) return quick;
    }
    const body = asObject(await parseInTurns(request.text));
    if (!body) throw new RefusedError("bad-body", "the body is not a JSON object");
    request.adjust(body, request.familyOf(body));
    const { body: ready, parts, minted, degraded } = await this.#redact(request, body, undefined);
    const report = sumOf(parts.values(), minted, degraded);
    refuseByPolicy(report, request.policy);
    const piece = this.#piece(await stringifyInTurns(ready, request.text.length));
    const hit = await this.#wireCheck.find([piece.text]);
    if (!hit) return whole([piece], report);
    throw new RefusedError("final-check", `a value of type ${hit.type} stands where it cannot be replaced`);
  }

  /** With memory of the last turn; undefined when it must be done without. */
  async #makeByTurn(request: CloudRequest, list: ElementList): Promise<CloudBody | undefined> {
    const { text, context, policy } = request;
    this.#memo.useVersion(this.#inspector.version());
    const turns = new Turns();
    const digests: string[] = [];
    for (const [start, end] of list.spans) {
      if (turns.due()) await turns.pause();
      digests.push(this.#memo.digest(text.slice(start, end)));
    }
    const conversation = [
      context.providerId,
      context.session ?? "",
      request.protocol,
      JSON.stringify(policy),
      digests[0],
    ].join("\n");
    const last = this.#memo.recall(conversation) ?? { family: "", elements: [] };
    let same = 0;
    while (same < digests.length && last.elements[same]?.digest === digests[same]) same += 1;
    const redone = before(last.elements, same);
    const kept = redone >= MIN_KEPT ? redone : 0;
    const from = before(last.elements, kept);

    const body = asObject(await parseInTurns(withoutElements(text, list, from)));
    if (!body) throw new RefusedError("bad-body", "the body is not a JSON object");
    const family = request.familyOf(body);
    // Another family may not read what this one could.
    if (kept > 0 && family !== last.family) return this.#withoutMemory(conversation);
    request.adjust(body, family);
    const redacted = await this.#redact(request, body, list.key);
    // What is cut in two is only seen with both its sides: such a conversation is looked at whole.
    if (redacted.split && kept > 0) return this.#withoutMemory(conversation);
    const elements = redacted.body[list.key];
    if (!Array.isArray(elements) || elements.length !== digests.length - from) return undefined;

    const sent: SentElement[] = last.elements.slice(0, kept);
    for (let index = kept; index < digests.length; index += 1) {
      if (turns.due()) await turns.pause();
      const [start, end] = list.spans[index] ?? [0, 0];
      sent.push({
        ...this.#piece(await stringifyInTurns(elements[index - from] ?? null, end - start)),
        digest: digests[index] ?? "",
        report: redacted.parts.get(index - from),
        units: redacted.units.get(index - from) ?? 0,
      });
    }
    const parts: Array<PartReport | undefined> = [
      redacted.parts.get(-1),
      ...sent.map(({ report }) => report),
    ];
    const report = sumOf(parts, redacted.minted, redacted.degraded);
    refuseByPolicy(report, policy);
    const shell = shellOf(redacted.body, list.key);
    const pieces = shell && [this.#piece(shell[0]), ...sent, this.#piece(shell[1])];
    if (!pieces || (await this.#wireCheck.find(pieces.map((piece) => piece.text)))) {
      // A value learnt since then may stand in what was kept: all of it is looked at again.
      return this.#withoutMemory(conversation);
    }
    if (redacted.split) this.#memo.forget(conversation);
    else if (redacted.degraded === undefined) this.#memo.remember(conversation, { family, elements: sent });
    return whole(pieces, report);
  }

  #piece(text: string): SentPiece {
    const marked = PLACEHOLDER_LIKE.test(text);
    const tokens = marked ? this.#vault.tokensIn(text).map(({ token }) => token) : [];
    return { text, bytes: Buffer.from(text, "utf8"), marked, tokens };
  }

  #withoutMemory(conversation: string): undefined {
    this.#memo.forget(conversation);
    return undefined;
  }

  #redact(request: CloudRequest, body: JsonObject, listKey: string | undefined): Promise<Redacted> {
    return this.#redactor.redact(body, request.protocol, request.context, request.policy, listKey);
  }
}

/** Index of the message at which there are `REDO` units of prose up to `end`; 0 when there is not that much. */
function before(elements: readonly SentElement[], end: number): number {
  let units = 0;
  for (let index = end - 1; index >= 0; index -= 1) {
    units += elements[index]?.units ?? 0;
    if (units >= REDO) return index;
  }
  return 0;
}

/** The body's text without the first `count` elements of its list. */
function withoutElements(text: string, { spans }: ElementList, count: number): string {
  const first = spans[0];
  const next = spans[count];
  return count === 0 || !first || !next ? text : text.slice(0, first[0]) + text.slice(next[0]);
}

/** The body's JSON before and after the elements of its list; undefined when it cannot be cut. */
function shellOf(body: JsonObject, listKey: string): [head: string, tail: string] | undefined {
  const mark = randomUUID();
  const shell: Record<string, Json | undefined> = { ...body, [listKey]: mark };
  const [head, tail, more] = JSON.stringify(shell).split(`"${mark}"`);
  if (head === undefined || tail === undefined || more !== undefined) return undefined;
  return [`${head}[`, `]${tail}`];
}

/** A body from its pieces: a single one, or head, elements and tail. */
function whole(pieces: readonly SentPiece[], report: RedactionReport): CloudBody {
  const parts = pieces.flatMap(({ bytes }, index) =>
    index > 1 && index < pieces.length - 1 ? [COMMA, bytes] : [bytes],
  );
  const marked = pieces.some((piece) => piece.marked);
  const tokens = new Set(report.minted);
  for (const piece of pieces) for (const token of piece.tokens) tokens.add(token);
  return { bytes: Buffer.concat(parts), report, tokens: marked ? tokens : undefined };
}

const COMMA = Buffer.from(",");
const PLACEHOLDER_LIKE = /REDACTED|PRIVATE/i;
