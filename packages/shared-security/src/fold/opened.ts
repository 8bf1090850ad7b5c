import { encodedParts } from "./encoded.ts";
import { fold } from "./fold.ts";
import { hiddenText } from "./hidden-text.ts";
import { compose, type View } from "./view.ts";

/** A text with all that it shows to those who look closely; each part is made when it is first asked for. */
export class OpenedText {
  readonly text: string;
  #folded: View | undefined;
  #encoded: readonly View[] | undefined;
  #hidden: readonly View[] | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** As {@link fold} shows it. */
  get folded(): View {
    this.#folded ??= fold(this.text);
    return this.#folded;
  }

  /** {@link encodedParts} of the folded text, decoded and folded; mapped to the text as given. */
  get encoded(): readonly View[] {
    this.#encoded ??= encodedIn(this.folded);
    return this.#encoded;
  }

  /** {@link hiddenText}, folded; mapped to the text as given. */
  get hidden(): readonly View[] {
    this.#hidden ??= hiddenText(this.text).map((view) => compose(view, fold(view.text)));
    return this.#hidden;
  }
}

/** The parts of a view that are text in another notation, decoded and folded; mapped to what it is a view of. */
export function encodedIn(view: View): View[] {
  return encodedParts(view.text).map((part) => compose(view, compose(part, fold(part.text))));
}

/** Texts kept opened, and how much of them in all, in UTF-16 units. */
const MAX_TEXTS = 1024;
const MAX_UNITS = 4 * 1024 * 1024;
/** How long at most, in milliseconds: they may be private. */
const KEPT_MS = 1000;

/** By {@link sampleOf}: of texts that look alike only the last is kept. */
let kept = new Map<number, OpenedText>();
let units = 0;
let timer: NodeJS.Timeout | undefined;

/**
 * Opens a text. Who looks in it for secrets looks for known values next: what was opened is kept until it is asked for
 * again, a moment at most and in memory only.
 */
export function openText(text: string): OpenedText {
  const sample = sampleOf(text);
  const known = kept.get(sample);
  if (known?.text === text) {
    drop(sample, known);
    return known;
  }
  const opened = new OpenedText(text);
  if (text.length > MAX_UNITS) return opened;
  if (known !== undefined) drop(sample, known);
  if (kept.size >= MAX_TEXTS || units + text.length > MAX_UNITS) forget();
  kept.set(sample, opened);
  units += text.length;
  if (timer === undefined) timer = setTimeout(forget, KEPT_MS).unref();
  return opened;
}

/** Units of a text that tell it from most others: to hash all of it, as a map of texts does, costs more than it saves. */
function sampleOf(text: string): number {
  const { length } = text;
  let sample = length;
  for (let i = 0; i < SAMPLES; i++)
    sample = (Math.imul(sample, 31) + text.charCodeAt(Math.floor((i * length) / SAMPLES))) | 0;
  return sample;
}

const SAMPLES = 32;

function drop(sample: number, { text }: OpenedText): void {
  kept.delete(sample);
  units -= text.length;
}

function forget(): void {
  kept = new Map();
  units = 0;
  clearTimeout(timer);
  timer = undefined;
}
