/** Reads the bodies that HTTP clients are given. */
import { randomUUID } from "node:crypto";
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** No more is unpacked, in bytes: a small body may unpack to anything. */
const MAX_UNPACKED = 64 * 1024 * 1024;

/** The bytes of a body that is there as a whole; undefined for one that must be read. */
export function bytesOf(body: unknown): Uint8Array | undefined {
  if (typeof body === "string") return Buffer.from(body, "utf8");
  if (ArrayBuffer.isView(body)) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  return undefined;
}

/** The `content-encoding` of undici's headers: a flat list of names and values, or the lines of HTTP. */
export function encodingOf(headers: unknown): string {
  if (typeof headers === "string")
    return /^content-encoding:\s*(.*)$/im.exec(headers)?.[1]?.trim().toLowerCase() ?? "";
  if (!Array.isArray(headers)) return "";
  const items: unknown[] = headers;
  const at = items.findIndex(
    (name, index) => index % 2 === 0 && String(name).toLowerCase() === "content-encoding",
  );
  return at < 0
    ? ""
    : String(items[at + 1])
        .trim()
        .toLowerCase();
}

/** What a body says, unpacked (RFC 9110 section 8.4.1, RFC 8878); undefined when it cannot be read. */
export function plainText(bytes: Uint8Array, encoding: string): string | undefined {
  const options = { maxOutputLength: MAX_UNPACKED };
  try {
    let plain = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const named = encoding.split(",").map((name) => name.trim());
    for (const name of named.reverse()) {
      if (name === "" || name === "identity") continue;
      if (name === "gzip" || name === "x-gzip") plain = gunzipSync(plain, options);
      else if (name === "deflate") plain = inflateSync(plain, options);
      else if (name === "br") plain = brotliDecompressSync(plain, options);
      else if (name === "zstd") plain = zstdDecompressSync(plain, options);
      else return undefined;
    }
    // Packed, and nobody said so.
    if (plain[0] === 0x1f && plain[1] === 0x8b) plain = gunzipSync(plain, options);
    return plain.toString(isUtf16(plain) ? "utf16le" : "utf8");
  } catch {
    return undefined;
  }
}

function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0x7b && bytes[1] === 0);
}

/** A form as any copy of undici has it. */
export interface FormLike {
  entries(): Iterable<[string, unknown]>;
}

/** Whether a body is a form. */
export function isForm(body: unknown): body is FormLike {
  return (
    typeof body === "object" &&
    body !== null &&
    "entries" in body &&
    typeof body.entries === "function" &&
    "getAll" in body &&
    Object.prototype.toString.call(body) === "[object FormData]"
  );
}

/** A form written out (RFC 7578), so that it can be read before it leaves. */
export function formBody(form: FormLike): { type: string; parts: AsyncIterable<Uint8Array> } {
  const boundary = `----clawx-${randomUUID()}`;
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for (const [name, value] of form.entries()) {
      const file =
        typeof value === "object" && value !== null && "arrayBuffer" in value ? (value as File) : undefined;
      const told = file === undefined ? "" : `; filename="${quoted(file.name ?? "blob")}"`;
      const type = file === undefined ? "" : `content-type: ${file.type || "application/octet-stream"}\r\n`;
      yield Buffer.from(
        `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"${told}\r\n${type}\r\n`,
      );
      yield file === undefined ? Buffer.from(String(value)) : new Uint8Array(await file.arrayBuffer());
      yield Buffer.from("\r\n");
    }
    yield Buffer.from(`--${boundary}--\r\n`);
  };
  return { type: `multipart/form-data; boundary=${boundary}`, parts: parts() };
}

function quoted(name: string): string {
  return name.replaceAll("\n", "%0A").replaceAll("\r", "%0D").replaceAll('"', "%22");
}
