import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply, at, combine, diff, type Json, mergeLists, overlaps } from "./edits.ts";

const key = fc.constantFrom("a", "b", "c", "d");
const leaf = fc.oneof(
  fc.integer(),
  fc.boolean(),
  fc.string({ maxLength: 4 }),
  fc.array(fc.string({ maxLength: 3 }), { maxLength: 3 }),
);
const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc.dictionary(key, fc.oneof({ depthSize: "small", maxDepth: 3 }, leaf, tie("tree")), { maxKeys: 4 }),
}));

/** Taking the last key away leaves `{}` in its place; a document that never had the object is the same settings. */
function withoutEmpty(value: Json): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, withoutEmpty(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => JSON.stringify(item) !== "{}"));
}

describe("edits", () => {
  it("lead from one document to the other", () => {
    fc.assert(
      fc.property(tree, tree, (before, after) => {
        expect(withoutEmpty(apply(before, diff(before, after)))).toEqual(withoutEmpty(after));
      }),
    );
  });

  it("of one writer go on top of another's, and touch nothing else", () => {
    fc.assert(
      fc.property(tree, tree, tree, (base, mine, theirs) => {
        const edits = diff(base, mine);
        fc.pre(overlaps(edits, theirs).length === 0);
        const merged = apply(theirs, edits);
        for (const edit of edits) expect(at(merged, edit.path)).toEqual(edit.after);
        // Whatever differs from theirs is one of ours, or a place above or below it.
        const onOnePath = (a: readonly string[], b: readonly string[]) =>
          a.slice(0, b.length).every((name, index) => name === b[index]);
        for (const change of diff(theirs, merged))
          expect(edits.some((edit) => onOnePath(edit.path, change.path))).toBe(true);
      }),
    );
  });

  it("are named when somebody else changed the same place, not when he made the same change", () => {
    const edits = diff({ port: 1, list: ["a"] }, { port: 2, list: ["a", "b"] });
    expect(overlaps(edits, { port: 1, list: ["a"] })).toEqual([]);
    expect(overlaps(edits, { port: 2, list: ["a"] })).toEqual([]);
    expect(overlaps(edits, { port: 3, list: ["a"] }).map((edit) => edit.path)).toEqual([["port"]]);
  });

  it("keep what they first started from while they grow", () => {
    const first = diff({ list: ["a"] }, { list: ["a", "b"] });
    const theirs = { list: ["z"] };
    const [grown] = combine(theirs, first, { list: ["a", "b", "c"] });
    expect(grown).toEqual({ path: ["list"], before: ["a"], after: ["a", "b", "c"] });
    expect(overlaps(grown === undefined ? [] : [grown], theirs)).toHaveLength(1);
  });

  it("take nothing from the prototype of an object", () => {
    expect(at({}, ["constructor"])).toBeUndefined();
    expect(diff({}, { toString: 1 })).toEqual([{ path: ["toString"], before: undefined, after: 1 }]);
  });
});

describe("two lists made of one", () => {
  it("hold what either side added and not what either took away", () => {
    expect(mergeLists(["a", "b", "c"], ["a", "b", "c", "theirs"], ["a", "c", "mine"])).toEqual([
      "a",
      "c",
      "theirs",
      "mine",
    ]);
  });

  it("are only made of texts", () => {
    expect(mergeLists([1], [1, 2], [1, 3])).toBeUndefined();
    expect(mergeLists("a", "b", "c")).toBeUndefined();
  });
});
