import type { Path, Unscanned } from "@clawx/shared-security";
import { asString, isObject, type Json, type JsonObject } from "../json.ts";
import type { MediaPolicy } from "../types.ts";
import { RefusedError } from "./refused-error.ts";

/** What a part holds that no text detector reads. */
export type MediaKind = "image" | "audio" | "file";

const KIND_ZH: Readonly<Record<MediaKind, string>> = { image: "图片", audio: "音频", file: "文件" };

/** Content parts by vendor names of their types; Google's have none. */
const PART_TYPE = /^(?:input_)?(?:image|audio|file|video|document)(?:_url)?$|^computer_screenshot$/;
const GOOGLE_PART = ["inlineData", "inline_data", "fileData", "file_data"];

/**
 * Applies the policy to what could not be read in a request; the body is changed in place.
 *
 * @returns where something was withheld
 * @throws RefusedError when the policy blocks one of them, when one cannot be taken out, or when text is hidden in
 *   token numbers
 */
export function withholdMedia(
  body: JsonObject,
  unscanned: readonly Unscanned[],
  policy: Readonly<Record<MediaKind, MediaPolicy>>,
): Path[] {
  const media: Array<{ kind: MediaKind; path: Path }> = [];
  for (const { kind, path } of unscanned) {
    if (kind === "tokens") {
      throw new RefusedError(
        "bad-body",
        `text as token numbers (${path.join(".")}) cannot be checked; send it as text`,
      );
    }
    if (kind !== "opaque") media.push({ kind: kind === "video" ? "file" : kind, path });
  }
  const blocked = media.find(({ kind }) => policy[kind] === "block");
  if (blocked) throw new RefusedError("media", `the request holds an attachment (${blocked.kind})`);
  const withheld: Path[] = [];
  // From the end, so that what is taken out of a list moves nothing that is still to come.
  for (const { kind, path } of media.toReversed()) {
    if (policy[kind] !== "withhold") continue;
    if (!withhold(body, path, noteOf(kind))) {
      throw new RefusedError(
        "media",
        `the request holds an attachment (${kind}) where it cannot be withheld`,
      );
    }
    withheld.push(path);
  }
  return withheld;
}

/** What stands in the place of an attachment. */
export function noteOf(kind: MediaKind): string {
  return (
    `[${kind} withheld by ClawXRouter: it cannot be checked for private content / ` +
    `ClawXRouter 未发送此${KIND_ZH[kind]}：无法检查其中的隐私内容]`
  );
}

interface Step {
  container: JsonObject | Json[];
  key: string | number;
}

function withhold(body: JsonObject, path: Path, note: string): boolean {
  const steps = stepsTo(body, path);
  if (!steps) return withholdAround(body, path, note);
  const part = steps.findLast((step) => isPart(valueAt(step)));
  if (part) {
    const old = valueAt(part);
    put(part, isObject(old) ? notePart(old, note) : note);
    return true;
  }
  const last = steps.at(-1);
  const list = steps.at(-2);
  if (!last || typeof valueAt(last) !== "string") return false;
  if (list && list.key === "images" && Array.isArray(last.container) && isObject(list.container)) {
    // Ollama: pictures stand beside the text of their message.
    last.container.splice(Number(last.key), 1);
    const textKey = "content" in list.container ? "content" : "prompt";
    list.container[textKey] = `${asString(list.container[textKey]) ?? ""}\n${note}`;
    if (last.container.length === 0) delete list.container.images;
    return true;
  }
  put(last, note);
  return true;
}

/** In JSON that stands in a string the whole string goes: without it the conversation would be stopped for good. */
function withholdAround(body: JsonObject, path: Path, note: string): boolean {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const last = stepsTo(body, path.slice(0, length))?.at(-1);
    if (!last || typeof valueAt(last) !== "string") continue;
    // Arguments of a tool must be JSON again.
    put(last, last.key === "arguments" ? JSON.stringify({ withheld: note }) : note);
    return true;
  }
  return false;
}

/** The containers along a path, or undefined when it leads into a string (JSON in JSON). */
function stepsTo(body: JsonObject, path: Path): Step[] | undefined {
  const steps: Step[] = [];
  let at: Json | undefined = body;
  for (const key of path) {
    if (!isObject(at) && !Array.isArray(at)) return undefined;
    const step: Step = { container: at, key };
    steps.push(step);
    at = valueAt(step);
  }
  return steps;
}

function valueAt({ container, key }: Step): Json | undefined {
  return Array.isArray(container) ? container[Number(key)] : container[key];
}

function put({ container, key }: Step, value: Json): void {
  if (Array.isArray(container)) container[Number(key)] = value;
  else container[key] = value;
}

function isPart(value: Json | undefined): boolean {
  if (!isObject(value)) return false;
  return PART_TYPE.test(asString(value.type) ?? "") || GOOGLE_PART.some((key) => value[key] !== undefined);
}

/** A text part in the dialect of the part it replaces. */
function notePart(part: JsonObject, note: string): JsonObject {
  const type = asString(part.type);
  if (type === undefined) return { text: note };
  return {
    type: type.startsWith("input_") || type === "computer_screenshot" ? "input_text" : "text",
    text: note,
  };
}
