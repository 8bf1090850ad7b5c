import { isPlaceholder } from "../validators/placeholder.ts";
import { isPassword } from "./assignments.ts";
import type { MatchContext, Rule } from "./rule.ts";

/** Letters and digits, or a sign among them, as words have not: for places where a word may stand as well. */
const isMixed = (value: string, context: MatchContext): boolean =>
  /\d/.test(value) && /[A-Za-z]/.test(value) && isPassword(value, context);

const isValue = (value: string): boolean =>
  !isPlaceholder(value) && !/^(?:pass(?:word)?|secret|token|string|x+|\.{2,})$/i.test(value);

/** Passwords that stand away from their name: in elements, lists of variables, tables, other languages, files of tools. */
export const PASSWORD_PLACE_RULES: readonly Rule[] = [
  {
    id: "assignments/password-element",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.8,
    keywords: ["password>", "passwd>", "pwd>", "密码>", 'password"', "password'", 'passwd"', 'pwd"'],
    pattern:
      /(?:password|passwd|pwd|密码)(?:>(?<v>[^<>\s${}]{4,128})<\/|["'] (?:value|content)=["'](?<v>[^"'\s${}]{4,128})["'])/i,
    validate: isPassword,
    examples: {
      ok: [
        "<password>hunter2x</password>",
        `<add key="password" value="hunter2x"/>`,
        "<db.password>Sx9kk</db.password>",
      ],
      ng: [`<password>\${pw}</password>`, "<password></password>", `<input name="password" value=""/>`],
    },
    source: "CWE-260 (password in configuration file)",
  },
  {
    id: "assignments/password-next-line",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: ["password", "passwd", "_pass", "_pwd", "密码", "口令"],
    // YAML blocks, `name:`/`value:` lists of Kubernetes, and notes with the value under its name.
    pattern:
      /(?:password|passwd|_pass|_pwd|密码|口令)["']?(?:[:]?[ \t]{0,4}(?:[|>][+-]?[ \t]{0,4})?\r?\n[ \t]{0,16}|[ \t]{0,4}\r?\n[ \t]{0,16}value:[ \t]{1,4})["']?(?<v>[^\s"'`,;<>(){}[\]\\:]{6,64})["']?[ \t]{0,8}(?=$|[\r\n])/i,
    validate: isMixed,
    examples: {
      ok: [
        "password:\n  hunter2x\n",
        "password: |\n  hunter2x",
        "- name: DB_PASSWORD\n  value: hunter2x",
        "密码\nAbc@12345",
      ],
      ng: [
        "password:\n  type: string",
        "Forgot password\nstep2",
        "- name: DB_PASSWORD\n  valueFrom: x1",
        "密码\n\n下一步",
      ],
    },
    source: "YAML 1.2.2 sections 8.1 and 8.2; Kubernetes EnvVar",
  },
  {
    id: "assignments/password-framed",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: ["密码", "密 码", "口令", "password ", "password|"],
    pattern:
      /(?:密 ?码|口令|password)(?: ?(?:已|统一|被|都)?(?:重置|修改|更新|设置|改|换|设)?(?:成|为|是)|[:=]| ?(?:->|→|=>|\|)| is)? ?["'`“‘「『（(《【[|]{0,2} ?(?<v>[!-&*-;=?-Z^-z~]{6,64})(?=["'`”’」』）)》】\]|\s，。；、]|$|[\u4e00-\u9fff])/i,
    validate: (value, context) =>
      isMixed(value, context) &&
      // `password sha256`, `password -> file2.ts`: in English prose a sign must show that it is no word.
      (!/[a-z]/i.test(context.text[context.start - 2] ?? "") || /[!@#$%^&*]/.test(value)) &&
      /[!@#$%^&*]|\d[A-Za-z]|[A-Z].*[a-z]|[a-z].*[A-Z]/.test(value) &&
      !/^[\w-]+\.\w+|[/\\]|^[a-z]+\d{0,3}$|\w[=(]\w|^\d+[a-z]{1,3}$/i.test(value),
    examples: {
      ok: [
        "密码“Abc@12345”",
        "密码（Abc@12345）",
        "初始密码统一为Abc@12345，请修改",
        "登录密码改成 Abc@12345 了",
        "| 密码 | Abc@12345 |",
      ],
      ng: [
        "密码（至少8位）",
        "密码(password2)",
        "password -> file2.ts",
        "密码 长度 8-20",
        "password | sha256",
      ],
    },
    source: "CWE-256 (plaintext storage of a password)",
  },
  {
    id: "assignments/password-after-account",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: ["密码", "登录", "login:"],
    pattern:
      /(?:(?:账号|帐号|账户|用户名?)[和及/、|]?密码|登录|(?<![a-z])login)[:是为] ?[\w.@-]{2,40}[ ,/|，、]{1,3}(?<v>[!-~]{6,64})(?![!-~])|(?<=(?:账号|帐号|账户|用户名?)[和及/、|]?)密码[:是为]? ?[\w.@-]{2,40}[ ,/|，、]{1,3}(?<v>[!-~]{6,64})(?![!-~])/i,
    validate: (value, context) =>
      isMixed(value, context) && /[!@#$%^&*]|[A-Z].*\d|\d.*[A-Z]/.test(value) && !/[:/]/.test(value),
    examples: {
      ok: ["账号密码：admin Abc@12345", "登录：bob / Abc@12345", "login: bob / Abc@12345"],
      ng: ["账号密码：admin", "登录：见 https://a.io/B2c", "login: bob and alice42"],
    },
    source: "CWE-256 (plaintext storage of a password)",
  },
  {
    id: "assignments/password-other-language",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.7,
    keywords: [
      "パスワード",
      "暗証番号",
      "비밀번호",
      "mot de passe",
      "contrase",
      "passwort",
      "kennwort",
      "пароль",
      "senha",
      "wachtwoord",
      "parola",
    ],
    pattern:
      /(?:パスワード|暗証番号|비밀번호|mot de passe|contrase(?:ñ|n)a|passwort|kennwort|пароль|senha|wachtwoord|parola)(?: ?[:=]| (?:est|ist|es|is|är|é)|は|은|는)? {0,2}["'«„“「]?(?<v>[!#-&*-:<-Z^-_a-z~]{6,64})(?![`\]}])/i,
    validate: isMixed,
    examples: {
      ok: [
        "パスワード: hunter2x",
        "비밀번호: hunter2x",
        "mot de passe : hunter2x",
        "Passwort: hunter2x",
        "пароль: hunter2x",
      ],
      ng: [
        "Passwort vergessen",
        "contraseña: requerida",
        'label:`パスワード`},help:{"v1-1ndt0u2-4g"',
        "パスワードを入力",
        "senha123",
      ],
    },
    source: "CWE-256 (plaintext storage of a password)",
  },
  {
    id: "commands/password-places",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.8,
    keywords: [
      "requirepass ",
      "masterauth ",
      "redis-cli",
      "/user:",
      "ConvertTo-SecureString",
      "sudo -S",
      "chpasswd",
      "jdbc:oracle",
    ],
    pattern:
      /(?:requirepass|masterauth) ["']?(?<v>[^\s"'$<{]{5,128})|redis-cli(?: -[hpnu] \S{1,80}){0,4} -a ["']?(?<v>[^\s"'$<{-][^\s"']{3,128})|\/user:["']?\S{1,80} ["']?(?<v>(?![/*])[^\s"'$<{%]{5,128})|ConvertTo-SecureString (?:-String )?["'](?<v>[^"'\s$]{4,128})["']|(?<=echo ["']?(?<left>[^\s"'$<{|]{5,128})["']? \| )sudo -S|(?<=echo ["']?[\w.-]{1,40}:(?<left>[^\s"'$<{|]{4,128})["']? \| (?:sudo )?)chpasswd|jdbc:oracle:\w{3,5}:\w{1,40}\/(?<v>[^\s"'$<{@]{3,128})@/i,
    validate: isValue,
    examples: {
      ok: [
        "requirepass Sx9kkq2x",
        "redis-cli -h db -a Sx9kkq2x ping",
        "net use Z: \\\\a\\b /user:bob Sx9kkq2x",
        "ConvertTo-SecureString 'Sx9kkq2x' -AsPlainText -Force",
        "echo 'bob:Sx9kkq2x' | chpasswd",
        "jdbc:oracle:thin:scott/Sx9kkq2x@//h:1521/x",
      ],
      ng: ["requirepass $PW", "redis-cli ping", "ConvertTo-SecureString $pw", "runas /user:bob /savecred"],
    },
    source: "redis.conf; Microsoft net use, ConvertTo-SecureString; chpasswd(8); Oracle JDBC URL",
  },
  {
    id: "commands/pgpass",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.8,
    keywords: [":5432:", ":5433:", ":6432:"],
    pattern: /(?<=(?:^|\n)[\w.*-]{1,80}):\d{4}:[\w*-]{1,60}:[\w*-]{1,60}:(?<v>[^\s:$<{]{4,128})(?=\s|$)/,
    validate: isValue,
    examples: {
      ok: ["db.acme.io:5432:prod:bob:hunter2x"],
      ng: ["db.acme.io:5432:prod", "10.0.0.1:5432:a:b:$PW"],
    },
    source: "PostgreSQL documentation, The Password File",
  },
];
