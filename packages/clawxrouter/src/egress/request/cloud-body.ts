import { randomUUID } from "node:crypto";
import { type Excluded, maxLevel, type Vault, type WireProtocol } from "@clawx/shared-security";
import { asObject, type Json, type JsonObject } from "../json.ts";
import type { EgressPolicy, InspectContext, TextInspector } from "../types.ts";
import { BodyText } from "./body-text.ts";
import { encodeInTurns } from "./bytes.ts";
import { type ElementList, findElements } from "./elements.ts";
import { parseInTurns, stringifyInTurns } from "./large-json.ts";
import { isName, keysOf, NameCheck, type Names, NO_NAMES } from "./names.ts";
import { newestText } from "./newest.ts";
import { type Redacted, Redactor } from "./redactor.ts";
import { RefusedError } from "./refused-error.ts";
import { type RedactionReport, refuseByPolicy, sumOf } from "./report.ts";
import { segmentsOf } from "./segments.ts";
import { type SentElement, type SentPiece, TurnMemo } from "./turn-memo.ts";
import { Turns } from "./turns.ts";
import { mayNotStay, WireCheck } from "./wire-check.ts";
import { withhold } from "./withhold.ts";

/** A body ready for the cloud. */
export interface CloudBody {
  bytes: Buffer;
  report: RedactionReport;
  /** Placeholders that stand in the body; undefined when nothing in it looks like one. */
  tokens: ReadonlySet<string> | undefined;
  /** Placeholders put in for what this very body said: its answer may restore them, whoever sent it. */
  minted: ReadonlySet<string>;
  /** What is new since the model's last answer, as it leaves; cut. */
  newest: string | undefined;
}

/** What a body is redacted under; everything that its result depends on besides its text. */
export interface CloudRequest {
  /** JSON. */
  text: string | BodyText;
  protocol: WireProtocol;
  context: InspectContext;
  policy: EgressPolicy;
  /** Sees the body as soon as it is parsed (of its list of messages perhaps only the end) and names its model's family. */
  familyOf(body: JsonObject): string;
  /** Changes the body before it is redacted: takes out what the model's family cannot read. */
  adjust(body: JsonObject, family: string): void;
  /** Ids of models as the configuration names them: never private, whatever the vault holds. */
  models: ReadonlySet<string>;
}

/** A body and what of it is left as it is. */
type Made = Pick<Redacted, "body" | "excluded">;

/** What is new in a body, as it goes out. */
interface Sent {
  head: SentPiece;
  fresh: SentElement[];
  tail: SentPiece;
}

