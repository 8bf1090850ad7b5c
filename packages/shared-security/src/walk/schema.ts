import type { Shape } from "./shape.ts";
import { type ContainerHolder, type Holder, isContainer } from "./tree.ts";
import type { Excluded, LeafRole } from "./types.ts";

/** Who takes down what is found. */
interface SchemaVisitor {
  value(holder: Holder, slot: string | number, value: unknown, shape: Shape, role: LeafRole): void;
  exclude(holder: Holder, slot: string | number, text: string, why: Excluded["why"]): void;
}

const SCHEMA: Shape = { is: "schema" };
const ROLE: LeafRole = "tool-definition";

/** Keywords of JSON Schema whose strings are prose or sample data, so text. */
const PROSE = new Set([
  "description",
  "title",
  "$comment",
  "markdownDescription",
  "default",
  "example",
  "examples",
]);
/** Keywords whose members are named schemas: the names are the schema's, whatever they look like. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/**
 * A JSON Schema (2020-12, also OpenAPI's and Google's dialects): prose is text; types, property names, enum and
 * const values, patterns and references stay, for a changed one is another tool.
 */
export function collectSchema(visitor: SchemaVisitor, holder: ContainerHolder): void {
  for (const [slot, value] of Object.entries(holder.value)) {
    const place = Array.isArray(holder.value) ? Number(slot) : slot;
    if (PROSE.has(slot)) visitor.value(holder, place, value, { is: "data", role: ROLE }, ROLE);
    else if (typeof value === "string") visitor.exclude(holder, place, value, "schema");
    else if (NAMED.has(slot) && isContainer(value)) {
      for (const [name, named] of Object.entries(value)) {
        visitor.value(
          { kind: "container", parent: holder, slot: place, depth: holder.depth + 1, value },
          name,
          named,
          SCHEMA,
          ROLE,
        );
      }
    } else visitor.value(holder, place, value, SCHEMA, ROLE);
  }
}
