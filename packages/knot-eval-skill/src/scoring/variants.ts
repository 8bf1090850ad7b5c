import { canonicalise } from "./canonical.ts";
import type { EquivalenceGroups } from "./equivalents.ts";
import { isWordChar } from "./fold.ts";

/** Another wording of a keyword, and the rule that made it. */
export interface Variant {
  text: string;
  because: string;
}

interface Member {
  text: string;
  folded: string;
  group: readonly string[];
}

/** Finds other wordings of a keyword by replacing any part that belongs to a group. Prepared once per run. */
export class VariantFinder {
  readonly #members: Member[];

  constructor(groups: EquivalenceGroups) {
    const members = groups.flatMap((group) =>
      group.map((text) => ({ text, folded: canonicalise(text).base.text, group })),
    );
    this.#members = members.filter((m) => m.folded !== "").sort((a, b) => b.folded.length - a.folded.length);
  }

  /** At most `limit` variants; two different parts of a keyword may both be replaced. */
  find(keyword: string, limit = 48): Variant[] {
    const start = canonicalise(keyword).base.text;
    const found = new Map<string, Variant>();
    let frontier: Variant[] = [{ text: start, because: "" }];
    for (let depth = 0; depth < 2 && found.size < limit; depth++) {
      const next: Variant[] = [];
      for (const current of frontier) {
        for (const replaced of this.#replaceOnce(current)) {
          if (replaced.text === start || found.has(replaced.text) || found.size >= limit) continue;
          found.set(replaced.text, replaced);
          next.push(replaced);
        }
      }
      frontier = next;
    }
    return [...found.values()];
  }

  #replaceOnce(current: Variant): Variant[] {
    const out: Variant[] = [];
    const taken: [number, number][] = [];
    for (const member of this.#members) {
      const at = current.text.indexOf(member.folded);
      if (at < 0) continue;
      const end = at + member.folded.length;
      if (isWordChar(member.folded[0]) && isWordChar(current.text[at - 1])) continue;
      if (isWordChar(member.folded.at(-1)) && isWordChar(current.text[end])) continue;
      // A shorter member inside a longer one is not replaced on its own: 智能体 before 智能.
      if (taken.some(([from, to]) => from <= at && end <= to && (from < at || end < to))) continue;
      taken.push([at, end]);
      for (const other of member.group) {
        if (other === member.text) continue;
        const folded = canonicalise(other).base.text;
        const text = current.text.slice(0, at) + folded + current.text.slice(end);
        const rule = `${member.text} = ${other}`;
        out.push({ text, because: current.because ? `${current.because}; ${rule}` : rule });
      }
    }
    return out;
  }
}
