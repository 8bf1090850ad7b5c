/** Generated private values in five languages and several encodings, made anew from a seed; none is real. */
import { createHash } from "node:crypto";

export interface Secret {
  id: string;
  level: "S2" | "S3";
  /** What a user writes. */
  text: string;
  /** Strings of which none may be in a cloud body. */
  needles: string[];
}

/** A deterministic source of numbers, so that a failure can be repeated. */
export class Seeded {
  private n = 0;
  private readonly seed: string;
  constructor(seed: string) {
    this.seed = seed;
  }
  bytes(length: number): Buffer {
    const parts: Buffer[] = [];
    for (let have = 0; have < length; have += 32) {
      parts.push(
        createHash("sha256")
          .update(`${this.seed}:${this.n++}`)
          .digest(),
      );
    }
    return Buffer.concat(parts).subarray(0, length);
  }
  int(below: number): number {
    return this.bytes(4).readUInt32BE(0) % below;
  }
  pick(alphabet: string, length: number): string {
    return Array.from({ length }, () => alphabet[this.int(alphabet.length)]).join("");
  }
  digits(length: number): string {
    return this.pick("0123456789", length);
  }
}

const UPPER = "ABCDEFGHJKLMNPQRSTUVWXYZ";
const ALNUM = `${UPPER}${UPPER.toLowerCase()}0123456789`;

/** Chinese identity number with its check digit (GB 11643). */
function idCard(s: Seeded): string {
  const head = `11010519${70 + s.int(29)}0${1 + s.int(9)}1${s.int(10)}${s.digits(3)}`;
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
  const sum = [...head].reduce((total, c, i) => total + Number(c) * (weights[i] ?? 0), 0);
  return head + "10X98765432"[sum % 11];
}

/** A card number with its Luhn digit. */
function card(s: Seeded): string {
  const head = `4${s.digits(14)}`;
  let sum = 0;
  [...head].reverse().forEach((c, i) => {
    const d = Number(c) * (i % 2 === 0 ? 2 : 1);
    sum += d > 9 ? d - 9 : d;
  });
  return head + String((10 - (sum % 10)) % 10);
}

const spaced = (text: string, by = " ") => text.match(/.{1,4}/g)?.join(by) ?? text;
const full = (text: string) => text.replace(/[0-9]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 0xfee0));

/**
 * At least 40, in English, Chinese, Japanese, Korean and German. Tokens and connection strings are S2, as the design
 * has them; keys, passwords, identity and card numbers are S3.
 */
