import { type Canonical, canonicalise, isEmptyKeyword } from "./canonical.ts";
import { convertedForms } from "./conversions.ts";
import type { EquivalenceGroups } from "./equivalents.ts";
import { isWordChar } from "./fold.ts";
import { findFragments, fragmentsOf } from "./fragments.ts";
import { isNegated } from "./negation.ts";
import { findTurnedRound, isRate } from "./orders.ts";
import { END, NUM, UNIT } from "./tokens.ts";
import { VariantFinder } from "./variants.ts";

/** The five layers, tried in this order. */
export type Layer = "exact" | "punctuation" | "stop_words" | "fragments" | "synonym";

export const LAYERS: readonly Layer[] = ["exact", "punctuation", "stop_words", "fragments", "synonym"];

/** Where and how a keyword was found. Offsets are UTF-16 units of the original answer, end exclusive. */
export interface KeywordHit {
  keyword: string;
  layer: Layer;
  spans: { start: number; end: number }[];
  /** Set when the equivalence map or a synonym phrase made the hit: the rule used. */
  because?: string;
}

/** Why a keyword counts as missing. */
export interface KeywordMiss {
  keyword: string;
  reason: "absent" | "negated";
  /** For `negated`: where the denied phrase stands. */
  spans: { start: number; end: number }[];
}

export type KeywordResult = { hit: KeywordHit } | { miss: KeywordMiss };

export interface MatcherOptions {
  equivalents?: EquivalenceGroups;
  synonymPhrases?: Readonly<Record<string, readonly string[]>>;
  stopWords?: readonly string[];
  fragmentMinShare?: number;
  fragmentWindowChars?: number;
}

/** A keyword of which nothing is left to look for: it would hit everywhere, so it is refused. */
export class EmptyKeywordError extends Error {
  readonly keyword: string;

  constructor(keyword: string) {
    super(
      `keyword ${JSON.stringify(keyword)} holds no letter, number or meaningful sign: it cannot be scored`,
    );
    this.name = "EmptyKeywordError";
    this.keyword = keyword;
  }
}

interface Found {
  start: number;
  end: number;
}

interface LayerHit {
  layer: Layer;
  found: Found[];
  because?: string;
}

/** A keyword with its other wordings, canonicalised once. */
interface Prepared {
  keyword: string;
  forms: Canonical;
  fragments: ReturnType<typeof fragmentsOf>;
  equivalents: { forms: Canonical; because: string }[];
  synonyms: { forms: Canonical; because: string }[];
}

/**
 * Finds gold keywords in agent answers. Keep one per run: keywords are prepared once and cached.
 */
export class KeywordMatcher {
  readonly #options: MatcherOptions;
  readonly #equivalents: VariantFinder;
  readonly #synonyms: VariantFinder;
  readonly #prepared = new Map<string, Prepared>();

