/** Made-up private values that must never be seen outside, fresh for every run, and how to look for them. */
import { randomBytes, randomInt } from "node:crypto";
import type { PrivateLevel } from "@clawx/shared-security";

export interface Canary {
  name: string;
  level: PrivateLevel;
  /** The value by itself. */
  value: string;
  /** A message that a user would write around it. */
  message: string;
}

const digits = (n: number) => Array.from({ length: n }, () => randomInt(10)).join("");

/** One of each kind that the built-in rules must know. */
export function canaries(): Canary[] {
  const phone = `13${randomInt(5, 10)}${digits(8)}`;
  const address = `10.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`;
  const mail = `canary.${randomBytes(4).toString("hex")}@corp-mail.cn`;
  const body = Array.from({ length: 4 }, () => randomBytes(48).toString("base64")).join("\n");
  const key = [
    `-----BEGIN OPENSSH ${"PRIVATE"} KEY-----`,
    body,
    `-----END OPENSSH ${"PRIVATE"} KEY-----`,
  ].join("\n");
  const aws = `AK${"IA"}${Array.from({ length: 16 }, () => "ABCDEFGHJKLMNPQRSTUVWXYZ234567"[randomInt(30)]).join("")}`;
  return [
    { name: "phone", level: "S2", value: phone, message: `请给客户张三打电话 ${phone}` },
    {
      name: "intranet address",
      level: "S2",
      value: address,
      message: `The server at ${address} does not answer`,
    },
    { name: "e-mail", level: "S2", value: mail, message: `Write a short note to ${mail}` },
    {
      name: "private key",
      level: "S3",
      value: body.split("\n")[1] ?? body,
      message: `What is wrong with this key?\n${key}`,
    },
    {
      name: "cloud key",
      level: "S3",
      value: aws,
      message: `Is this configuration right? aws_access_key_id = ${aws}`,
    },
  ];
}

/** Names of the canaries that stand in any of the texts, plain or JSON-escaped. */
export function leaked(texts: Iterable<string>, all: readonly Canary[]): string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const { name, value } of all)
      if (text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1))) found.add(name);
  }
  return [...found];
}
