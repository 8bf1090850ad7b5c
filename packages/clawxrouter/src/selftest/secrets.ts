/** Generated private values in five languages and several encodings, made anew from a seed; none is real. */
import { createHash } from "node:crypto";
import type { PrivateLevel } from "@clawx/shared-security";

export interface Secret {
  name: string;
  level: PrivateLevel;
  /** What a user writes. */
  text: string;
  /** Strings of which none may be in a cloud body: random parts only, so that clean text never holds one. */
  values: string[];
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
 * Some 40, in English, Chinese, Japanese, Korean and German. Tokens and connection strings are S2, as the design has
 * them; keys, passwords, identity and card numbers are S3. The same seed gives the same list.
 */
export function secrets(seed: string): Secret[] {
  const s = new Seeded(seed);
  return [...contacts(s), ...keys(s), ...tokens(s), ...passwords(s), ...documents(s), ...wrapped(s)];
}

/** `rounds` lists with names of their own, for a scene that needs more of one level. */
export function manySecrets(seed: string, rounds: number): Secret[] {
  return Array.from({ length: rounds }, (_, round) =>
    secrets(`${seed}/${round}`).map((secret) => ({ ...secret, name: `${secret.name}.${round}` })),
  ).flat();
}

const secret = (
  name: string,
  level: PrivateLevel,
  value: string,
  text: (value: string) => string,
  values = [value],
): Secret => ({ name, level, text: text(value), values });

function contacts(s: Seeded): Secret[] {
  const mobile = () => `13${5 + s.int(5)}${s.digits(8)}`;
  const name = () => s.pick(UPPER.toLowerCase(), 9);
  const octet = () => 100 + s.int(150);
  const servers = [
    (v: string) => `The server ${v} is down`,
    (v: string) => `服务器 ${v} 无响应`,
    (v: string) => `サーバー ${v} が落ちた`,
  ];
  return [
    secret("zh-mobile", "S2", mobile(), (v) => `客户的手机号是 ${v}`),
    secret(
      "zh-mobile-dashed",
      "S2",
      mobile(),
      (v) => `电话：${v.slice(0, 3)}-${v.slice(3, 7)}-${v.slice(7)}`,
    ),
    secret("zh-mobile-full-width", "S2", mobile(), (v) => `手机：${full(v)}`),
    secret("zh-mobile-plus86", "S2", mobile(), (v) => `联系电话 +86 ${v}`),
    secret("en-mail", "S2", `${name()}@corp-mail.example.com`, (v) => `Write to ${v} please`),
    secret("de-mail", "S2", `${name()}@firma-post.de`, (v) => `Schreib bitte an ${v}`),
    secret("ja-mail", "S2", `${name()}@kaisha-mail.jp`, (v) => `メールは ${v} です`),
    secret("ko-mail", "S2", `${name()}@hoesa-mail.kr`, (v) => `이메일은 ${v} 입니다`),
    ...servers.map((text, i) => secret(`intranet-${i}`, "S2", `10.${octet()}.${octet()}.${octet()}`, text)),
    secret(
      "en-phone-us",
      "S2",
      `(415) ${200 + s.int(700)}-${1000 + s.int(8999)}`,
      (v) => `My phone number is ${v}.`,
    ),
    secret("en-phone-uk", "S2", `+44 79${s.digits(2)} ${s.digits(6)}`, (v) => `Call me at ${v}`),
    secret("de-phone", "S2", `+49 30 ${s.digits(4)}${1000 + s.int(8999)}`, (v) => `Telefon: ${v}`),
  ];
}

function keys(s: Seeded): Secret[] {
  const key = (label: string) => {
    const values = Array.from({ length: 3 }, () => s.bytes(48).toString("base64"));
    const edge = (word: string) => `-----${word} ${label}${"PRIVATE"} KEY-----`;
    return { text: [edge("BEGIN"), ...values, edge("END")].join("\n"), values };
  };
  const asked = ["Is this key fine?", "帮我看看这个密钥", "この鍵を確認して", "Prüfe diesen Schlüssel"];
  const list = ["OPENSSH ", "RSA ", "EC ", ""].map((label, i): Secret => {
    const { text, values } = key(label);
    return { name: `key-${i}`, level: "S3", text: `${asked[i]}\n${text}`, values };
  });
  const { text, values } = key("RSA ");
  return [
    ...list,
    { name: "key-json-escaped", level: "S3", text: `config = ${JSON.stringify({ key: text })}`, values },
  ];
}

function tokens(s: Seeded): Secret[] {
  const jwtHead = Buffer.from('{"alg":"HS256","typ":"JWT"}').toString("base64url");
  const subject = s.digits(12);
  const jwtBody = Buffer.from(`{"sub":"${subject}","iat":1}`).toString("base64url");
  return [
    secret("aws-id", "S3", s.pick(`${UPPER}234567`, 16), (v) => `aws_access_key_id = AK${"IA"}${v}`),
    secret("aws-secret", "S3", s.bytes(30).toString("base64"), (v) => `aws_secret_access_key = ${v}`),
    secret("github", "S2", s.pick(ALNUM, 36), (v) => `the token is gh${"p_"}${v}`),
    secret("github-ko", "S2", s.pick(ALNUM, 36), (v) => `토큰은 gh${"o_"}${v} 입니다`),
    secret(
      "slack",
      "S2",
      `${s.digits(12)}-${s.digits(12)}-${s.pick(ALNUM, 24)}`,
      (v) => `SLACK_TOKEN=xo${"xb"}-${v}`,
    ),
    secret("openai-style", "S2", s.pick(ALNUM, 48), (v) => `export OPENAI_API_KEY=s${"k"}-proj-${v}`),
    secret("google-style", "S3", s.pick(ALNUM, 35), (v) => `key: "AI${"za"}${v}"`),
    secret("stripe-style", "S3", s.pick(ALNUM, 24), (v) => `stripe s${"k_live_"}${v}`),
    secret(
      "jwt",
      "S2",
      s.bytes(32).toString("base64url"),
      (v) => `Authorization: Bearer ${jwtHead}.${jwtBody}.${v}`,
    ),
  ].map((one) => (one.name === "jwt" ? { ...one, values: [...one.values, subject] } : one));
}

function passwords(s: Seeded): Secret[] {
  return [
    secret("password-en", "S3", `${s.pick(ALNUM, 10)}!7q`, (v) => `password = "${v}"`),
    secret("password-zh", "S3", `${s.pick(ALNUM, 10)}#3z`, (v) => `数据库密码：${v}`),
    ...["postgres", "mysql", "mongodb", "redis"].map((scheme) =>
      secret(
        `connection-${scheme}`,
        "S2",
        s.pick(ALNUM, 14),
        (v) => `${scheme}://app:${v}@db.internal:5432/main`,
      ),
    ),
  ];
}

function documents(s: Seeded): Secret[] {
  return [
    secret("id-card-zh", "S3", idCard(s), (v) => `身份证号 ${v}`),
    secret("id-card-en", "S3", idCard(s), (v) => `my Chinese ID is ${v}`),
    secret("card-plain", "S3", card(s), (v) => `card number ${v}`),
    secret("card-spaced", "S3", card(s), (v) => `银行卡 ${spaced(v)}`),
    secret("card-dashed", "S3", card(s), (v) => `Kartennummer: ${spaced(v, "-")}`),
  ];
}

/** A token inside base64. */
function wrapped(s: Seeded): Secret[] {
  return [
    secret(
      "base64-wrapped",
      "S2",
      s.pick(ALNUM, 36),
      (v) => `blob: ${Buffer.from(`token=gh${"p_"}${v}`).toString("base64")}`,
    ),
  ];
}
