/**
 * Aho-Corasick over UTF-16 code units, ASCII case folded, as one dense table: two loads a character.
 *
 * Aho, Corasick: "Efficient string matching: an aid to bibliographic search", CACM 18(6), 1975.
 */
export interface Automaton {
  /** Class of each code unit; 0 = occurs in no keyword, 1..10 = the digits 0..9. */
  readonly classOf: Uint16Array;
  /** `next[(state >> 1) + class]` is the next state; bit 0 says that keywords end here. */
  readonly next: Int32Array;
  /** Keywords ending in a state, longest first, by `state >> 1`. */
  readonly outputs: ReadonlyMap<number, readonly KeywordEnd[]>;
}

export interface KeywordEnd {
  /** Index into the keyword list the automaton was built from. */
  readonly keyword: number;
  /** Length of the keyword in code units. */
  readonly length: number;
}

const DIGIT_CLASSES = 10;

interface Node {
  readonly edges: Map<number, Node>;
  fail: Node | undefined;
  ends: KeywordEnd[];
  offset: number;
}

/**
 * Builds the table for `keywords` (any case; matched without regard to ASCII case).
 * @throws RangeError when a keyword is empty.
 */
export function buildAutomaton(keywords: readonly string[]): Automaton {
  const { classOf, classes } = assignClasses(keywords);
  const root: Node = newNode();
  keywords.forEach((keyword, index) => {
    if (keyword === "") throw new RangeError(`keyword ${index} is empty`);
    let node = root;
    for (let i = 0; i < keyword.length; i++) {
      const cls = classOf[keyword.charCodeAt(i)] as number;
      let child = node.edges.get(cls);
      if (child === undefined) {
        child = newNode();
        node.edges.set(cls, child);
      }
      node = child;
    }
    node.ends.push({ keyword: index, length: keyword.length });
  });
  return tabulate(root, classOf, classes);
}

function assignClasses(keywords: readonly string[]): { classOf: Uint16Array; classes: number } {
  const classOf = new Uint16Array(65536);
  for (let digit = 0; digit < DIGIT_CLASSES; digit++) classOf[0x30 + digit] = digit + 1;
  let classes = DIGIT_CLASSES + 1;
  for (const keyword of keywords) {
    for (let i = 0; i < keyword.length; i++) {
      const code = lower(keyword.charCodeAt(i));
      if (classOf[code] !== 0) continue;
      classOf[code] = classes;
      if (code >= 0x61 && code <= 0x7a) classOf[code - 0x20] = classes;
      classes++;
    }
  }
  return { classOf, classes };
}

function tabulate(root: Node, classOf: Uint16Array, classes: number): Automaton {
  const order: Node[] = [root];
  root.fail = root;
  for (let i = 0; i < order.length; i++) {
    const node = order[i] as Node;
    node.offset = i * classes;
    for (const [cls, child] of node.edges) {
      let fail = node.fail as Node;
      while (fail !== root && !fail.edges.has(cls)) fail = fail.fail as Node;
      child.fail = node === root ? root : (fail.edges.get(cls) ?? root);
      child.ends = child.ends.concat(child.fail.ends);
      order.push(child);
    }
  }
  const next = new Int32Array(order.length * classes);
  const outputs = new Map<number, readonly KeywordEnd[]>();
  for (const node of order) {
    const failOffset = (node.fail as Node).offset;
    for (let cls = 0; cls < classes; cls++) {
      const child = node.edges.get(cls);
      if (child !== undefined)
        next[node.offset + cls] = (child.offset << 1) | (child.ends.length > 0 ? 1 : 0);
      else next[node.offset + cls] = node === root ? 0 : (next[failOffset + cls] as number);
    }
    if (node.ends.length > 0) outputs.set(node.offset, node.ends);
  }
  return { classOf, next, outputs };
}

function newNode(): Node {
  return { edges: new Map(), fail: undefined, ends: [], offset: 0 };
}

function lower(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code;
}
