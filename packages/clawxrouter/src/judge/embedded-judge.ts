/**
 * The embedded judge: a small trained classifier that grades a prompt in well under a millisecond, without a model server.
 *
 * A question with one right answer (multiple choice, a school problem) is graded by the strong-or-weak score: does a strong
 * model answer this kind right where a weak one does not. Anything else is graded by the tier head.
 */
import { TIERS, type Tier } from "../config-file/schema.ts";
import type { Judge, JudgeContext, JudgeVerdict } from "../routing/types.ts";
import modelFile from "./data/model.json" with { type: "json" };
import { examOf } from "./exam.ts";
import { isKnownLanguage } from "./language.ts";
import { type JudgeModel, loadModel } from "./model.ts";
import { shapeOf } from "./shape.ts";
import { rankOf, strongBuckets, strongGain } from "./strong-need.ts";
import { gramBuckets, tokensOf, viewOf } from "./text.ts";
import { scoreTiers } from "./tier-head.ts";

export interface EmbeddedVerdict extends JudgeVerdict {
  /** 0..1: rank of the need for a strong model among exam questions; meaningful for such questions only. */
  strongNeed: number;
  /** True when the strong-or-weak score made the tier. */
  isQuestion: boolean;
  /** By tier, in the order of TIERS, from the tier head. */
  probabilities: readonly number[];
}

/** Up to this rank a weak model does about as well; two thirds of exam questions lie above it. */
export const WEAK_UP_TO = 0.35;
const SIMPLE_UP_TO = 0.2;
const COMPLEX_UP_TO = 0.8;
/** Longer prompts bring a document along, which the cheapest model is not trusted with. */
const DOCUMENT_CHARS = 20_000;
/** Confidence where the text says too little: below the default `minConfidence`, so that the default model is kept. */
const UNSURE = 0.4;

export class EmbeddedJudge implements Judge {
  readonly id = "embedded";
  private readonly model: JudgeModel;

  /**
   * @param file content of a model file, the shipped one by default
   * @throws Error when the file is not one of this version
   */
  constructor(file: unknown = modelFile) {
    this.model = loadModel(file);
  }

  async classify(prompt: string, context: JudgeContext = {}): Promise<JudgeVerdict> {
    const { tier, confidence, reason } = this.grade(prompt, context);
    return { tier, confidence, reason };
  }

  /** The verdict with what lies behind it. Never throws; takes time linear in the prompt, bounded by its window. */
  grade(prompt: string, context: JudgeContext = {}): EmbeddedVerdict {
    const view = viewOf(prompt);
    const tokens = tokensOf(view.text);
    const exam = examOf(view);
    const { strong, tiers } = this.model;
    const gain = strongGain(strong, exam.features, strongBuckets(tokens, strong.words.weak.bits));
    const strongNeed = rankOf(gain, strong.quantiles);
    const shape = shapeOf(view, tokens);
    const grams = gramBuckets(tokens, tiers.bits);
    const { probabilities, because } = scoreTiers(tiers, shape.features, grams);
    const rest = { strongNeed, isQuestion: false, probabilities };
    if (tokens.every((token) => token.kind === "mark"))
      return { tier: "SIMPLE", confidence: 0, reason: "no words", ...rest };
    if (exam.isQuestion) return { ...byNeed(strongNeed), ...rest, isQuestion: true };
    const confidence = Math.max(...probabilities);
    const head: JudgeVerdict = {
      tier: TIERS[probabilities.indexOf(confidence)] ?? "MEDIUM",
      confidence,
      reason: because.length === 0 ? "wording" : because.join(", "),
    };
    if (shape.isGoOn)
      return { ...head, confidence: Math.min(confidence, UNSURE), reason: "goes on", ...rest };
    if (!isKnownLanguage(tokens, shape.groupsMet))
      return {
        ...head,
        confidence: Math.min(confidence, UNSURE),
        reason: "neither English nor Chinese",
        ...rest,
      };
    return { ...atLeast(head, view.chars, context), ...rest };
  }
}

function byNeed(need: number): JudgeVerdict {
  const tier: Tier =
    need < SIMPLE_UP_TO
      ? "SIMPLE"
      : need < WEAK_UP_TO
        ? "MEDIUM"
        : need < COMPLEX_UP_TO
          ? "COMPLEX"
          : "REASONING";
  const percent = Math.round(need * 100);
  return {
    tier,
    // Sure at both ends, least sure where weak and strong part.
    confidence: Math.min(0.95, 0.55 + Math.abs(need - WEAK_UP_TO) * 0.6),
    reason:
      need < WEAK_UP_TO
        ? `exam question where a strong model gains little (need ${percent} of 100)`
        : `exam question that needs a strong model (need ${percent} of 100)`,
  };
}

/** A document in the prompt or beside it is not for the smallest model. */
function atLeast(verdict: JudgeVerdict, chars: number, context: JudgeContext): JudgeVerdict {
  const media = /^(?:image|audio|voice|video|sticker)/i;
  const document =
    context.attachments?.some((a) => !media.test(a.kind) && !media.test(a.mimeType ?? "")) === true;
  if (verdict.tier !== "SIMPLE" || (chars <= DOCUMENT_CHARS && !document)) return verdict;
  return {
    ...verdict,
    tier: "MEDIUM",
    reason: `${verdict.reason}; ${document ? "a document is attached" : "long text"}`,
  };
}
