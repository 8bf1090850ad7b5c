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
/** Keywords whose strings are the schema itself: types, names, patterns, references. What no list names is prose. */
const STRUCTURE = new Set([
  "type",
  "format",
  "pattern",
  "enum",
  "const",
  "required",
  "dependentRequired",
  "propertyOrdering",
  "discriminator",
  "propertyName",
  "contentEncoding",
  "contentMediaType",
  "minLength",
  "maxLength",
]);
/** A value of an enum or a const that is no plain word: in its place a placeholder can stand, and comes back as the value. */
const NO_WORD = /\d{4}|[@\s]|[^\x20-\x7e]/;

const VALUES = new Set(["enum", "const"]);

/** `enumDescriptions` and the like. */
function isProseList(slot: string, value: unknown): boolean {
  return (
    Array.isArray(value) &&
    !STRUCTURE.has(slot) &&
    value.length > 0 &&
    value.every((item) => typeof item === "string")
  );
}

function holdsMore(value: unknown): boolean {
  return (Array.isArray(value) ? value : [value]).some(
    (item) => typeof item === "string" && NO_WORD.test(item),
  );
}

/** Keywords whose members are named schemas: the names are the schema's, whatever they look like. */
const NAMED = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

/**
 * A JSON Schema (2020-12, also OpenAPI's and Google's dialects): prose is text; types, property names, enum and
 * const values, patterns and references stay, for a changed one is another tool.
 */
export function collectSchema(visitor: SchemaVisitor, holder: ContainerHolder): void {
  for (const [slot, value] of Object.entries(holder.value)) {
    const place = Array.isArray(holder.value) ? Number(slot) : slot;
    if (PROSE.has(slot) || (VALUES.has(slot) && holdsMore(value)) || isProseList(slot, value))
      visitor.value(holder, place, value, { is: "data", role: ROLE }, ROLE);
    else if (typeof value === "string") {
      if (Array.isArray(holder.value) || STRUCTURE.has(slot) || slot.startsWith("$"))
        visitor.exclude(holder, place, value, "schema");
      else visitor.value(holder, place, value, { is: "data", role: ROLE }, ROLE);
    } else if (NAMED.has(slot) && isContainer(value)) {
      const inside: Holder = {
        kind: "container",
        parent: holder,
        slot: place,
        depth: holder.depth + 1,
        value,
      };
      for (const [name, named] of Object.entries(value)) {
        if (!Array.isArray(value)) visitor.exclude(inside, name, name, "schema");
        visitor.value(inside, name, named, SCHEMA, ROLE);
      }
    } else visitor.value(holder, place, value, SCHEMA, ROLE);
  }
}