export function secrets(seed: string): Secret[] {
  const s = new Seeded(seed);
  const list: Secret[] = [];
  const add = (
    id: string,
    level: "S2" | "S3",
    value: string,
    text: (value: string) => string,
    needles = [value],
  ) => list.push({ id, level, text: text(value), needles });

  const mobile = () => `13${5 + s.int(5)}${s.digits(8)}`;
  add("zh-mobile", "S2", mobile(), (v) => `客户的手机号是 ${v}`);
  const dashed = mobile();
  add("zh-mobile-dashed", "S2", dashed, (v) => `电话：${v.slice(0, 3)}-${v.slice(3, 7)}-${v.slice(7)}`, [
    `${dashed.slice(3, 7)}-${dashed.slice(7)}`,
  ]);
  const wide = mobile();
  add("zh-mobile-full-width", "S2", wide, (v) => `手机：${full(v)}`, [full(wide), wide]);
  add("zh-mobile-plus86", "S2", mobile(), (v) => `联系电话 +86 ${v}`);
  add(
    "en-mail",
    "S2",
    `${s.pick(UPPER.toLowerCase(), 9)}@corp-mail.example.com`,
    (v) => `Write to ${v} please`,
  );
  add("de-mail", "S2", `${s.pick(UPPER.toLowerCase(), 9)}@firma-post.de`, (v) => `Schreib bitte an ${v}`);
  add("ja-mail", "S2", `${s.pick(UPPER.toLowerCase(), 9)}@kaisha-mail.jp`, (v) => `メールは ${v} です`);
  add("ko-mail", "S2", `${s.pick(UPPER.toLowerCase(), 9)}@hoesa-mail.kr`, (v) => `이메일은 ${v} 입니다`);
  for (let i = 0; i < 3; i++) {
    add(
      `intranet-${i}`,
      "S2",
      `10.${1 + s.int(250)}.${1 + s.int(250)}.${2 + s.int(250)}`,
      (v) => [`The server ${v} is down`, `服务器 ${v} 无响应`, `サーバー ${v} が落ちた`][i] ?? v,
    );
  }
  add(
    "en-phone-us",
    "S2",
    `(415) ${200 + s.int(700)}-${1000 + s.int(8999)}`,
    (v) => `My phone number is ${v}.`,
  );
  add("en-phone-uk", "S2", `+44 7700 ${900}${s.digits(3)}`, (v) => `Call me at ${v}`);
  add("de-phone", "S2", `+49 30 ${s.digits(4)}${1000 + s.int(8999)}`, (v) => `Telefon: ${v}`);

  const key = (label: string) => {
    const body = Array.from({ length: 3 }, () => s.bytes(48).toString("base64"));
    return {
      text: [
        `-----BEGIN ${label}${"PRIVATE"} KEY-----`,
        ...body,
        `-----END ${label}${"PRIVATE"} KEY-----`,
      ].join("\n"),
      body,
    };
  };
  for (const [i, label] of ["OPENSSH ", "RSA ", "EC ", ""].entries()) {
    const { text, body } = key(label);
    list.push({
      id: `key-${i}`,
      level: "S3",
      text: `${["Is this key fine?", "帮我看看这个密钥", "この鍵を確認して", "Prüfe diesen Schlüssel"][i]}\n${text}`,
      needles: body,
    });
  }
  const escaped = key("RSA ");
  list.push({
    id: "key-json-escaped",
    level: "S3",
    text: `config = ${JSON.stringify({ key: escaped.text })}`,
    needles: escaped.body,
  });
  add("aws-id", "S3", `AK${"IA"}${s.pick(`${UPPER}234567`, 16)}`, (v) => `aws_access_key_id = ${v}`);
  add("aws-secret", "S3", s.bytes(30).toString("base64"), (v) => `aws_secret_access_key = ${v}`);
  add("github", "S2", `gh${"p_"}${s.pick(ALNUM, 36)}`, (v) => `the token is ${v}`);
  add("github-ko", "S2", `gh${"o_"}${s.pick(ALNUM, 36)}`, (v) => `토큰은 ${v} 입니다`);
  add(
    "slack",
    "S2",
    `xo${"xb"}-${s.digits(12)}-${s.digits(12)}-${s.pick(ALNUM, 24)}`,
    (v) => `SLACK_TOKEN=${v}`,
  );
  add("openai-style", "S2", `s${"k"}-proj-${s.pick(ALNUM, 48)}`, (v) => `export OPENAI_API_KEY=${v}`);
  add("google-style", "S3", `AI${"za"}${s.pick(ALNUM, 35)}`, (v) => `key: "${v}"`);
  add("stripe-style", "S3", `s${"k_live_"}${s.pick(ALNUM, 24)}`, (v) => `stripe ${v}`);
  add("password-en", "S3", `${s.pick(ALNUM, 10)}!7q`, (v) => `password = "${v}"`);
  add("password-zh", "S3", `${s.pick(ALNUM, 10)}#3z`, (v) => `数据库密码：${v}`);
  for (const scheme of ["postgres", "mysql", "mongodb", "redis"]) {
    const secret = s.pick(ALNUM, 14);
    add(`connection-${scheme}`, "S2", secret, (v) => `${scheme}://app:${v}@db.internal:5432/main`);
  }
  for (let i = 0; i < 2; i++)
    add(`id-card-${i}`, "S3", idCard(s), (v) => [`身份证号 ${v}`, `my Chinese ID is ${v}`][i] ?? v);
  add("card-plain", "S3", card(s), (v) => `card number ${v}`);
  const shown = spaced(card(s));
  add("card-spaced", "S3", shown, (v) => `银行卡 ${v}`, [shown]);
  const cardDashes = spaced(card(s), "-");
  add("card-dashed", "S3", cardDashes, (v) => `Kartennummer: ${v}`, [cardDashes]);
  const jwtHead = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
  const jwtBody = Buffer.from(`{"sub":"${s.digits(10)}","iat":1}`).toString("base64url");
  add(
    "jwt",
    "S2",
    `${jwtHead}.${jwtBody}.${s.bytes(32).toString("base64url")}`,
    (v) => `Authorization: Bearer ${v}`,
  );
  const inside = s.pick(ALNUM, 36);
  list.push({
    id: "base64-wrapped",
    level: "S2",
    text: `blob: ${Buffer.from(`token=gh${"p_"}${inside}`).toString("base64")}`,
    needles: [inside, Buffer.from(`token=gh${"p_"}${inside}`).toString("base64")],
  });
  return list;
}

/** Ids of the secrets of which a needle stands in a text, plain or JSON-escaped. */
export function leakedIds(text: string, all: readonly Secret[]): string[] {
  return all
    .filter(({ needles }) =>
      needles.some((needle) => text.includes(needle) || text.includes(JSON.stringify(needle).slice(1, -1))),
    )
    .map(({ id }) => id);
}
