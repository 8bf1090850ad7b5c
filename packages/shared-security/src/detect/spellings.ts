/** Ways to write a value that a reader, or a model, reads as the value; for tests. */

/** Made-up values in the shapes of real ones, put together so that no scanner takes them for a leak. */
export const SPELLED_VALUES = {
  phone: ["139", "1234", "5678"].join(""),
  card: ["4111", "1111", "1111", "1111"].join(""),
  aws: `AK${"IA"}QX7TN5LM2RBV4KPD`,
  email: ["jane.doe.private", "examplecorp.com"].join("@"),
  token: `${"gh"}p_a8Fk2LmQ9xZr4TnB7vWc1YpD6sHj3GeU5oXi`,
  id: ["110105", "19491231", "002X"].join(""),
} as const;

export type Spelling = (value: string) => string;

const bytes = (value: string): number[] => [...Buffer.from(value)];
const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
const broken =
  (gap: string, before = ""): Spelling =>
  (value) =>
    before + value.slice(0, value.length >> 1) + gap + value.slice(value.length >> 1);
const PROSE = "The quick brown fox jumps over the lazy dog, and this stands here: ";
const STAMP = "2026-11-30T10:00:01Z INFO ";

/** Broken over lines or strings, or in another notation: read at first sight, without having been known before. */
export const READ_AT_FIRST_SIGHT: Readonly<Record<string, Spelling>> = {
  "broken over a line": broken("\n"),
  "broken over a line with CRLF": broken("\r\n", PROSE),
  "in lines of seven": (value) => value.match(/.{1,7}/gs)?.join("\n") ?? "",
  "in a quoted mail": broken("\n> ", `> ${PROSE}`),
  "in a mail quoted twice": broken("\n> > ", `> > ${PROSE}`),
  "in a comment": broken("\n# ", `# ${PROSE}`),
  "in a comment of C": broken("\n * ", ` * ${PROSE}`),
  "in a log with a prefix a line": broken(`\n${STAMP}`, STAMP),
  "in a folded block of YAML": broken("\n  ", `key: >-\n  ${PROSE}\n  `),
  "behind a backslash": broken("\\\n", PROSE),
  "in strings that code joins": broken('" +\n    "', 'x = "'),
  "in strings joined in one line": broken('" + "', 'x = "'),
  "in adjacent strings": broken('"\n     "', 'x = ("'),
  "in bold": broken("**"),
  "in HTML": (value) => `${broken("<b>")(value)}</b>`,
  "with a break opportunity": broken("<wbr>"),
  "around a comment of HTML": broken("<!-- -->"),
  "in tags": (value) =>
    bytes(value)
      .map((byte) => String.fromCodePoint(0xe0000 + byte))
      .join(""),
  "in variation selectors": (value) =>
    bytes(value)
      .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
      .join(""),
  "as a list of bytes": (value) => `[${bytes(value).join(", ")}]`,
  "as bytes without brackets": (value) => bytes(value).join(" "),
  "as bytes with commas": (value) => bytes(value).join(","),
  "in binary": (value) =>
    bytes(value)
      .map((byte) => byte.toString(2).padStart(8, "0"))
      .join(" "),
  "as hexadecimal bytes": (value) => bytes(value).map(hex).join(" "),
  "as hexadecimal bytes with dashes": (value) => bytes(value).map(hex).join("-"),
  "in groups of four": (value) =>
    Buffer.from(value)
      .toString("hex")
      .match(/.{1,4}/g)
      ?.join(" ") ?? "",
  "as a dump": (value) =>
    (
      Buffer.from(value)
        .toString("hex")
        .match(/.{1,32}/g) ?? []
    )
      .map(
        (line, index) => `${(index * 16).toString(16).padStart(8, "0")}: ${line.match(/.{1,4}/g)?.join(" ")}`,
      )
      .join("\n"),
  "in escapes of C": (value) =>
    bytes(value)
      .map((byte) => `\\x${hex(byte)}`)
      .join(""),
  "in octal": (value) =>
    bytes(value)
      .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
      .join(""),
  "in escapes of JSON": (value) =>
    bytes(value)
      .map((byte) => `\\u00${hex(byte)}`)
      .join(""),
  "in references of HTML": (value) =>
    bytes(value)
      .map((byte) => `&#${byte};`)
      .join(""),
  "in hexadecimal references": (value) =>
    bytes(value)
      .map((byte) => `&#x${hex(byte)};`)
      .join(""),
  "in quoted-printable": (value) =>
    bytes(value)
      .map((byte) => `=${hex(byte).toUpperCase()}`)
      .join(""),
  "over a soft line break": broken("=\n", PROSE),
  "in percent-encoding": (value) =>
    bytes(value)
      .map((byte) => `%${hex(byte)}`)
      .join(""),
  "in base64": (value) => Buffer.from(`it is ${value} as you know`).toString("base64"),
  "in base64 of base64": (value) =>
    Buffer.from(Buffer.from(`it is ${value} now`).toString("base64")).toString("base64"),
  "in base64 in short lines": (value) =>
    Buffer.from(`some words and then ${value} and some more`)
      .toString("base64")
      .match(/.{1,20}/g)
      ?.join("\n") ?? "",
  "in base32": (value) => base32(`it is ${value}`),
};

/** Read only by who knows the value already. */
export const READ_WHEN_KNOWN: Readonly<Record<string, Spelling>> = {
  ...READ_AT_FIRST_SIGHT,
  "with a space between all": (value) => [...value].join(" "),
  "with a dot between all": (value) => [...value].join("."),
  "one character a line": (value) => [...value].join("\n"),
  "as a list of characters": (value) => [...value].map((character) => `"${character}"`).join(", "),
  "in two cells beside each other": (value) => `| ${broken(" | ")(value)} |`,
  "in two cells below each other": (value) => `| a | ${broken(" |\n| b | ")(value)} |`,
  hyphenated: broken("-\n", PROSE),
  backwards: (value) => [...value].reverse().join(""),
  "in ROT13": (value) =>
    value.replace(/[a-z]/gi, (letter) => {
      const first = letter < "a" ? 65 : 97;
      return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
    }),
  "in capitals": (value) => value.toUpperCase(),
};

function base32(text: string): string {
  const bits = bytes(text)
    .map((byte) => byte.toString(2).padStart(8, "0"))
    .join("");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"[Number.parseInt(group.padEnd(5, "0"), 2)])
    .join("");
}
