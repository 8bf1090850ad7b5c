import { compare } from "../../packages/knowhub-plugin/src/relations/compare.ts";
import { lines } from "./data.ts";

interface Pair {
  new: string;
  old: string;
  relation: string;
}

/** What the relation rules say about hand-labelled pairs. A false merge is a pair called certain that is no duplicate. */
export function relations(file = "pairs.jsonl"): {
  pairs: number;
  right: number;
  falseMerges: number;
  wrong: string[];
} {
  const pairs = lines<Pair>(file);
  let [right, falseMerges] = [0, 0];
  const wrong: string[] = [];
  for (const pair of pairs) {
    const found = compare({ task: "", content: pair.new }, { task: "", content: pair.old });
    if (found.certain && pair.relation !== "duplicate") falseMerges += 1;
    if (found.relation === pair.relation) right += 1;
    else
      wrong.push(
        `${pair.new} / ${pair.old}: ${pair.relation} expected, ${found.relation} found (${found.similarity.toFixed(2)})`,
      );
  }
  return { pairs: pairs.length, right, falseMerges, wrong };
}
