/** The forms in which a private value may stand in a text: as it is, by lines, escaped, encoded. */

import { jsonEscape } from "../../json/text.ts";
import { withoutInvisible } from "./fold.ts";
import { isNumber } from "./numbers.ts";

/** A string to look for on behalf of a value. */
export interface Variant {
  text: string;
  /** True: any part of at least `MIN_PART` code units counts; false: only the whole string. */
  parts: boolean;
}

/** Least length of a part of a key that is taken for a leak of the key, in UTF-16 code units. */
export const MIN_PART = 20;
/** Shorter encoded forms stand on one line, so there is no need to know their parts. */
const MIN_WRAPPED = 60;
/** A line says enough to stand for its text from this length on (fewer characters say as much in Chinese). */
const MIN_LINE = 24;
const MIN_LINE_CJK = 12;
const MAX_LINES = 4_000;
/** Encoded forms are looked for up to this size: larger values are texts, seen by their lines. */
const MAX_ENCODED = 8_192;
/** Shorter values would have encoded forms too short to be told from other text. */
const MIN_ENCODED = 8;

const CJK = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]/;
const PEM_BORDER = /^-----(?:BEGIN|END)[A-Z0-9 ]*-----$/;
const PEM_INSIDE = /-----(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY/;
const KEY_RUN = /[A-Za-z0-9+/]{20,}={0,2}/;
/** Header of a JSON Web Token (RFC 7519, section 3.1): all of a kind begin alike, and it says nothing of any of them. */
const JWT_HEADER = /\beyJ[\w-]{8,512}\./g;
const KEY_ALPHABET = /^[A-Za-z0-9+/=_.-]+$/;

/** All forms of `value` worth looking for, the value itself first. */
export function variantsOf(value: string): Variant[] {
  const variants: Variant[] = [{ text: value, parts: isKeyMaterial(value) }];
  const add = (text: string, parts = isKeyMaterial(text)): void => {
    if (text !== value && text.length > 1) variants.push({ text, parts });
  };
  add(withoutInvisible(value).text);
  if (isNumber(value)) add(value.replace(/[^\dX]/gi, "").toUpperCase(), false);
  const lines = value.split(/\r?\n|\\n/, MAX_LINES + 1);
  if (lines.length > 1) {
    // Behind the marks of a list, a diff or a listing each line of a key is still that line.
    const marked = PEM_INSIDE.test(value);
    for (const line of lines) {
      const told = line.trim();
      if (PEM_BORDER.test(told)) continue;
      const run = marked ? KEY_RUN.exec(told.replace(JWT_HEADER, ""))?.[0] : undefined;
      if (run !== undefined && run !== told && isKeyMaterial(run)) add(run, true);
      if (isKeyMaterial(told)) add(told, true);
      else if (told.length >= (CJK.test(told) ? MIN_LINE_CJK : MIN_LINE)) add(told, false);
    }
  }
  if (value.length > MAX_ENCODED) return variants;
  const escaped = jsonEscape(value);
  add(escaped, false);
  const ascii = asciiJson(escaped);
  if (ascii !== escaped) add(ascii, false);
  const url = encodeURIComponent(value.toWellFormed());
  if (url !== value) add(url, false);
  if (value.length >= MIN_ENCODED) {
    for (const encoded of base64Forms(value)) add(encoded, encoded.length > MIN_WRAPPED);
    add(Buffer.from(value, "utf8").toString("hex"), value.length * 2 > MIN_WRAPPED);
  }
  return variants;
}

/** Text in the alphabet of keys and with their mixture of characters; not a path, a word or a date. */
function isKeyMaterial(text: string): boolean {
  if (text.length < MIN_PART - 4 || !KEY_ALPHABET.test(text)) return false;
  if (/^[0-9a-f]+$/i.test(text)) return text.length >= 32;
  return /[0-9]/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
}

/** JSON as writers make it that escape everything beyond ASCII (`\u5f20`). */
function asciiJson(escaped: string): string {
  return escaped.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * The parts of base64 (RFC 4648) texts that do not depend on what stands before and after the value: one for each
 * of the three alignments, in both alphabets.
 */
function base64Forms(value: string): string[] {
  const bytes = Buffer.from(value, "utf8");
  const forms: string[] = [];
  for (const before of [0, 1, 2]) {
    const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
    const first = Math.ceil((before * 8) / 6);
    const inner = encoded.slice(first, Math.floor(((before + bytes.length) * 8) / 6));
    forms.push(inner);
    const urlSafe = inner.replaceAll("+", "-").replaceAll("/", "_");
    if (urlSafe !== inner) forms.push(urlSafe);
  }
  return forms;
}
