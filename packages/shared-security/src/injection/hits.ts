/** Concept hits in reading order: parallel arrays, `count` long. */
export interface Hits {
  count: number;
  concept: Uint8Array;
  start: Uint32Array;
  end: Uint32Array;
}

/** Grows as needed. */
export class HitList implements Hits {
  count = 0;
  concept = new Uint8Array(64);
  start = new Uint32Array(64);
  end = new Uint32Array(64);

  /** Adds a hit, or lengthens the one of the same walk (from `mark` on) and concept. */
  put(concept: number, start: number, end: number, mark: number): void {
    for (let i = this.count - 1; i >= mark; i--) {
      if (this.concept[i] === concept) {
        this.end[i] = end;
        return;
      }
    }
    if (this.count === this.concept.length) {
      const grown = new HitList();
      const size = this.count * 2;
      grown.concept = new Uint8Array(size);
      grown.start = new Uint32Array(size);
      grown.end = new Uint32Array(size);
      grown.concept.set(this.concept);
      grown.start.set(this.start);
      grown.end.set(this.end);
      this.concept = grown.concept;
      this.start = grown.start;
      this.end = grown.end;
    }
    this.concept[this.count] = concept;
    this.start[this.count] = start;
    this.end[this.count++] = end;
  }
}
