import type { Decoded } from "./decoded.ts";
import type { Kind } from "./kind.ts";

/** Named character references that can stand inside of a value (HTML Living Standard, section 13.5). */
const NAMED: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  commat: "@",
  period: ".",
  colon: ":",
  equals: "=",
  lowbar: "_",
  hyphen: "-",
  dash: "-",
  plus: "+",
  sol: "/",
  num: "#",
  nbsp: " ",
  percnt: "%",
  dollar: "$",
  excl: "!",
  ast: "*",
  comma: ",",
  semi: ";",
  bsol: "\\",
  lpar: "(",
  rpar: ")",
  lsqb: "[",
  rsqb: "]",
  ensp: " ",
  emsp: " ",
  thinsp: " ",
  Tab: "\t",
  NewLine: "\n",
  shy: "",
  zwj: "",
  zwnj: "",
  lrm: "",
  rlm: "",
  NoBreak: "",
  ZeroWidthSpace: "",
};

/** Zeros in front count for nothing, and a few dozen of them are taken. */
const REFERENCE = /&(?:#(?:x0{0,32}([0-9a-f]{1,6})|0{0,32}(\d{1,7}));?|([A-Za-z]{2,14});)/iy;

/** Character references of HTML (Living Standard, section 13.2.5.72 and on). */
export const REFERENCES: Kind = {
  sign: "&",
  begins: (text, at) => {
    if (!mayBegin(text.charCodeAt(at + 1))) return false;
    REFERENCE.lastIndex = at;
    return REFERENCE.test(text);
  },
  decode: reference,
};

/** A letter, or `#`: `&&` is frequent. */
function mayBegin(code: number): boolean {
  return code === 0x23 || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a);
}

function reference(text: string, at: number, _to: number, decoded: Decoded): number | undefined {
  REFERENCE.lastIndex = at;
  const match = REFERENCE.exec(text);
  if (match === null) return undefined;
  const [whole, hexadecimal, decimal, name] = match;
  const end = at + whole.length;
  if (name !== undefined) {
    if (!Object.hasOwn(NAMED, name)) return undefined;
    decoded.add(NAMED[name] as string, at, end);
    return end;
  }
  const code = Number.parseInt(hexadecimal ?? (decimal as string), hexadecimal === undefined ? 10 : 16);
  if (code === 0 || code > 0x10ffff) return undefined;
  decoded.add(String.fromCodePoint(code), at, end);
  return end;
}
