import type { Excluded, Level, Vault } from "@clawx/shared-security";
import type { InspectContext, TextInspector } from "../types.ts";
import type { Judge } from "./judge.ts";
import { isPrivate } from "./names.ts";
import { isOrdinary } from "./ordinary.ts";
import type { Turns } from "./turns.ts";
import { windowsOf } from "./windows.ts";

/** Names that were judged and hold nothing; a request's tools come back with every request. */
const MAX_CLEAN = 20_000;
/** Longer ones are not worth keeping, in UTF-16 units. */
const MAX_KEPT = 1024;

/** A name that holds something private. */
export interface PrivateName {
  place: Excluded;
  level: Level;
  reason: string | undefined;
}

/**
 * Judges what is no text: ids, names, words of the protocol, values of schemas. A number or key that stands in one of
 * them for the first time is known to the vault from then on, so that the last look takes it out.
 */
export class NameJudge {
  readonly #judge: Judge;
  readonly #inspector: TextInspector;
  readonly #vault: Vault;
  readonly #clean = new Set<string>();
  #version = "";

  constructor(judge: Judge, inspector: TextInspector, vault: Vault) {
    this.#judge = judge;
    this.#inspector = inspector;
    this.#vault = vault;
  }

  /** @throws RefusedError as {@link Judge.judge} does */
  async learn(
    excluded: readonly Excluded[],
    context: InspectContext,
    timeoutMs: number,
    turns: Turns,
    models: ReadonlySet<string>,
  ): Promise<PrivateName[]> {
    const version = this.#inspector.version();
    if (version !== this.#version || this.#clean.size > MAX_CLEAN) this.#clean.clear();
    this.#version = version;
    const asked = new Map<string, Excluded>();
    for (const place of excluded) {
      if (turns.due()) await turns.pause();
      // A model's name is of the configuration, not of a conversation; another may be anything.
      if (
        (place.why === "model" && models.has(place.text)) ||
        this.#clean.has(place.text) ||
        isOrdinary(place.text)
      )
        continue;
      asked.set(place.text, place);
    }
    if (asked.size === 0) return [];
    // Each by itself: beside each other one would be the context of the next.
    const items = [...asked.values()].flatMap((place) =>
      windowsOf({ text: place.text, kind: "data" }).map(({ text }) => ({ place, text })),
    );
    const verdicts = await this.#judge.judge(
      items.map(({ text }) => ({ text, role: "other" as const, kind: "name" as const })),
      context,
      timeoutMs,
    );
    const found: PrivateName[] = [];
    for (const [index, { place, text }] of items.entries()) {
      if (turns.due()) await turns.pause();
      const verdict = verdicts[index]?.verdict;
      let isClean = verdict !== undefined && verdict.degraded === undefined;
      for (const { start, end, type, level } of verdict?.findings ?? []) {
        const value = text.slice(start, end);
        if (!isPrivate(value, type)) continue;
        isClean = false;
        this.#vault.tokenise(value, type, level, context.session);
        found.push({ place, level, reason: verdict?.reason });
      }
      if (isClean && place.text.length <= MAX_KEPT) this.#clean.add(place.text);
    }
    return found;
  }
}
