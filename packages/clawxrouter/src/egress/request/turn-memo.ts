import type { Names } from "./names.ts";
import type { PartReport } from "./report.ts";
import type { Searched } from "./wire-check.ts";

/** A piece of a request as it goes out, free of private values. */
export interface SentPiece extends Searched {
  /** `text` in UTF-8. */
  bytes: Buffer;
  /** Something in it looks like a placeholder. */
  marked: boolean;
  /** Placeholders of the vault that stand in it. */
  tokens: readonly string[];
  /** Those of them that stand for what the request itself said. */
  minted: readonly string[];
  /** Ids, names and property names in it, which are not redacted. */
  names: Names;
}

/** One message of an earlier request: its digest, and as what it left. */
export interface SentElement extends SentPiece {
  /** SHA-256 of the text that came in. */
  digest: string;
  report: PartReport | undefined;
  /** Length of its prose, in UTF-16 units. */
  units: number;
}

/** A conversation as it left last time. */
export interface LastTurn {
  /** Family of the model it went to: what one signed is taken out for another. */
  family: string;
  elements: readonly SentElement[];
}

/** Conversations remembered. */
const MAX_CONVERSATIONS = 64;
/** Text remembered in all, in UTF-16 units. */
const MAX_UNITS = 32 * 1024 * 1024;

/**
 * Remembers of each conversation how its messages left last time, so that a turn costs only what is new in it. What
 * came in is kept as digests only.
 */
export class TurnMemo {
  readonly #conversations = new Map<string, { turn: LastTurn; units: number }>();
  #version = "";
  #units = 0;

  /** Forgets everything when texts may be judged otherwise than before. */
  useVersion(version: string): void {
    if (version === this.#version) return;
    this.#version = version;
    this.#conversations.clear();
    this.#units = 0;
  }

  /** The last request of a conversation. */
  recall(conversation: string): LastTurn | undefined {
    return this.#conversations.get(conversation)?.turn;
  }

  remember(conversation: string, turn: LastTurn): void {
    this.forget(conversation);
    const units = turn.elements.reduce((sum, { text }) => sum + text.length, 0);
    if (units > MAX_UNITS) return;
    this.#conversations.set(conversation, { turn, units });
    this.#units += units;
    for (const [oldest] of this.#conversations) {
      if (this.#conversations.size <= MAX_CONVERSATIONS && this.#units <= MAX_UNITS) return;
      this.forget(oldest);
    }
  }

  forget(conversation: string): void {
    this.#units -= this.#conversations.get(conversation)?.units ?? 0;
    this.#conversations.delete(conversation);
  }
}
