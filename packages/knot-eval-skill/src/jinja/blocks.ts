import { child, type Node, type Template } from "./ast.ts";

/** `{% break %}` and `{% continue %}` on their way to their loop. */
export class LoopControl extends Error {
  readonly kind: "Break" | "Continue";

  constructor(kind: "Break" | "Continue") {
    super(kind);
    this.kind = kind;
  }
}

/** A block's versions, most derived first, each with the template it stands in. */
export type Blocks = Map<string, { body: Node; template: Template }[]>;

/** Adds the blocks of a template behind those of its children. */
export function collectBlocks(root: Node, template: Template, into: Blocks): void {
  const visit = (node: Node) => {
    if (node.typename === "Block") {
      const name = String(child(node, "name").value);
      into.set(name, [...(into.get(name) ?? []), { body: child(node, "body"), template }]);
    }
    for (const key of ["children", "body", "else_", "otherwise"]) {
      const inner = node[key];
      if (Array.isArray(inner)) for (const n of inner) visit(n as Node);
      else if (typeof inner === "object" && inner !== null) visit(inner as Node);
    }
  };
  visit(root);
}
