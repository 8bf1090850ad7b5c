/** A boosted set of small regression trees, flat: five numbers a node. */

/**
 * Nodes of all trees one after another, each `[feature, threshold, left, right, value]`; a leaf has feature -1. `left` and
 * `right` are node numbers. A row goes left when its feature is below the threshold.
 */
export interface TreeModel {
  base: number;
  roots: number[];
  nodes: number[];
}

const WIDTH = 5;

export function scoreTrees({ base, roots, nodes }: TreeModel, row: Float64Array): number {
  let z = base;
  for (const root of roots) {
    let at = root * WIDTH;
    // A tree is at most as deep as there are nodes; the children of a node come after it.
    for (let feature = nodes[at] ?? -1; feature >= 0; feature = nodes[at] ?? -1) {
      const left = (row[feature] ?? 0) < (nodes[at + 1] ?? 0);
      at = (left ? (nodes[at + 2] ?? 0) : (nodes[at + 3] ?? 0)) * WIDTH;
    }
    z += nodes[at + 4] ?? 0;
  }
  return z;
}
