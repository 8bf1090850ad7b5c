import { isPlaceholder } from "../validators/placeholder.ts";
import { textAfter } from "./context.ts";
import type { MatchContext, Rule } from "./rule.ts";

export const ASSIGNMENT_RULES: readonly Rule[] = [
  {
    id: "assignments/password-quoted",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.85,
    keywords: ["password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令"],
    pattern:
      /(?:password|passwd|passphrase|passcode|pwd|密码|口令)\w{0,12}\\?["'\]]{0,2}\s{0,4}(?::=|=>|[!=]={1,2}|=|:|是|为)\s{0,4}\\?["'`](?<v>[^"'`\s\\]{4,128})\\?["'`]/i,
    validate: isPassword,
    examples: {
      ok: [`{"password":"x9!kLm2Q"}`, "if (form.password == 'hunter2-staging') ok()", `密码："Sx9_kkq2"`],
      ng: [
        "const password = getPassword();",
        `type: "password", name: "login"`,
        `password: "\${DB_PASSWORD}"`,
        `{"password":"string"}`,
      ],
    },
    source: "CWE-798; OWASP, Use of hard-coded password",
  },
  {
    id: "assignments/password-bare",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.75,
    keywords: ["password", "passwd", "passphrase", "passcode", "pwd", "密码", "口令"],
    pattern:
      /(?:password|passwd|passphrase|passcode|pwd|密码|口令)(?:=|: ?|是 ?|为 ?)(?<v>[^\s"'`,;<>(){}[\]\\。，；]{6,128})/i,
    validate: (value, context) => isPassword(value, context) && /\d/.test(value) && /[A-Za-z]/.test(value),
    examples: {
      ok: ["REDIS_PASSWORD=aB3dE6gH9jK2mN5pQ8rS", "password: hunter2x", "密码是abc12345"],
      ng: [
        "password=process.env.PW1",
        "PASSWORD=$(cat x1)",
        "password: required",
        "请填写身份证号和密码两个字段",
      ],
    },
    source: "CWE-798; OWASP, Use of hard-coded password",
  },
];

function isPassword(value: string, context: MatchContext): boolean {
  return !isPlaceholder(value) && !NOT_A_PASSWORD.test(value) && !textAfter(context, 1).startsWith("(");
}

const NOT_A_PASSWORD =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|text|string|secret|token|required|hidden|off|on|new-password|current-password|[\w$]+(?:\.[\w$]+)+)$/i;
