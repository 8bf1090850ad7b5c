import { asArray, asObject, asString, type Json, type JsonObject } from "../json.ts";
import type { MediaPolicy } from "../types.ts";
import { RefusedError } from "./refused-error.ts";

/** What a part holds that no text detector reads. */
export type MediaKind = "image" | "audio" | "file";

/** A media part of a request. */
export interface MediaPart {
  kind: MediaKind;
  /** Puts a note in the part's place, in the shape of its neighbours. */
  withhold(note: string): void;
}

/** Types of content parts by vendor names. */
const KINDS: ReadonlyArray<readonly [RegExp, MediaKind]> = [
  [/^(?:image|image_url|input_image|computer_screenshot)$/, "image"],
  [/^(?:audio|input_audio|audio_url)$/, "audio"],
  [/^(?:file|input_file|document|container_upload|video|video_url|input_video)$/, "file"],
];

/**
 * The media part that `part` is, or undefined when it is none.
 * @param list the array it stands in, at `index`
 */
export function mediaIn(part: JsonObject, list: Json[], index: number): MediaPart | undefined {
  const inline = asObject(part.inlineData) ?? asObject(part.inline_data);
  const linked = asObject(part.fileData) ?? asObject(part.file_data);
  if (inline || linked) {
    const mime = asString((inline ?? linked)?.mimeType) ?? asString((inline ?? linked)?.mime_type) ?? "";
    return { kind: kindOfMime(mime), withhold: (note) => replaceAt(list, index, { text: note }) };
  }
  const type = asString(part.type) ?? "";
  const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1];
  if (kind === undefined) return undefined;
  // Anthropic text documents carry their text in the clear: that is text, and is inspected as such.
  const source = asObject(part.source);
  if (type === "document" && (source?.type === "text" || source?.type === "content")) return undefined;
  const noteType = type.startsWith("input_") || type === "computer_screenshot" ? "input_text" : "text";
  return { kind, withhold: (note) => replaceAt(list, index, { type: noteType, text: note }) };
}

/** Ollama's `images: [base64]` on messages and on `api/generate`: taken out, with a note in the text. */
export function ollamaImages(body: JsonObject): MediaPart[] {
  const parts: MediaPart[] = [];
  const collect = (holder: JsonObject, textKey: string): void => {
    if (asArray(holder.images).length === 0) return;
    parts.push({
      kind: "image",
      withhold: (note) => {
        delete holder.images;
        holder[textKey] = `${asString(holder[textKey]) ?? ""}\n${note}`;
      },
    });
  };
  collect(body, "prompt");
  for (const message of asArray(body.messages)) {
    const object = asObject(message);
    if (object) collect(object, "content");
  }
  return parts;
}

function kindOfMime(mime: string): MediaKind {
  if (mime.startsWith("image/")) return "image";
  if (mime.startsWith("audio/")) return "audio";
  return "file";
}

function replaceAt(list: Json[], index: number, value: JsonObject): void {
  list[index] = value;
}

const KIND_ZH: Readonly<Record<MediaKind, string>> = { image: "图片", audio: "音频", file: "文件" };

/**
 * Applies the policy to the media parts of a request.
 * @returns how many were withheld
 * @throws RefusedError `media` when the policy blocks one of them
 */
export function withholdMedia(
  parts: readonly MediaPart[],
  policy: Readonly<Record<MediaKind, MediaPolicy>>,
): number {
  const blocked = parts.find((part) => policy[part.kind] === "block");
  if (blocked) throw new RefusedError("media", `the request holds an attachment (${blocked.kind})`);
  const withheld = parts.filter((part) => policy[part.kind] === "withhold");
  for (const part of withheld) {
    part.withhold(
      `[${part.kind} withheld by ClawXRouter: it cannot be checked for private content / ` +
        `ClawXRouter 未发送此${KIND_ZH[part.kind]}：无法检查其中的隐私内容]`,
    );
  }
  return withheld.length;
}
