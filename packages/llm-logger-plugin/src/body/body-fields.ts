/** From collected bytes to the body fields of a log line. */
import { isUtf8 } from "node:buffer";
import type { BodyFields } from "../events.ts";
import type { BodyKind, BodyRedactor, Inspection } from "../redaction/body.ts";
import type { BodyCollector } from "./collector.ts";
import { contentCodings, type DecodedBody, decodeBody, decodeIdentity } from "./decode.ts";
import type { EscapedText } from "./escaped.ts";

/** Text looked through beyond the cap, so that a secret cut by the cap is still recognised. */
const REDACTION_MARGIN = 16 * 1024;

/** The same for streams, where a secret may come a character an event. */
const STREAM_MARGIN = 512 * 1024;

/** A collected body after decoding. */
export interface CollectedBody {
  decoded: DecodedBody;
  wireBytes: number;
  /** Hash of the wire when not all of it was held. */
  sha256: string | null;
  contentEncoding: string | undefined;
  /** The bytes held are the whole body. */
  whole: boolean;
}

/**
 * Decodes what was collected. Runs synchronously for bodies without content coding: their lines are then written
 * before anything else of the process runs.
 */
export function collectBody(
  collector: BodyCollector,
  contentEncoding: string | undefined,
): CollectedBody | Promise<CollectedBody> {
  const codings = contentCodings(contentEncoding);
  const wire = collector.joined();
  const finish = (decoded: DecodedBody): CollectedBody => ({
    decoded,
    wireBytes: collector.wireBytes,
    get sha256() {
      return collector.complete ? decoded.sha256 : collector.sha256();
    },
    contentEncoding: codings.length > 0 ? contentEncoding : undefined,
    whole: collector.complete,
  });
  return codings.length === 0 ? finish(decodeIdentity(wire)) : decodeBody(wire, codings).then(finish);
}

/** A body ready to be written: its fields, and its bytes where they go into the line as they are. */
export interface WrittenBody {
  fields: BodyFields;
  /** UTF-8 text; stands for `fields.body`. */
  raw?: RawText;
}

/** Text that goes into a line without becoming a string first. */
export interface RawText {
  bytes: Buffer;
  /** The same escaped for a JSON string, where it is known already: released when the line is written. */
  escaped?: EscapedText;
}

/**
 * Builds the line's fields: redacted, then cut at `maxBytes`. A clean body is never turned into a string.
 * @param read what was seen in the whole body where somebody parsed it already, and the body escaped if that came off.
 */
export function bodyFields(
  body: CollectedBody,
  kind: BodyKind,
  maxBytes: number,
  redactor: BodyRedactor,
  read?: { inspection: Inspection; escaped?: EscapedText | undefined },
): WrittenBody {
  const written = writtenBody(body, kind, maxBytes, redactor, read);
  if (!written.raw?.escaped) read?.escaped?.release();
  return written;
}

function writtenBody(
  body: CollectedBody,
  kind: BodyKind,
  maxBytes: number,
  redactor: BodyRedactor,
  read: { inspection: Inspection; escaped?: EscapedText | undefined } | undefined,
): WrittenBody {
  const { decoded, wireBytes, contentEncoding, whole } = body;
  const originalLength = whole ? decoded.length : Math.max(wireBytes, decoded.length);
  const truncated = originalLength > maxBytes || decoded.bytes.length < originalLength;
  const margin = kind === "lines" ? STREAM_MARGIN : REDACTION_MARGIN;
  const held = truncated ? decoded.bytes.subarray(0, maxBytes + margin) : decoded.bytes;
  const capturedBytes = Math.min(maxBytes, decoded.bytes.length);
  const shared = {
    truncated,
    capturedBytes,
    originalLength,
    wireBytes,
    sha256: body.sha256,
    ...(contentEncoding !== undefined && { contentEncoding }),
    ...(decoded.error !== undefined && { decodeError: decoded.error }),
  };
  if (originalLength === 0) return { fields: { body: "", ...shared } };
  // A cut stream may end inside a character: the incomplete one is left out.
  const text = held.subarray(0, utf8Boundary(held, held.length));
  if (!isUtf8(text)) {
    // Another encoding, or text with a broken byte in it: keys are ASCII and can be read in either.
    const { text: clean, count } = redactor.redact(held.toString("latin1"), kind);
    const kept = Buffer.from(clean, "latin1").subarray(0, keptLength(clean.length, held.length, maxBytes));
    return {
      fields: {
        body: kept.toString("base64"),
        bodyEncoding: "base64",
        ...shared,
        ...(count > 0 && { redactions: count }),
      },
    };
  }
  const clean = read?.inspection.dirty === false;
  const redacted = clean ? undefined : redactor.redact(text.toString("utf8"), kind, read?.inspection);
  if (!redacted || redacted.count === 0) {
    const bytes = truncated ? text.subarray(0, utf8Boundary(text, Math.min(maxBytes, text.length))) : text;
    const escaped = bytes.length === decoded.bytes.length ? read?.escaped : undefined;
    return { fields: { body: null, ...shared }, raw: { bytes, ...(escaped !== undefined && { escaped }) } };
  }
  const written = truncated
    ? cutUtf8(redacted.text, keptLength(Buffer.byteLength(redacted.text), text.length, maxBytes))
    : redacted.text;
  return { fields: { body: written, ...shared, redactions: redacted.count } };
}

/**
 * Where a redacted text is cut: replacing may have made it shorter, and the margin, whose own end may cut a secret, must
 * not move up into what is written.
 */
function keptLength(redacted: number, held: number, maxBytes: number): number {
  return Math.max(0, Math.min(maxBytes, redacted - Math.max(0, held - maxBytes)));
}

/** The same fields without the content, for logs that keep no bodies. */
export function bodySizes(collector: BodyCollector, contentEncoding: string | undefined): BodyFields {
  return {
    body: null,
    truncated: collector.wireBytes > 0,
    capturedBytes: 0,
    originalLength: collector.wireBytes,
    wireBytes: collector.wireBytes,
    sha256: null,
    ...(contentCodings(contentEncoding).length > 0 && { contentEncoding }),
  };
}

/** The longest head of a text with at most `maxBytes` UTF-8 bytes and no split character. */
export function cutUtf8(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text, "utf8");
  return bytes.length <= maxBytes ? text : bytes.toString("utf8", 0, utf8Boundary(bytes, maxBytes));
}

/** The largest end <= `end` that splits no character (RFC 3629). */
function utf8Boundary(bytes: Buffer, end: number): number {
  let start = end;
  while (start > 0 && end - start < 4 && ((bytes[start - 1] ?? 0) & 0xc0) === 0x80) start--;
  const lead = bytes[start - 1] ?? 0;
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  return start > 0 && start - 1 + length > end ? start - 1 : end;
}
