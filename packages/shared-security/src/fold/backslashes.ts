import type { Decoded } from "./decoded.ts";
import type { Kind } from "./kind.ts";

export const BACKSLASH = 0x5c;
/** Text that was escaped again and again. */
const MAX_BACKSLASHES = 8;

const HEX = "[0-9a-fA-F]";
const ESCAPE = new RegExp(
  `\\\\{1,${MAX_BACKSLASHES}}(?:[uU]\\{(?<braced>${HEX}{1,6})\\}|U(?<eight>00${HEX}{6})|[uU](?<four>${HEX}{4})|[xX](?<two>${HEX}{2})|` +
    "(?<octal>[0-3]?[0-7]{2})|(?<control>[nrt])(?=[A-Za-z0-9+])|(?<sign>[_@.-])(?=[A-Za-z0-9]))",
  "y",
);

const CONTROLS: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/**
 * The escapes of JSON, JavaScript, Python and C, and of Markdown in front of a sign inside of a word (`ghp\\_x`), with any
 * number of backslashes. Of `\\n`, `\\r` and `\\t` only those that a letter or digit follows: it would belong to what they
 * stand before, `\\n13800138000`.
 */
export const BACKSLASHES: Kind = {
  sign: "\\",
  begins: (text, at) => {
    if (!mayBegin(text, at)) return false;
    ESCAPE.lastIndex = at;
    return ESCAPE.test(text);
  },
  decode,
};

/** Whether what stands behind the backslashes can be escaped: `\\"` and `\\s` are frequent. */
function mayBegin(text: string, at: number): boolean {
  let next = at + 1;
  while (next < at + MAX_BACKSLASHES && text.charCodeAt(next) === BACKSLASH) next++;
  switch (text[next]) {
    case "0":
    case "1":
    case "2":
    case "3":
    case "4":
    case "5":
    case "6":
    case "7":
    case "u":
    case "U":
    case "x":
    case "X":
    case "n":
    case "r":
    case "t":
      return true;
    case "_":
    case "@":
    case ".":
    case "-":
      return isAlphanumeric(text.charCodeAt(at - 1));
    default:
      return false;
  }
}

function decode(text: string, at: number, _to: number, decoded: Decoded): number | undefined {
  ESCAPE.lastIndex = at;
  const match = ESCAPE.exec(text);
  if (match === null) return undefined;
  const { braced, eight, four, two, octal, control, sign } = match.groups ?? {};
  const end = at + match[0].length;
  if (control !== undefined) decoded.add(CONTROLS[control] ?? control, at, end);
  else if (sign !== undefined) decoded.add(sign, at, end);
  else {
    const code =
      octal === undefined
        ? Number.parseInt(braced ?? eight ?? four ?? two ?? "", 16)
        : Number.parseInt(octal, 8);
    if (!(code <= 0x10ffff)) return undefined;
    // A half of a surrogate pair stays one: String.fromCodePoint takes it as it is.
    decoded.add(String.fromCodePoint(code), at, end);
  }
  return end;
}

function isAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}
