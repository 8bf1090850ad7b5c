/** Deepest nesting of objects and lists in what comes from outside: a record has four levels, its tags may have some more. */
const MAX_DEPTH = 32;

/** Whether a JSON value is nested more deeply than any record is. Writing such a value down would overflow the stack. */
export function tooDeep(value: unknown, max = MAX_DEPTH): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > max) return true;
    level = level.flatMap((v) => (typeof v === "object" && v !== null ? Object.values(v) : []));
  }
  return false;
}
