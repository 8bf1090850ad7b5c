/** Telling media from text, by what the body says and by the first bytes. */

/** A `data:` URL (RFC 2397) taken apart. */
export interface DataUrl {
  mediaType: string;
  base64: boolean;
  /** Where the payload starts in the URL. */
  payloadStart: number;
}

/** @returns undefined when `text` is no `data:` URL */
export function parseDataUrl(text: string): DataUrl | undefined {
  if (!/^data:/i.test(text)) return undefined;
  const comma = text.indexOf(",");
  if (comma < 0 || comma > 256) return undefined;
  const parts = text.slice(5, comma).split(";");
  return {
    mediaType: (parts[0] || "text/plain").toLowerCase(),
    base64: parts.some((part) => part.trim().toLowerCase() === "base64"),
    payloadStart: comma + 1,
  };
}

/** Bytes that base64 text stands for (RFC 4648), without decoding it. */
export function base64Bytes(text: string, from = 0): number {
  let length = text.length - from;
  while (length > 0 && text.charCodeAt(from + length - 1) === 61) length--;
  return Math.floor((length * 3) / 4);
}

const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

/** Whether all of `text` is base64 in either alphabet; line ends are allowed. */
export function isBase64(text: string): boolean {
  if (text.length < 4) return false;
  return BASE64.test(/[\r\n]/.test(text) ? text.replace(/[\r\n]+/g, "") : text);
}

/** First bytes of common media, in base64. */
const MAGIC: readonly (readonly [string, MediaKind, string])[] = [
  ["iVBORw0KGgo", "image", "image/png"],
  ["/9j/", "image", "image/jpeg"],
  ["R0lGOD", "image", "image/gif"],
  ["UklGR", "image", "image/webp"],
  ["Qk0", "image", "image/bmp"],
  ["SUkqA", "image", "image/tiff"],
  ["JVBERi0", "file", "application/pdf"],
  ["UEsDB", "file", "application/zip"],
  ["H4sI", "file", "application/gzip"],
  ["SUQz", "audio", "audio/mpeg"],
  ["//uQ", "audio", "audio/mpeg"],
  ["T2dnU", "audio", "audio/ogg"],
  ["ZkxhQ", "audio", "audio/flac"],
  ["TU0AK", "image", "image/tiff"],
  ["AAABAA", "image", "image/x-icon"],
  ["N3q8r", "file", "application/x-7z-compressed"],
  ["UmFyIR", "file", "application/vnd.rar"],
  ["/Td6W", "file", "application/x-xz"],
  ["KLUv/", "file", "application/zstd"],
  ["QlpoO", "file", "application/x-bzip2"],
  ["0M8R4KGx", "file", "application/x-ole-storage"],
  ["U1FMaXRlIGZvcm1hdCAz", "file", "application/vnd.sqlite3"],
];
/** MPEG-4 and its kin: four bytes of length, `ftyp`, a brand. */
const FTYP = /^AAAA[A-Za-z0-9+/]GZ0eX/;

export type MediaKind = "image" | "audio" | "video" | "file";

/** What a large base64 text is by its first bytes; undefined for one that may as well be text or a key. */
export function sniffBase64(text: string): { kind: MediaKind; mediaType: string } | undefined {
  if (text.length < 512) return undefined;
  const sniffed = sniffBeginning(text, 0);
  return sniffed === undefined || !isBase64(text) ? undefined : sniffed;
}

/** What base64 that begins at `at` is by its first bytes, whatever its length; undefined for text and keys. */
export function sniffBeginning(text: string, at: number): { kind: MediaKind; mediaType: string } | undefined {
  const hit = MAGIC.find(([magic]) => text.startsWith(magic, at));
  if (hit !== undefined) return { kind: hit[1], mediaType: hit[2] };
  return FTYP.test(text.slice(at, at + 16)) ? { kind: "video", mediaType: "video/mp4" } : undefined;
}

/** Kind of a media type: `image/png` is an image, `application/pdf` a file. */
export function kindOfMediaType(mediaType: string | undefined, otherwise: MediaKind): MediaKind {
  const family = mediaType?.split("/")[0];
  if (family === "image" || family === "audio" || family === "video") return family;
  return mediaType === undefined ? otherwise : "file";
}

const TEXT_TYPES =
  /^(?:text\/|application\/(?:json|xml|yaml|x-yaml|toml|javascript|x-sh|sql|x-ndjson)\b|[^;]*\+(?:json|xml)\b)/;

/** Whether a media type is text in UTF-8, so that its base64 can be read. */
export function isTextType(mediaType: string | undefined): boolean {
  return mediaType !== undefined && TEXT_TYPES.test(mediaType.toLowerCase());
}

/** The text behind base64 of UTF-8; undefined when it is not valid UTF-8. */
export function decodeBase64Text(payload: string): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.from(payload, "base64"));
  } catch {
    return undefined;
  }
}
