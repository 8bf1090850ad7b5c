/** The ways bytes on a wire can be read, so that a value hidden in an encoding is still seen by a search. */
import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync, zstdDecompressSync } from "node:zlib";

/** How many encodings deep a value may lie (base64 of percent-encoded JSON in a JSON string is three). */
const DEPTH = 4;
/** Readings kept per recording; a bound, not a goal. */
const MOST = 400;
/** Decompressed bytes per layer at most. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * All texts that `bytes` can be read as: unpacked (gzip, zlib, brotli, zstd), in UTF-8 or UTF-16, with JSON, percent,
 * HTML and quoted-printable escapes undone, base64 and hexadecimal stretches decoded, and any of these inside each
 * other up to four deep.
 * @param encoding the `content-encoding` header, needed for brotli only (it has no signature)
 */
export function readings(bytes: Buffer, encoding = ""): string[] {
  const seen = new Set<string>();
  const out: string[] = [];
  let layer = texts(unpacked(bytes, encoding));
  for (let depth = 0; depth <= DEPTH && layer.length > 0; depth++) {
    const next: string[] = [];
    for (const text of layer) {
      if (seen.has(text) || out.length >= MOST) continue;
      seen.add(text);
      out.push(text);
      if (depth < DEPTH) next.push(...inside(text));
    }
    layer = next;
  }
  return out;
}

function unpacked(bytes: Buffer, encoding: string): Buffer {
  let now = bytes;
  for (let layer = 0; layer < 3; layer++) {
    const next = unpackOnce(now, encoding);
    if (next === undefined) break;
    now = next;
  }
  return now;
}

function unpackOnce(bytes: Buffer, encoding: string): Buffer | undefined {
  const limit = { maxOutputLength: MOST_BYTES };
  try {
    if (bytes[0] === 0x1f && bytes[1] === 0x8b) return gunzipSync(bytes, limit);
    if (bytes.length > 4 && bytes.readUInt32LE(0) === 0xfd2fb528) return zstdDecompressSync(bytes, limit);
    if (bytes[0] === 0x78 && bytes.length > 2 && bytes.readUInt16BE(0) % 31 === 0)
      return inflateSync(bytes, limit);
    if (/\bbr\b/.test(encoding)) return brotliDecompressSync(bytes, limit);
    if (/\bdeflate\b/.test(encoding)) return inflateRawSync(bytes, limit);
  } catch {
    // It only looked packed: it is searched as it is.
  }
  return undefined;
}

function texts(bytes: Buffer): string[] {
  const utf8 = bytes.toString("utf8");
  const zeros = bytes.subarray(0, 4_096).filter((byte) => byte === 0).length;
  if (zeros < Math.min(bytes.length, 4_096) / 8) return [utf8];
  const even = bytes.subarray(0, bytes.length & ~1);
  return [utf8, even.toString("utf16le"), Buffer.from(even).swap16().toString("utf16le")];
}

/** What stands one encoding deeper in a text. */
function inside(text: string): string[] {
  const out = [unescaped(text), percentDecoded(text), entitiesDecoded(text), quotedPrintable(text)].filter(
    (reading) => reading !== text,
  );
  const decoded: string[] = [];
  for (const [run] of text.matchAll(
    /[A-Za-z0-9+/_-](?:[A-Za-z0-9+/_-]|\r?\n(?=[A-Za-z0-9+/_-])){14,}={0,2}/g,
  )) {
    // A stretch may have grown at its front (`x:` + base64): each of the four borders is tried.
    for (let at = 0; at < 4; at++) {
      const bytes = unpacked(
        Buffer.from(run.slice(at).replaceAll("-", "+").replaceAll("_", "/"), "base64"),
        "",
      );
      decoded.push(...texts(bytes).filter(legible));
    }
  }
  for (const [run] of text.matchAll(/(?:[0-9A-Fa-f]{2}[ :]?){8,}/g)) {
    const digits = run.replaceAll(/[ :]/g, "");
    for (const at of [0, 1]) decoded.push(...texts(Buffer.from(digits.slice(at), "hex")).filter(legible));
  }
  // One text for all stretches: a value whose pieces were encoded one by one stands in one piece here.
  if (decoded.length > 0) out.push(decoded.join("\n"));
  return out;
}

/** Mostly letters, digits and signs: random bytes decoded by chance are not. */
function legible(text: string): boolean {
  if (text.length < 6) return false;
  let bad = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0xfffd || (code < 0x20 && code !== 9 && code !== 10 && code !== 13)) bad++;
  }
  return bad * 10 <= text.length;
}

const SHORT: Record<string, string> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

/** JSON and C escapes. */
function unescaped(text: string): string {
  return text.replaceAll(
    /\\(?:u\{([0-9A-Fa-f]{1,6})\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})|(.))/g,
    (
      whole,
      long: string | undefined,
      four: string | undefined,
      two: string | undefined,
      one: string | undefined,
    ) => {
      const hex = long ?? four ?? two;
      if (hex !== undefined) {
        const code = Number.parseInt(hex, 16);
        return code > 0x10ffff ? whole : String.fromCodePoint(code);
      }
      return SHORT[one ?? ""] ?? one ?? whole;
    },
  );
}

function percentDecoded(text: string): string {
  return text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (run) =>
    Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

function quotedPrintable(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, "")
    .replaceAll(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll("=", ""), "hex").toString("utf8"));
}

const NAMED: Record<string, string> = { amp: "&", quot: '"', lt: "<", gt: ">", apos: "'", nbsp: " " };

function entitiesDecoded(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|quot|lt|gt|apos|nbsp));/g,
    (whole, dec, hex, name) => {
      if (name !== undefined) return NAMED[name as string] ?? whole;
      const code = dec !== undefined ? Number(dec) : Number.parseInt(hex as string, 16);
      return code > 0x10ffff ? whole : String.fromCodePoint(code);
    },
  );
}
