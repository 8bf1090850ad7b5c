/** Where texts sit in a body, and how a body with other texts is made without touching the original. */
import { type JsonLiteral, jsonEscape, stepsTo } from "../json/text.ts";
import type { Leaf, LeafRole, Path } from "./types.ts";

/** Something that holds texts. `slot` is where it sits in its parent. */
export type Holder = ContainerHolder | JsonHolder | Base64Holder;

interface HolderBase {
  readonly parent: Holder | undefined;
  readonly slot: string | number;
  readonly depth: number;
}

/** An object or array of the body. */
export interface ContainerHolder extends HolderBase {
  readonly kind: "container";
  readonly value: Readonly<Record<string, unknown>> | readonly unknown[];
}

/** JSON text in a string; the slots of what is in it are indices of `literals`. */
export interface JsonHolder extends HolderBase {
  readonly kind: "json";
  readonly text: string;
  readonly literals: readonly JsonLiteral[];
}

/** Text as base64 in a string, after `prefix` (of a `data:` URL). Its one text has slot 0. */
export interface Base64Holder extends HolderBase {
  readonly kind: "base64";
  readonly prefix: string;
}

/** Whether a value holds others. */
export function isContainer(value: unknown): value is ContainerHolder["value"] {
  return typeof value === "object" && value !== null;
}

/** A leaf that knows its holder. */
export class PlacedLeaf implements Leaf {
  readonly text: string;
  readonly role: LeafRole;
  readonly kind: Leaf["kind"];
  readonly key: string | undefined;
  readonly zone: number | undefined;
  readonly holder: Holder;
  readonly slot: string | number;

  constructor(
    holder: Holder,
    slot: string | number,
    leaf: Pick<Leaf, "text" | "role" | "kind" | "key" | "zone">,
  ) {
    this.holder = holder;
    this.slot = slot;
    this.text = leaf.text;
    this.role = leaf.role;
    this.kind = leaf.kind;
    this.key = leaf.key;
    this.zone = leaf.zone;
  }

  path(): Path {
    return pathTo(this.holder, this.slot);
  }
}

/** Steps from the body to `slot` of `holder`. The top holder is not part of the body and makes no step. */
export function pathTo(holder: Holder, slot: string | number): Path {
  const steps: (string | number)[][] = [];
  let place = slot;
  for (let at: Holder = holder; at.parent !== undefined; at = at.parent) {
    steps.push(stepOf(at, place));
    place = at.slot;
  }
  return steps.reverse().flat();
}

function stepOf(holder: Holder, slot: string | number): (string | number)[] {
  if (holder.kind === "json") return stepsTo(holder.literals[Number(slot)]?.place);
  return holder.kind === "base64" ? [] : [slot];
}

interface Edit {
  slot: string | number;
  value: unknown;
  rename: boolean;
}

/**
 * A copy of the body in which changed leaves have their new texts; what did not change is shared with the original,
 * and JSON in strings keeps every byte that did not change.
 */
export function rebuild(root: Holder, changes: Iterable<readonly [PlacedLeaf, string]>): unknown {
  const edits = new Map<Holder, Edit[]>();
  const add = (holder: Holder, edit: Edit): void => {
    const list = edits.get(holder);
    if (list === undefined) edits.set(holder, [edit]);
    else list.push(edit);
  };
  for (const [leaf, text] of changes)
    add(leaf.holder, { slot: leaf.slot, value: text, rename: leaf.kind === "key" });

  // Deepest first, so that a holder is rebuilt after all it holds.
  const byDepth: Holder[][] = [];
  const schedule = (holder: Holder): void => {
    byDepth[holder.depth] ??= [];
    byDepth[holder.depth]?.push(holder);
  };
  const scheduled = new Set<Holder>();
  for (const holder of edits.keys()) {
    for (let at: Holder | undefined = holder; at !== undefined && !scheduled.has(at); at = at.parent) {
      scheduled.add(at);
      schedule(at);
    }
  }
  let result: unknown = root.kind === "container" ? root.value : undefined;
  for (let depth = byDepth.length - 1; depth >= 0; depth--) {
    for (const holder of byDepth[depth] ?? []) {
      const value = applyEdits(holder, edits.get(holder) ?? []);
      if (holder.parent === undefined) result = value;
      else add(holder.parent, { slot: holder.slot, value, rename: false });
    }
  }
  return result;
}

function applyEdits(holder: Holder, edits: readonly Edit[]): unknown {
  if (holder.kind === "json") return spliceJson(holder, edits);
  if (holder.kind === "base64") {
    return holder.prefix + Buffer.from(String(edits[0]?.value ?? ""), "utf8").toString("base64");
  }
  if (Array.isArray(holder.value)) {
    const copy: unknown[] = [...holder.value];
    for (const edit of edits) copy[Number(edit.slot)] = edit.value;
    return copy;
  }
  const values = new Map(edits.filter((edit) => !edit.rename).map((edit) => [String(edit.slot), edit.value]));
  const names = new Map(
    edits.filter((edit) => edit.rename).map((edit) => [String(edit.slot), String(edit.value)]),
  );
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(holder.value)) {
    let name = names.get(key) ?? key;
    while (Object.hasOwn(copy, name)) name += "_";
    // defineProperty: a property named __proto__ must become a property, not a prototype.
    Object.defineProperty(copy, name, {
      value: values.has(key) ? values.get(key) : value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }
  return copy;
}

function spliceJson(holder: JsonHolder, edits: readonly Edit[]): string {
  let out = "";
  let at = 0;
  for (const edit of edits.toSorted((a, b) => Number(a.slot) - Number(b.slot))) {
    const literal = holder.literals[Number(edit.slot)];
    if (literal === undefined) continue;
    out += `${holder.text.slice(at, literal.start)}"${jsonEscape(String(edit.value))}"`;
    at = literal.end;
  }
  return out + holder.text.slice(at);
}
