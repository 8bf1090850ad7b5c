import { isPlaceholder } from "../validators/placeholder.ts";
import { lineBefore, textAfter } from "./context.ts";
import type { MatchContext, Rule } from "./rule.ts";

export const ASSIGNMENT_RULES: readonly Rule[] = [
  {
    id: "assignments/password-quoted",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.85,
    keywords: [
      "password",
      "passwd",
      "passphrase",
      "passcode",
      "pwd",
      "密码",
      "口令",
      "pass:",
      "pass=",
      'pass"',
      "pass'",
    ],
    pattern:
      /(?:(?:password|passwd|passphrase|passcode|pwd|密码|口令)\w{0,12}|(?<![A-Za-z])pass)\\{0,7}["'\]]{0,2}\s{0,12}(?::=|=>|[!=]={1,2}|=|:|是|为)\s{0,6}\\{0,7}(?:"(?<v>(?!')[^"`\s\\]{4,128})\\{0,7}"|'(?<v>(?!")[^'`\s\\]{4,128})\\{0,7}'|`(?<v>[^"'`\s\\]{4,128})`)/i,
    // `pass` alone is also the outcome of a test: its value must not be a word.
    validate: (value, context) =>
      isPassword(value, context) &&
      (/\d|[^\p{L}]/u.test(value) ||
        !/(?<![A-Za-z])pass["']?\s{0,12}[^A-Za-z]{1,8}$/i.test(lineBefore(context, 24))),
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
    keywords: ["password", "passwd", "passphrase", "passcode", "pwd", "pass:", "pass=", "密码", "口令"],
    pattern:
      /(?:(?:password|passwd|passphrase|passcode|pwd|密码|口令)(?:=|: ?|是 ?|为 ?)|(?<![A-Za-z])pass[:=] ?|(?:密码|口令)(?=[!-~]))(?![\u4e00-\u9fff])(?<v>[^\s"'`,;<>(){}[\]\\。，；]{6,128})/i,
    validate: (value, context) =>
      /\d/.test(value) && /[A-Za-z]/.test(value) && isPassword(value.replace(/^[#.,+(]+/, ""), context),
    examples: {
      ok: [
        "REDIS_PASSWORD=aB3dE6gH9jK2mN5pQ8rS",
        "password: hunter2x",
        "密码是abc12345",
        "账号admin 密码Admin@123",
        "user:bob pass:hunter2",
      ],
      ng: [
        "password=settings.db.PW1",
        "PASSWORD=$(cat x1)",
        "password: required",
        "请填写身份证号和密码两个字段",
      ],
    },
    source: "CWE-798; OWASP, Use of hard-coded password",
  },
  {
    id: "assignments/password-line",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.65,
    keywords: ["password", "passwd", "密码", "口令"],
    // `password: letmein` on a line of its own, as in YAML and notes: any one word but those of schemas and forms.
    pattern:
      /(?<=(?:^|\n)[ \t-]{0,12}[\w.-]{0,30})(?:password|passwd|密码|口令) ?[:=] {0,4}(?<v>[^\s"'`$<>{}()[\],;#*|]{5,64})(?=[ \t]*(?:$|[\r\n#]))/i,
    validate: (value, context) =>
      isPassword(value, context) && !SCHEMA_WORD.test(value) && !/^[A-Z_]+$/.test(value),
    examples: {
      ok: ["user: bob\npassword: letmein\n", "密码：woaini"],
      ng: [
        "password: required",
        "password: string",
        "password = config.password",
        "password: optional\n",
        "密码：不能为空",
      ],
    },
    source: "CWE-256 (plaintext storage of a password)",
  },
  {
    id: "assignments/pin",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: ["密码", "pin", "cvv", "cvc", "安全码"],
    pattern:
      /(?:密码|安全码|(?<![A-Za-z])(?:pin(?: ?(?:code|number|码))?|cvv2?|cvc2?)(?![A-Za-z\d]))(?:是|为| is|：)?:? {0,2}(?<v>\d{3,12})(?![\w.%-]|[位个次分天小条种年月元字到至~])/i,
    validate: (value, context) =>
      value.length >= 4 || /(?:cv[vc]2?|安全码)[^\d]{0,4}$/i.test(lineBefore(context, 12)),
    examples: {
      ok: ["支付密码 867530", "wifi密码12345678", "PIN: 4821", "CVV 123"],
      ng: ["密码6位", "密码长度 8", "pin 13", "spin 1234", "密码12到16位", "pin10"],
    },
    source: "ISO 9564-1 (PIN of 4 to 12 digits); card verification value of the card schemes",
  },
  {
    id: "assignments/password-argument",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: ["password '", 'password "'],
    // Gradle, Groovy and Ruby call setters without brackets or equals sign, one a line.
    pattern: /(?<=(?:^|\n)[ \t]{0,40})password ["'](?<v>[^"'\s]{4,64})["'][ \t]*(?:$|[\r\n#/])/i,
    validate: (value, context) => isPassword(value, context) && /[^A-Za-z]/.test(value),
    examples: {
      ok: ["credentials {\n  username 'deploy'\n  password 'hunter2x'\n}"],
      ng: ["  password 'password'\n", "the password 'hunter2x' was leaked", `  password "\${pw}"\n`],
    },
    source: "Gradle User Manual, Declaring repositories: credentials",
  },
  {
    id: "assignments/password-env",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.75,
    keywords: ["_PASS", "_PWD"],
    // In capitals on a line of its own it is an environment variable, and then any word may be the password.
    pattern:
      /(?<=(?:^|[\n;])[ \t#>-]{0,8}(?:export |set |ENV )?[A-Z][A-Z0-9_]{0,40})_(?:PASS|PASSWORD|PASSWD|PWD)=["']?(?<v>[^\s"'`$<>{}()%]{4,128})["']?(?=\s|$)/,
    validate: (value) => !isPlaceholder(value) && !/^(?:password|string|required|secret)$/i.test(value),
    examples: {
      ok: ["REACT_APP_AUTH_PASS=whiteduke", "export DB_PASSWORD=hunter  # dev"],
      ng: ["FORGOT_PASSWORD=$BASE/x", "DB_PASSWORD=", "DB_PASSWORD=password", `X_PASSWORD=\${Y}`],
    },
    source: "The Twelve-Factor App, III. Config; dotenv",
  },
  {
    id: "assignments/username-env",
    type: "USERNAME",
    level: "S2",
    confidence: 0.6,
    keywords: ["_USERNAME=", "_USER="],
    pattern:
      /(?<=(?:^|[\n;])[ \t#>-]{0,8}(?:export |set |ENV )?[A-Z][A-Z0-9_]{0,40})_(?:USERNAME|USER)=["']?(?<v>[A-Za-z][^\s"'`$<>{}()%]{2,64})["']?(?=\s|$)/,
    validate: (value) =>
      !isPlaceholder(value) && !/^(?:user(?:name)?|root|name|true|false|openclaw)$/i.test(value),
    examples: {
      ok: ["REACT_APP_AUTH_USERNAME=bowie", "export DB_USER=postgres"],
      ng: ["DB_USER=$USER", "DB_USER=", "SMTP_USERNAME=your_name"],
    },
    source: "The Twelve-Factor App, III. Config; dotenv",
  },
  {
    id: "assignments/password-after-user",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.75,
    keywords: ["password", "passwd", "pwd"],
    pattern:
      /(?<=(?:^|\n)[ \t]{0,12}user(?:name)?[ ]?[=:][ ]?[^\n]{1,80}\n(?:[ \t]*(?:#|\/\/)[^\n]{0,80}\n){0,3}[ \t]{0,12})(?:password|passwd|pwd)[ ]?[=:][ ]?["']?(?<v>[^\n"'`$<>{}()#;]{4,64}?)["']?(?=[ \t]*(?:$|[\n#;]))/i,
    validate: (value) =>
      !isPlaceholder(value) &&
      !/^(?:password|string|required|secret|none|null)$/i.test(value) &&
      !/^\w+\.\w+/.test(value),
    examples: {
      ok: ["user = Aladdin\npassword = open_sesame\n", "user = 'Aladdin'\npassword = 'open sesame'\n"],
      ng: ["user = get()\npassword = ask()\n", "username: \n", "user = x\npassword = $P\n"],
    },
    source: "CWE-256 (plaintext storage of a password)",
  },
  {
    id: "assignments/password-said",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.65,
    keywords: ["password", "passwd", "passcode", "passphrase", "pwd", "密码", "口令"],
    pattern:
      /(?:password|passwd|passcode|passphrase|pwd|密码|口令)(?:(?: ?is| ?was|是|为)?:? {1,2}|是|为)(?![\u4e00-\u9fff])(?<v>[^\s"'`,;<>(){}[\]\\。，；：]{5,63}[^\s"'`,;.<>(){}[\]\\。，；：])/i,
    validate: (value, context) =>
      /\d/.test(value) && /[A-Za-z]/.test(value) && !WRITTEN.test(value) && isPassword(value, context),
    examples: {
      ok: [
        "my password is hunter2x please",
        "我的密码 abc12345",
        "the root password is: Tr0ub4dor&3",
        "密码是Abc@1234",
      ],
      ng: [
        "password hashing",
        "password sha256-crypt",
        "password $1",
        "password v2 is out",
        "密码 长度至少8位",
        "password utf8.txt",
      ],
    },
    source: "CWE-256 (plaintext storage of a password)",
  },
  {
    id: "assignments/password-prose",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: ["password"],
    pattern:
      /password(?: for [^\n]{1,48}?)? is:? (?:"(?<v>[^"\s]{4,64})"|'(?<v>[^'\s]{4,64})'|`(?<v>[^`\s]{4,64})`)/i,
    validate: (value) =>
      !isPlaceholder(value) &&
      !/^(?:password|string|required|secret|none|null|empty|true|false)$/i.test(value),
    examples: {
      ok: ["The password is 'Secret123'", `default password for the user "pyne-user" is "pyne".`],
      ng: ["the password is required", "password is 'required'", "password is `string`"],
    },
    source: "CWE-798",
  },
];

/** No label, type, reference or hole. */
export function isPassword(value: string, context: MatchContext): boolean {
  return (
    !isPlaceholder(value) &&
    !NOT_A_PASSWORD.test(value) &&
    !CONSTANT_NAME.test(value) &&
    !LABEL.test(value) &&
    !ANONYMOUS.test(value) &&
    !textAfter(context, 1).startsWith("(")
  );
}

/** Words of technical prose that have digits: `sha256-crypt`, `oauth2`, `base64`, `x.509`, file names, versions. */
const WRITTEN =
  /^(?:v?\d+(?:[.-]\d+)*[a-z]{0,3}|(?:[a-z]{2,12}-)*(?:sha|md|oauth|base|utf|rfc|http|ipv|argon|pbkdf|bcrypt|ed|aes|rsa|ssh|tls|v|s)-?\d[\w.-]*|[\w.-]+\.(?:txt|md|ts|js|json|ya?ml|env|sh)|\w+[:/]\/.*|[a-z]+\d?(?:[-_/][a-z]+\d?)+)$/i;

const SCHEMA_WORD =
  /^(?:required|optional|strings?|numbers?|boolean|object|any|never|void|unknown|undefined|null|none|true|false|empty|default|hidden|enabled|disabled|secret|prompt|stdin|redacted|masked|encrypted|hashed|plaintext|auth(?:entication)?|value|field|input|[\w-]*password[\w-]*|.*[\u4e00-\u9fff].*|\w+[:/]\/.*)$/i;

/** `name@`: what anonymous FTP asks for in place of a password (RFC 1635), known to everybody. */
const ANONYMOUS = /^\w+@$/;

/** Types, labels, names of variables, paths: what stands beside the word in code that handles passwords. */
const NOT_A_PASSWORD =
  /^(?:pass(?:word|wd|phrase|code)?|pwd|text|string|secret|token|required|hidden|off|on|new-password|current-password|[#.,+(].*|[A-Z][A-Za-z ]+:|[\w$]+(?:\.[\w$]+)+|\/.*\/.*)$/i;

const CONSTANT_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/** A label in some language: letters of another script, or the word itself, and no digit. */
const LABEL =
  /^\D*(?:[\u0e00-\u0e7f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0400-\u04ff\u0600-\u06ff]|^passwor[dt]|[- ]passwor[dt]|wachtwoord|senha|contrase|mot de passe|has[lł]o)\D*$/iu;
