/**
 * Changes to a JSON document as a list of edits, so that they can be put on top of what somebody else wrote meanwhile.
 * Objects are walked; lists and plain values are replaced as a whole.
 */
export type Json = unknown;

export interface Edit {
  path: readonly string[];
  /** As it was when the edit began; undefined: there was nothing. */
  before: Json;
  /** Undefined takes it away. */
  after: Json;
}

type JsonObject = Record<string, Json>;

export function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function equal(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, at) => equal(item, b[at]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = definedKeys(a);
  return keys.length === definedKeys(b).length && keys.every((key) => equal(own(a, key), own(b, key)));
}

/** Nothing of the prototype: a router may be called `constructor`. */
function own(object: JsonObject, key: string): Json {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

function definedKeys(value: JsonObject): string[] {
  return Object.keys(value).filter((key) => value[key] !== undefined);
}

/** What leads from `before` to `after`. */
export function diff(before: Json, after: Json, path: readonly string[] = []): Edit[] {
  if (equal(before, after)) return [];
  if (!isObject(before) || !isObject(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => diff(own(before, key), own(after, key), [...path, key]));
}

export function at(document: Json, path: readonly string[]): Json {
  return path.reduce<Json>((value, key) => (isObject(value) ? own(value, key) : undefined), document);
}

/** A copy of `document` with the value at `path` replaced or, with undefined, taken away. */
export function put(document: Json, path: readonly string[], value: Json): Json {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  const copy: JsonObject = { ...(isObject(document) ? document : {}) };
  const next = put(own(copy, key), rest, value);
  if (next === undefined) delete copy[key];
  else copy[key] = next;
  return copy;
}

/** A copy of `document` with the edits made. An edit that takes away what is not there leaves no empty parents. */
export function apply(document: Json, edits: readonly Edit[]): Json {
  return edits.reduce(
    (result, edit) =>
      edit.after === undefined && at(result, edit.path) === undefined
        ? result
        : put(result, edit.path, edit.after),
    document,
  );
}

/** The edits whose place holds neither what they started from nor what they want: somebody else changed it. */
export function overlaps(edits: readonly Edit[], current: Json): Edit[] {
  return edits.filter((edit) => {
    const there = at(current, edit.path);
    return !equal(there, edit.before) && !equal(there, edit.after);
  });
}

/**
 * Later edits over earlier ones of the same document: an edit keeps what it first started from.
 * @param earlier edits so far; @param later from the document with `earlier` made to the newest state
 */
export function combine(current: Json, earlier: readonly Edit[], wanted: Json): Edit[] {
  return diff(current, wanted).map((edit) => {
    const known = earlier.find((other) => equal(other.path, edit.path));
    return known === undefined ? edit : { ...edit, before: known.before };
  });
}

/** Both sides' additions and removals of a list of texts; undefined when it is no such list. */
export function mergeLists(before: Json, theirs: Json, mine: Json): string[] | undefined {
  if (!isTexts(before) || !isTexts(theirs) || !isTexts(mine)) return undefined;
  const gone = before.filter((item) => !mine.includes(item));
  const added = mine.filter((item) => !before.includes(item) && !theirs.includes(item));
  return [...theirs.filter((item) => !gone.includes(item)), ...added];
}

function isTexts(value: Json): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
