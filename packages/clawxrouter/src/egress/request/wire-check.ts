import type { PrivateLevel, Vault } from "@clawx/shared-security";
import { ExactMatcher, type Match } from "./matcher.ts";
import { isOrdinary, isWords, withoutEnds } from "./ordinary.ts";
import { Turns } from "./turns.ts";
import { VaultFollower } from "./vault-follower.ts";

/** Searched at once, in UTF-16 units. */
const WINDOW = 2 * 1024 * 1024;

/** New values looked for apart from the others; beyond, all are looked for again and a new count begins. */
const MAX_RECENT = 256;

/** So few new values are looked for by themselves: a turn of a conversation brings one or two. */
const FEW = 8;

/** A text that is searched again and again. */
export interface Searched {
  text: string;
  /** When it was searched last; -1: never. */
  searchedAt: number;
}

/** A private value found in bytes about to leave; the placeholder names it without giving it away. */
export interface WireHit {
  token: string;
  type: string;
  level: PrivateLevel;
  /** A value of words without digits, which may stand in a name of the protocol, too. */
  isWords: boolean;
  /** For comparison only; never told. */
  value: string;
}

/**
 * The last look at a request: no value of the vault may stand in the serialised bytes, neither as it is nor
 * JSON-escaped (once, twice, or with everything beyond ASCII as `\uXXXX`), percent-encoded or in base64. It trusts
 * neither the walker nor the detectors nor the replacement before it.
 */
export class WireCheck {
  readonly #follower: VaultFollower;
  #matcher = new ExactMatcher<WireHit>();
  /** Values that came after generation `#recentFrom`, and how many. */
  #recent = new ExactMatcher<WireHit>();
  #recentFrom = 0;
  #recentCount = 0;
  /** Values that came with the last generation, when they are few. */
  #newest: ExactMatcher<WireHit> | undefined;
  /** Counts how often new values were taken in. */
  #generation = 0;
  #ready = Promise.resolve();

  constructor(vault: Vault) {
    this.#follower = new VaultFollower(vault);
  }

  /**
   * A private value in one of the pieces of a body, or undefined when there is none. A body is cut only between JSON
   * values, where no string goes on.
   */
  async find(pieces: readonly string[], counts?: (hit: WireHit) => boolean): Promise<WireHit | undefined> {
    await this.follow();
    const turns = new Turns();
    for (const piece of pieces) {
      for (let at = 0; at < piece.length; at += WINDOW) {
        if (turns.due()) await turns.pause();
        const text = piece.length <= WINDOW ? piece : piece.slice(at, at + WINDOW + this.#matcher.longest);
        const hit = this.#matcher.find(text, counts);
        if (hit) return hit.tag;
      }
    }
    return undefined;
  }

  /**
   * As `find`, for texts that come back turn after turn: each is searched only for values that have come since it was
   * searched last, and not at all when there are none.
   */
  async findAnew(pieces: readonly Searched[]): Promise<WireHit | undefined> {
    await this.follow();
    const generation = this.#generation;
    const turns = new Turns();
    for (const piece of pieces) {
      if (piece.searchedAt === generation) continue;
      if (turns.due()) await turns.pause();
      const matcher = this.#matcherSince(piece.searchedAt);
      const hit = piece.text.length <= WINDOW ? matcher.find(piece.text)?.tag : await this.find([piece.text]);
      if (hit) return hit;
      piece.searchedAt = generation;
    }
    return undefined;
  }

  /** Of the values that came after a generation, perhaps with others. */
  #matcherSince(generation: number): ExactMatcher<WireHit> {
    if (this.#newest && generation === this.#generation - 1) return this.#newest;
    return generation >= this.#recentFrom ? this.#recent : this.#matcher;
  }

  /** Takes in what is new in the vault; to be awaited before {@link WireCheck.match}. */
  async follow(): Promise<void> {
    // One after the other: who comes second must not search before the first has taken in what is new.
    this.#ready = this.#ready.then(() => this.#takeIn());
    await this.#ready;
  }

  /** Where a private value, in whatever form, stands in one text. */
  match(text: string): Match<WireHit> | undefined {
    return this.#matcher.find(text);
  }

  async #takeIn(): Promise<void> {
    const changes = this.#follower.changes();
    if (!changes) return;
    this.#generation += 1;
    if (changes.fresh) this.#matcher = new ExactMatcher();
    this.#recentCount += changes.added.length;
    const isRecent = !changes.fresh && this.#recentCount <= MAX_RECENT;
    if (!isRecent) {
      this.#recent = new ExactMatcher();
      this.#recentFrom = this.#generation;
      this.#recentCount = 0;
    }
    const newest = changes.fresh || changes.added.length > FEW ? undefined : new ExactMatcher<WireHit>("few");
    const turns = new Turns();
    for (const { token, value, type, level } of changes.added) {
      if (turns.due()) await turns.pause();
      const told = withoutEnds(value);
      if (isOrdinary(told)) continue;
      const hit = { token, type, level, isWords: isWords(told, type), value: told };
      for (const form of formsOf(told)) {
        this.#matcher.add(form, hit);
        if (isRecent) this.#recent.add(form, hit);
        newest?.add(form, hit);
      }
    }
    this.#newest = newest;
  }
}

/**
 * Which values may not stand in a body, once its texts have been gone through: all but words, which may be names of the
 * protocol or of a tool there, and what the configuration calls a model.
 */
export function mayNotStay(models: ReadonlySet<string>): (hit: WireHit) => boolean {
  return ({ isWords, value }) => !isWords && ![...models].some((model) => model.includes(value));
}

/** Values outside of these lengths have no encoded form to tell from other text, or one too long to be sent by chance. */
const ENCODED_FROM = 12;
const ENCODED_TO = 8192;

function formsOf(value: string): Set<string> {
  const once = escapeJson(value);
  const ascii = once.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  const forms = new Set([value, once, escapeJson(once), ascii]);
  if (value.length >= ENCODED_FROM && value.length <= ENCODED_TO) {
    forms.add(encodeURIComponent(value.toWellFormed()));
    for (const form of base64Forms(value)) forms.add(form);
  }
  return forms;
}

/** What of the base64 (RFC 4648, both alphabets) of a value does not depend on what stands before and behind it. */
function* base64Forms(value: string): Generator<string> {
  const bytes = Buffer.from(value, "utf8");
  for (const shift of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(shift), bytes]).toString("base64");
    const inner = encoded.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    yield inner;
    yield inner.replaceAll("+", "-").replaceAll("/", "_");
  }
}

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
