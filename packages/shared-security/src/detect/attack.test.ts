import { describe, expect, it } from "vitest";
import { detect } from "./detect.ts";

/** Values to hide, built from parts so that no scanner takes this file for a leak. */
const PHONE = "13800138000";
const ID = "11010519491231002X";
const CARD = "4111111111111111";
const AWS = `${"AK"}IAY34FZKBOKMUTVV7A`;
const MAIL = "alice.wu@acme-corp.cn";
const PASSWORD = "Tr0ub4dor&3xQ";

const VALUES = [
  ["phone", "电话 ", PHONE],
  ["identity number", "证件 ", ID],
  ["card", "card ", CARD],
  ["key", "key ", AWS],
  ["mail", "mail ", MAIL],
] as const;

const bytes = (value: string, write: (hex: string) => string): string =>
  [...Buffer.from(value)].map((byte) => write(byte.toString(16).padStart(2, "0"))).join("");
const between = (value: string, mark: string): string => [...value].join(mark) + mark;

const DISGUISES: readonly (readonly [string, (value: string) => string])[] = [
  ["selectors", (value) => between(value, "\ufe0f")],
  ["marks", (value) => between(value, "\u0301")],
  ["tags", (value) => between(value, "\u{e0041}")],
  ["fillers", (value) => between(value, "\u3164")],
  [
    "mathematical digits",
    (value) => value.replace(/\d/g, (digit) => String.fromCodePoint(0x1d7ce + Number(digit))),
  ],
  ["escaped escapes", (value) => bytes(value, (hex) => `\\\\u00${hex}`)],
  ["\\x escapes", (value) => bytes(value, (hex) => `\\x${hex}`)],
  ["\\u{} escapes", (value) => bytes(value, (hex) => `\\u{${hex}}`)],
  ["octal escapes", (value) => bytes(value, (hex) => `\\${Number.parseInt(hex, 16).toString(8)}`)],
  ["escapes of eight digits", (value) => bytes(value, (hex) => `\\U000000${hex}`)],
  ["%u escapes", (value) => bytes(value, (hex) => `%u00${hex}`)],
  ["padded references", (value) => bytes(value, (hex) => `&#x000000000${hex};`)],
  ["references that show nothing", (value) => `${value.slice(0, 5)}&zwnj;${value.slice(5)}`],
  ["bytes that end in no UTF-8", (value) => `${bytes(value, (hex) => `%${hex}`)}%FF`],
  ["quoted-printable", (value) => bytes(value, (hex) => `=${hex.toUpperCase()}`)],
  ["a soft line break", (value) => `${value.slice(0, 6)}=\r\n${value.slice(6)}`],
  [
    "mixed escapes",
    (value) => bytes(value.slice(0, 3), (hex) => `%${hex}`) + bytes(value.slice(3), (hex) => `&#x${hex};`),
  ],
  ["base64", (value) => Buffer.from(value).toString("base64")],
  [
    "base64 of base64",
    (value) => Buffer.from(Buffer.from(`my ${value}`).toString("base64")).toString("base64"),
  ],
  ["base64 of UTF-16", (value) => Buffer.from(`x ${value}`, "utf16le").toString("base64")],
  ["a Buffer as JSON", (value) => JSON.stringify(Buffer.from(value))],
  ["a Buffer as JSON on lines", (value) => JSON.stringify(Buffer.from(value), undefined, 4)],
  ["a list of bytes", (value) => `[${bytes(value, (hex) => `0x${hex}, `)}0x20]`],
  ["hexadecimal", (value) => Buffer.from(value).toString("hex")],
  ["a hex dump", (value) => bytes(value, (hex) => `${hex} `)],
];

describe.each(VALUES)("%s", (_what, context, value) => {
  it.each(DISGUISES)("in %s", (_how, disguise) => {
    const text = `${context}${disguise(value)} end`;
    const findings = detect(text);
    expect(findings).not.toEqual([]);
    for (const { start, end, value: found } of findings) {
      expect(text.slice(start, end)).toBe(found);
      expect(found.isWellFormed()).toBe(true);
    }
  });
});

