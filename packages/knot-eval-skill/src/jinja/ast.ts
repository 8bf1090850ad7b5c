/** The AST as the evaluator sees it: nunjucks' nodes, plus a few of our own made by the parser in parser.ts. */
export interface Node {
  readonly typename: string;
  readonly lineno: number;
  readonly colno: number;
  readonly children?: Node[];
  readonly value?: unknown;
  readonly [field: string]: unknown;
}

/** A parsed template. */
export interface Template {
  name: string;
  root: Node;
}

/** A node of our own. */
export function makeNode(
  typename: string,
  at: { lineno: number; colno: number },
  fields: Record<string, unknown>,
): Node {
  return { typename, lineno: at.lineno, colno: at.colno, ...fields };
}

/** A required child node. */
export function child(node: Node, name: string): Node {
  return node[name] as Node;
}

/** A child node that may be absent. */
export function optional(node: Node, name: string): Node | undefined {
  return (node[name] ?? undefined) as Node | undefined;
}

export function list(node: Node, name: string): Node[] {
  return (node[name] ?? []) as Node[];
}

/** A template that cannot be read or rendered: what, in which template, in which line. */
export class TemplateError extends Error {
  constructor(message: string, template: string, line: number | undefined) {
    super(`${template}${line === undefined ? "" : `, line ${line}`}: ${message}`);
    this.name = "TemplateError";
  }
}