/** Bodies above this are done without memory of earlier turns, in UTF-16 units or bytes. */
const MAX_MEMO_TEXT = 2 * 1024 * 1024;
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
  readonly #names: NameCheck;
  readonly #memo = new TurnMemo();

  constructor(inspector: TextInspector, vault: Vault) {
    this.#inspector = inspector;
    this.#redactor = new Redactor(inspector, vault);
    this.#vault = vault;
    this.#wireCheck = new WireCheck(vault);
    this.#names = new NameCheck(vault);
  }

  /**
   * The body as it may leave.
   * @throws RefusedError when it must not
   */
  async make(request: CloudRequest): Promise<CloudBody> {
    const text = typeof request.text === "string" ? new BodyText(request.text) : request.text;
    const list = text.length <= MAX_MEMO_TEXT ? findElements(text.structure) : undefined;
    if (list && list.spans.length > MIN_KEPT) {
      const quick = await this.#makeByTurn(request, text, list);
      if (quick) return quick;
    }
    const body = asObject(await parseInTurns(await text.whole()));
    if (!body) throw new RefusedError("bad-body", "the body is not a JSON object");
    request.adjust(body, request.familyOf(body));
    const redacted = await this.#redact(request, body, undefined);
    const report = sumOf(redacted.parts.values(), redacted.minted, redacted.degraded);
    refuseByPolicy(report, request.policy);
    const turns = new Turns();
    const pieceOf = async ({ body: made, excluded }: Made): Promise<SentPiece> => {
      const names = new Set<string>();
      for (const place of excluded) if (isName(place, request.models)) names.add(place.text);
      await keysOf(made, names, turns);
      const json = await stringifyInTurns(made, text.length);
      return this.#piece(json, redacted.minted, this.#names.of(names));
    };
    let ready: Made = redacted;
    let piece = await pieceOf(ready);
    if (await this.#holds([piece])) {
      ready = await this.#withhold(request, ready.body, report);
      piece = await pieceOf(ready);
      await this.#refuseRest([piece], request.models);
    }
    return whole([piece], report, newestText(list && ready.body[list.key]));
  }

  /** With memory of the last turn; undefined when it must be done without. */
  async #makeByTurn(
    request: CloudRequest,
    text: BodyText,
    list: ElementList,
  ): Promise<CloudBody | undefined> {
    const { context, policy } = request;
    this.#memo.useVersion(this.#inspector.version());
    const turns = new Turns();
    const digests: string[] = [];
    for (const [start, end] of list.spans) {
      if (turns.due()) await turns.pause();
      digests.push(text.digest(start, end));
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

    const body = asObject(await parseInTurns(await withoutElements(text, list, from)));
    if (!body) throw new RefusedError("bad-body", "the body is not a JSON object");
    const family = request.familyOf(body);
    // Another family may not read what this one could.
    if (kept > 0 && family !== last.family) return this.#withoutMemory(conversation);
    request.adjust(body, family);
    const redacted = await this.#redact(request, body, list.key);
    // What is cut in two is only seen with both its sides: such a conversation is looked at whole.
    if (redacted.split && kept > 0) return this.#withoutMemory(conversation);
    const parts = [redacted.parts.get(-1), ...last.elements.slice(0, kept).map(({ report }) => report)];
    for (let index = kept; index < digests.length; index += 1) parts.push(redacted.parts.get(index - from));
    const report = sumOf(parts, redacted.minted, redacted.degraded);
    refuseByPolicy(report, policy);

    const old = last.elements.slice(0, kept);
    // A value learnt since then may stand in what was kept: all of it is looked at again.
    if (await this.#holds(old)) return this.#withoutMemory(conversation);
    const sentOf = async ({ body: made, excluded }: Made): Promise<Sent | undefined> => {
      const names = namesByElement(excluded, list.key, request.models);
      const items = made[list.key];
      const shell = shellOf(made, list.key);
      if (!shell || !Array.isArray(items) || items.length !== digests.length - from) return undefined;
      const fresh: SentElement[] = [];
      for (let index = kept; index < digests.length; index += 1) {
        if (turns.due()) await turns.pause();
        const [start, end] = list.spans[index] ?? [0, 0];
        const item = items[index - from] ?? null;
        const own = new Set(names.get(index - from));
        await keysOf(item, own, turns);
        fresh.push({
          ...(await this.#piece(
            await stringifyInTurns(item, end - start),
            redacted.minted,
            this.#names.of(own),
          )),
          digest: digests[index] ?? "",
          report: redacted.parts.get(index - from),
          units: redacted.units.get(index - from) ?? 0,
        });
      }
      const around = new Set(names.get(-1));
      await keysOf({ ...made, [list.key]: null }, around, turns);
      const head = await this.#piece(shell[0], redacted.minted, this.#names.ofCommon(around));
      return { head, fresh, tail: await this.#piece(shell[1], redacted.minted, NO_NAMES) };
    };
    let made: Made = redacted;
    let sent = await sentOf(made);
    if (sent && (await this.#holds([sent.head, ...sent.fresh, sent.tail]))) {
      made = await this.#withhold(request, made.body, report);
      sent = await sentOf(made);
      if (sent) await this.#refuseRest([sent.head, ...sent.fresh, sent.tail], request.models);
    }
    if (!sent) return this.#withoutMemory(conversation);
    const all = [...old, ...sent.fresh];
    if (redacted.split) this.#memo.forget(conversation);
    else if (redacted.degraded === undefined) this.#memo.remember(conversation, { family, elements: all });
    return whole([sent.head, ...all, sent.tail], report, newestText(made.body[list.key]));
  }

  async #piece(text: string, minted: ReadonlySet<string>, names: Names): Promise<SentPiece> {
    const turns = new Turns();
    const tokens: string[] = [];
    let marked = false;
    for (const segment of segmentsOf(text, [])) {
      if (turns.due()) await turns.pause();
      if (!PLACEHOLDER_LIKE.test(segment.text)) continue;
      marked = true;
      for (const { token } of this.#vault.tokensIn(segment.text)) tokens.push(token);
    }
    const own = tokens.filter((token) => minted.has(token));
    return { text, searchedAt: -1, bytes: await encodeInTurns(text), marked, tokens, minted: own, names };
  }

  /** The last look: whether a value of the vault stands in pieces of a body, in its texts or in its names. */
  async #holds(pieces: readonly SentPiece[]): Promise<boolean> {
    if (await this.#wireCheck.findAnew(pieces)) return true;
    const turns = new Turns();
    for (const { names } of pieces) {
      if (names !== NO_NAMES && (await this.#names.find(names, turns))) return true;
    }
    return false;
  }

  /** Takes out of a body what the last look found. */
  async #withhold(request: CloudRequest, body: JsonObject, report: RedactionReport): Promise<Made> {
    const { models, protocol } = request;
    const withheld = await withhold(body, protocol, this.#wireCheck, this.#names, models);
    for (const [type, level] of withheld.types) {
      report.level = maxLevel(report.level, level);
      report.counts[type] = (report.counts[type] ?? 0) + 1;
      report.reasons.push(`withheld: ${type} where no placeholder can stand`);
    }
    refuseByPolicy(report, request.policy);
    return withheld;
  }

  /** @throws RefusedError when something private is left in what goes out */
  async #refuseRest(pieces: readonly SentPiece[], models: ReadonlySet<string>): Promise<void> {
    const texts = pieces.map(({ text }) => text);
    let hit: { type: string } | undefined = await this.#wireCheck.find(texts, mayNotStay(models));
    const turns = new Turns();
    for (const { names } of pieces) hit ??= await this.#names.find(names, turns);
    if (hit)
      throw new RefusedError("final-check", `a value of type ${hit.type} stands where it cannot be replaced`);
  }

  #withoutMemory(conversation: string): undefined {
    this.#memo.forget(conversation);
    return undefined;
  }

  #redact(request: CloudRequest, body: JsonObject, listKey: string | undefined): Promise<Redacted> {
    const { protocol, context, policy, models } = request;
    return this.#redactor.redact(body, protocol, context, policy, listKey, models);
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
function withoutElements(text: BodyText, { spans }: ElementList, count: number): Promise<string> {
  const first = spans[0];
  const next = spans[count];
  return count === 0 || !first || !next ? text.whole() : text.without(first[0], next[0]);
}

/** What is left as it is in each element of the list of messages; under -1 what stands outside of it. */
function namesByElement(
  excluded: readonly Excluded[],
  listKey: string,
  models: ReadonlySet<string>,
): Map<number, Set<string>> {
  const names = new Map<number, Set<string>>();
  for (const place of excluded) {
    if (!isName(place, models)) continue;
    const [top, index] = place.path;
    const element = top === listKey && typeof index === "number" ? index : -1;
    const own = names.get(element);
    if (own) own.add(place.text);
    else names.set(element, new Set([place.text]));
  }
  return names;
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
function whole(pieces: readonly SentPiece[], report: RedactionReport, newest: string | undefined): CloudBody {
  const parts = pieces.flatMap(({ bytes }, index) =>
    index > 1 && index < pieces.length - 1 ? [COMMA, bytes] : [bytes],
  );
  const marked = pieces.some((piece) => piece.marked);
  const minted = new Set(report.minted);
  const tokens = new Set(report.minted);
  for (const piece of pieces) {
    for (const token of piece.minted) minted.add(token);
    for (const token of piece.tokens) tokens.add(token);
  }
  return { bytes: Buffer.concat(parts), report, tokens: marked ? tokens : undefined, minted, newest };
}

const COMMA = Buffer.from(",");
const PLACEHOLDER_LIKE = /REDACTED|PRIVATE/i;
