import { Collector, PayloadError } from "./collect.ts";
import { PROTOCOL_SHAPES } from "./protocols/index.ts";
import { type ContainerHolder, type PlacedLeaf, rebuild } from "./tree.ts";
import type { Excluded, Leaf, Unscanned, WireProtocol } from "./types.ts";

/** A body with other texts. */
export interface Rewritten {
  /** The very body that was opened when nothing changed; else a copy that shares what did not change. */
  body: unknown;
  changed: boolean;
}

/** A body taken apart. */
export interface Payload {
  readonly protocol: WireProtocol;
  /** Every text, in the order of the body. */
  readonly leaves: readonly Leaf[];
  /** Everything that could not be read. */
  readonly unscanned: readonly Unscanned[];
  /** Everything left alone on purpose. */
  readonly excluded: readonly Excluded[];
  /** The body with each leaf's text replaced by what `map` gives; the opened body is not changed. */
  rewrite(map: (leaf: Leaf) => string): Rewritten;
}

/**
 * Take apart a parsed JSON body of a model API: request or whole response.
 * @param body what `JSON.parse` gave; a bare string counts as one text
 * @throws PayloadError when it is nested too deeply to be read
 */
export function openPayload(body: unknown, protocol: WireProtocol): Payload {
  const collector = new Collector();
  // One holder above the body, so that the body itself has a place like everything else.
  const top: ContainerHolder = { kind: "container", parent: undefined, slot: "", depth: 0, value: [body] };
  collector.value(top, 0, body, PROTOCOL_SHAPES[protocol], "other");
  const leaves: readonly PlacedLeaf[] = collector.leaves;
  return {
    protocol,
    leaves,
    unscanned: collector.unscanned,
    excluded: collector.excluded,
    rewrite(map) {
      const changes: (readonly [PlacedLeaf, string])[] = [];
      for (const leaf of leaves) {
        const text = map(leaf);
        if (text !== leaf.text) changes.push([leaf, text]);
      }
      if (changes.length === 0) return { body, changed: false };
      const rebuilt = rebuild(top, changes);
      return { body: Array.isArray(rebuilt) ? rebuilt[0] : body, changed: true };
    },
  };
}

/** What `walkPayload` gives. */
export interface Walked extends Rewritten {
  leaves: number;
  unscanned: readonly Unscanned[];
  excluded: readonly Excluded[];
}

/** Replace every text of a body by what `map` gives for it. */
export function walkPayload(
  body: unknown,
  protocol: WireProtocol,
  map: (text: string, leaf: Leaf) => string,
): Walked {
  const payload = openPayload(body, protocol);
  const rewritten = payload.rewrite((leaf) => map(leaf.text, leaf));
  return {
    ...rewritten,
    leaves: payload.leaves.length,
    unscanned: payload.unscanned,
    excluded: payload.excluded,
  };
}

/** As `walkPayload` with a map that takes time; leaves are mapped concurrently. */
export async function walkPayloadAsync(
  body: unknown,
  protocol: WireProtocol,
  map: (text: string, leaf: Leaf) => Promise<string>,
): Promise<Walked> {
  const payload = openPayload(body, protocol);
  const texts = new Map<Leaf, string>();
  await Promise.all(payload.leaves.map(async (leaf) => texts.set(leaf, await map(leaf.text, leaf))));
  const rewritten = payload.rewrite((leaf) => texts.get(leaf) ?? leaf.text);
  return {
    ...rewritten,
    leaves: payload.leaves.length,
    unscanned: payload.unscanned,
    excluded: payload.excluded,
  };
}

export { PayloadError };