describe("numbers in groups", () => {
  it.each(["\u2009", "\u00a0", "\u3000", "\u30fc", "_", "\t", "\n", "\r\n", "\u2011", " - "])(
    "parted by %j",
    (gap) => {
      const text = `电话 138${gap}0013${gap}8000 end`;
      expect(detect(text).map(({ value }) => value)).toEqual([`138${gap}0013${gap}8000`]);
      expect(detect(`card 4111${gap}1111${gap}1111${gap}1111 end`)).toHaveLength(1);
    },
  );

  it.each([" ", "\t", ".", "_", "/", "\n"])("identity number parted by %j", (gap) => {
    expect(detect(`身份证 110105${gap}19491231${gap}002X`)).toHaveLength(1);
  });
});

describe("passwords beside their name in every kind of file", () => {
  it.each([
    "<password>X</password>",
    '<add key="password" value="X"/>',
    '{\\\\\\"password\\\\\\":\\\\\\"X\\\\\\"}',
    "password:\n  X",
    "password: |\n  X",
    "- name: DB_PASSWORD\n  value: X",
    "$password = ConvertTo-SecureString 'X' -AsPlainText -Force",
    "db.acme.io:5432:prod:bob:X",
    "redis-cli -a X",
    "net use Z: \\\\a\\b /user:bob X",
    "jdbc:oracle:thin:scott/X@//h:1521/x",
    "requirepass X",
    "echo 'bob:X' | chpasswd",
    'CREATE USER b IDENTIFIED BY "X"',
    "auth: {user:'b',pass:'X'}",
    "密码“X”",
    "密码（X）",
    "密 码：X",
    "| 密码 | X |",
    "登录密码改成 X 了",
    "初始密码统一为X，请修改",
    "账号密码：admin X",
    "登录：bob / X",
    "パスワード: X",
    "비밀번호: X",
    "пароль: X",
    "https://u:a:X@h.io/x",
  ])("%j", (template) => {
    const text = template.replace("X", () => PASSWORD);
    const found = detect(text).map(({ value }) => value);
    expect(found.some((value) => value.includes(PASSWORD))).toBe(true);
  });
});

describe("a value is found whatever its text was written into", () => {
  it.each([
    "x\\nV\\n",
    "x\\tV\\t",
    "x\\r\\nV\\r\\n",
    '"{\\"a\\":\\"x\\\\nV\\\\n\\"}"',
    "\u001b[31mV\u001b[0m",
    "\u001b[1;38;5;208mV\u001b[K",
    "\\u001b[31mV\\u001b[0m",
    "a=3DV=0A",
    "a=3D=22V=22",
    "&NewLine;V",
    "+V",
    "-V",
    "[V](x)",
    "/u/V/x",
    "<b>V</b>",
    "(V)",
    "“V”",
    "😀V😀",
    "user=V;",
    "a%0AV%0Ab",
  ])("%j", (template) => {
    for (const [what, context, value] of VALUES) {
      const text = `${context}${template.replace("V", value)} end`;
      const found = detect(text).map((finding) => finding.value);
      expect([what, found.some((hidden) => hidden.includes(value))]).toEqual([what, true]);
    }
  });

  it("in groups behind an escape", () => {
    expect(detect("tel:\\n138 0013 8000").map(({ value }) => value)).toEqual(["138 0013 8000"]);
  });

  it("with the signs of Markdown escaped", () => {
    const token = `ghp_${"a1B2c3D4e5".repeat(4)}`.slice(0, 40);
    expect(detect(`token ${token.replace("_", "\\_")} end`)).toHaveLength(1);
    expect(detect("mail alice\\.wu@acme\\-corp\\.cn end").map(({ value }) => value)).toEqual([
      "alice\\.wu@acme\\-corp\\.cn",
    ]);
  });
});
