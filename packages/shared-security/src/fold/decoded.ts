import { mappedView, type View } from "./view.ts";

/** Collects decoded characters with the places that they came from. */
export class Decoded {
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  #text = "";

  /** `characters` stood as `[start, end)`; none are added for what shows nothing. */
  add(characters: string, start: number, end: number): void {
    this.#text += characters;
    for (let i = 0; i < characters.length; i++) {
      this.#starts.push(start);
      this.#ends.push(end);
    }
  }

  view(): View {
    return mappedView(this.#text, this.#starts, this.#ends);
  }
}