  constructor(options: MatcherOptions = {}) {
    this.#options = options;
    this.#equivalents = new VariantFinder(options.equivalents ?? []);
    this.#synonyms = new VariantFinder(
      Object.entries(options.synonymPhrases ?? {}).map(([standard, phrases]) => [standard, ...phrases]),
    );
  }

  /** @throws EmptyKeywordError */
  checkKeyword(keyword: string): void {
    this.#prepare(keyword);
  }

  /** Canonical form of an answer, to be used for all keywords of a question. */
  prepareAnswer(answer: string): Canonical {
    return canonicalise(answer, this.#options.stopWords);
  }

  /** Looks for one keyword. @throws EmptyKeywordError */
  match(keyword: string, answer: Canonical): KeywordResult {
    const prepared = this.#prepare(keyword);
    const denied: Found[] = [];
    const hit: LayerHit | undefined =
      this.#inLayers(prepared.forms, answer, denied) ??
      this.#inVariants(prepared.equivalents, answer, denied) ??
      this.#inFragments(prepared, answer, denied) ??
      this.#inVariants(prepared.synonyms, answer, denied, "synonym");
    const toSpans = (list: Found[]) => outermost(list.map((found) => originalSpan(answer, found)));
    if (hit) {
      const because = hit.because === undefined ? {} : { because: hit.because };
      return { hit: { keyword, layer: hit.layer, spans: toSpans(hit.found), ...because } };
    }
    return { miss: { keyword, reason: denied.length > 0 ? "negated" : "absent", spans: toSpans(denied) } };
  }

  #prepare(keyword: string): Prepared {
    const known = this.#prepared.get(keyword);
    if (known) return known;
    const { stopWords } = this.#options;
    const forms = canonicalise(keyword, stopWords);
    if (isEmptyKeyword(forms)) throw new EmptyKeywordError(keyword);
    const canonicalVariants = (finder: VariantFinder) =>
      finder.find(keyword).map((v) => ({
        forms: canonicalise(v.text, stopWords, true),
        because: v.because,
      }));
    const prepared: Prepared = {
      keyword,
      forms,
      fragments: fragmentsOf(forms),
      equivalents: [
        ...singularForms(keyword, stopWords),
        ...canonicalVariants(this.#equivalents),
        ...convertedForms(forms.base.text).map((v) => ({
          forms: canonicalise(v.text, stopWords, true),
          because: v.because,
        })),
      ],
      synonyms: canonicalVariants(this.#synonyms),
    };
    this.#prepared.set(keyword, prepared);
    return prepared;
  }

  /** Layers 1 to 3: the keyword as it is, without punctuation, without stop words. */
  #inLayers(keyword: Canonical, answer: Canonical, denied: Found[]): LayerHit | undefined {
    const exact = this.#occurrences(keyword.base.text.trim(), answer.base.text, undefined, answer, denied);
    if (exact.length > 0) return { layer: "exact", found: exact };
    const bare = this.#occurrences(keyword.bare.text, answer.bare.text, answer.bare.from, answer, denied);
    if (bare.length > 0) return { layer: "punctuation", found: bare };
    const core = keyword.core.text;
    // What the stop words leave must still be the larger part of the keyword.
    if (core.length >= 2 && core.length * 2 >= keyword.bare.text.length && /[^\ue001-\ue019]/.test(core)) {
      const found = this.#occurrences(core, answer.core.text, answer.core.from, answer, denied);
      if (found.length > 0) return { layer: "stop_words", found };
    }
    return undefined;
  }

  #inVariants(
    variants: Prepared["equivalents"],
    answer: Canonical,
    denied: Found[],
    as?: Layer,
  ): LayerHit | undefined {
    for (const variant of variants) {
      const hit = this.#inLayers(variant.forms, answer, denied);
      if (hit) return { layer: as ?? hit.layer, found: hit.found, because: variant.because };
    }
    return undefined;
  }

  #inFragments(prepared: Prepared, answer: Canonical, denied: Found[]): LayerHit | undefined {
    const keyword = prepared.forms.base.text.trim();
    const found = isRate(keyword)
      ? undefined
      : findFragments(prepared.fragments, answer, {
          minShare: this.#options.fragmentMinShare ?? 1,
          windowChars: this.#options.fragmentWindowChars ?? 48,
        });
    if (!found) {
      const turned = findTurnedRound(keyword, answer.base.text);
      return turned ? { layer: "fragments", found: turned } : undefined;
    }
    const first = found[0];
    if (first && isNegated(answer.base.text, first.start, first.end)) {
      denied.push(...found);
      return undefined;
    }
    return { layer: "fragments", found };
  }

  /** All occurrences that stand at word borders and are not denied; offsets in the canonical answer. */
  #occurrences(
    needle: string,
    hay: string,
    from: number[] | undefined,
    answer: Canonical,
    denied: Found[],
  ): Found[] {
    const found: Found[] = [];
    if (needle === "") return found;
    for (let at = hay.indexOf(needle); at >= 0; at = hay.indexOf(needle, at + 1)) {
      const last = at + needle.length - 1;
      const start = from ? (from[at] ?? 0) : at;
      const end = (from ? (from[last] ?? 0) : last) + 1;
      if (!standsAlone(answer, start, end)) continue;
      if (from && spansSentences(answer.base.text, start, end)) continue;
      if (isNegated(answer.base.text, start, end)) denied.push({ start, end });
      else found.push({ start, end });
      if (found.length >= 20) break;
    }
    return found;
  }
}

/** English plurals in a keyword also match the singular; the other direction is a matter of word borders. */
function singularForms(keyword: string, stopWords: readonly string[] | undefined): Prepared["equivalents"] {
  const singular = keyword.replace(
    /(?<![A-Za-z])([A-Za-z]{2,}?)(ies|(?<![suia])s)(?![A-Za-z])/g,
    (_, stem: string, ending: string) =>
      stem.length < 3 ? stem + ending : stem + (ending === "ies" ? "y" : ""),
  );
  return singular === keyword ? [] : [{ forms: canonicalise(singular, stopWords), because: "singular form" }];
}

/** Word borders: "token" is not in "tokenizer", but "agent" is in "agents"; "4" is not in "4o". */
export function standsAlone(answer: Canonical, start: number, end: number): boolean {
  const { text } = answer.base;
  const first = text[start];
  const last = text[end - 1];
  const before = text[start - 1];
  const after = text[end];
  if (isWordChar(first) && isWordChar(before)) return false;
  // 800 is not in H800; GPT-4 begins with its letters.
  if (first === NUM && isLetter(before)) return false;
  if (first === NUM && before !== undefined && /[.]/.test(before) && text[start - 2] === END) return false;
  if (last === END && after !== UNIT && isWordChar(after)) return false;
  // C is not in C++, C# or .
  if (isWordChar(last) && (after === "+" || after === "#") && text[end + 1] !== NUM) return false;
  if (isWordChar(last) && isWordChar(after)) {
    const plural = /^(?:s|es)(?![\p{L}\p{N}\ue001])/u.exec(text.slice(end, end + 3));
    // APIs is a plural, HTTPS is another word: the plural s is written small.
    const original = answer.original[answer.base.starts[end] ?? 0];
    return plural !== null && /[a-z]/.test(last ?? "") && original !== "S";
  }
  return true;
}

function isLetter(char: string | undefined): boolean {
  return char !== undefined && /\p{Script=Latin}/u.test(char);
}

/** A hit that only exists because a full stop or line end was stripped is none, unless it is a list. */
function spansSentences(text: string, start: number, end: number): boolean {
  return /[。！？!?]|\n\s*\n/.test(text.slice(start, end));
}

/** Spans without repetitions and without those inside another one, in order. */
function outermost(spans: readonly Found[]): Found[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const kept: Found[] = [];
  for (const span of sorted) {
    if (span.end > (kept.at(-1)?.end ?? -1)) kept.push(span);
  }
  return kept;
}

/** Offsets in the original answer. */
export function originalSpan(answer: Canonical, found: Found): Found {
  return {
    start: answer.base.starts[found.start] ?? 0,
    end: answer.base.ends[found.end - 1] ?? answer.original.length,
  };
}
