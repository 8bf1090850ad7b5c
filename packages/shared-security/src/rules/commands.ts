import { isPlaceholder } from "../validators/placeholder.ts";
import { randomness } from "../validators/random.ts";
import { textBefore } from "./context.ts";
import type { Rule } from "./rule.ts";

const isSecret = (value: string): boolean =>
  !isPlaceholder(value) && !/^(?:pass(?:word)?|secret|token|x+)$/i.test(value);

/** Passwords as arguments of commands and in files that tools read. */
export const COMMAND_RULES: readonly Rule[] = [
  {
    id: "commands/curl-user",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.85,
    keywords: [" -u", " --user"],
    pattern: /(?: -u ?| --user[ =])["']?[^\s:"'$<{]{1,120}:(?<v>[^\s"'$<{@]{3,200})/,
    validate: (value, context) => isSecret(value) && /\bcurl\b/.test(textBefore(context, 400)),
    examples: {
      ok: ["curl -X POST https://x.io -u admin:Sx9-kkq2", "curl --user bob:hunter2x https://x.io"],
      ng: ["curl -u $USER:$PASS https://x.io", "curl -u user:password x"],
    },
    source: "curl(1), option --user",
  },
  {
    id: "commands/netrc",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.9,
    keywords: ["machine "],
    pattern: /machine[ \t]\S{1,120}\s{1,12}login[ \t]\S{1,120}\s{1,12}password[ \t]{1,8}(?<v>\S{3,120})/,
    validate: isSecret,
    examples: {
      ok: [
        "machine api.github.com login ziggy password 012345abcdef",
        "machine raw.x.io\n  login v\n  password pass123",
      ],
      ng: ["machine learning login page", "machine x login y password $P"],
    },
    source: "netrc(5)",
  },
  {
    id: "commands/psexec",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.85,
    keywords: ["psexec"],
    pattern: /psexec[^\n]{1,160}? -u \S{1,80} -p ["']?(?<v>[^\s"']{3,80})/i,
    validate: (value) => !/^[$%<{]/.test(value),
    examples: {
      ok: ["psexec \\\\10.0.94.120 -u Administrator -p dev_admin CMD"],
      ng: ["psexec \\\\host -u User -p $Password cmd", "psexec -h"],
    },
    source: "Microsoft Sysinternals, PsExec",
  },
  {
    id: "commands/password-option",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.75,
    keywords: ["-password ", "--password=", "-pass ", "--passwd "],
    pattern: /(?<=\s)--?pass(?:word|wd)?[ =]["']?(?<v>[^\s"'$<{%`(\][-][^\s"'<{`]{3,100})/i,
    validate: (value) => isSecret(value) && /[\d!@#^&*+=]/.test(value),
    examples: {
      ok: ["Connect-VIServer -Server x -User a -Password VMware1!", "mysqladmin --password=Sx9kkq2! status"],
      ng: ["cmd --password stdin", "x -password $p", "x --password-stdin"],
    },
    source: "CWE-214 (visible sensitive information in process arguments)",
  },
  {
    id: "commands/bearer-header",
    type: "ACCESS_TOKEN",
    level: "S2",
    confidence: 0.8,
    keywords: ["bearer "],
    pattern: /(?<![A-Za-z])bearer:? {1,3}(?<v>[A-Za-z0-9_+/.~=-]{20,4000})/i,
    validate: (value) =>
      isSecret(value) &&
      /\d/.test(value) &&
      /[A-Za-z]/.test(value) &&
      !/^[a-z]+(?:[-_.][a-z]+)+\d*$/i.test(value),
    examples: {
      ok: ["Authorization: Bearer 38bb7b318cc6898c80317decb34525844bc9db55"],
      ng: ["Bearer authentication-is-required-here", "bearer token", "Bearer YOUR_ACCESS_TOKEN_12345678"],
    },
    source: "RFC 6750 section 2.1",
  },
  {
    id: "commands/basic-header",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.85,
    keywords: ["basic "],
    pattern:
      /(?<=authorization["']?\s?[:=,]?\s?["'`]?)basic (?<v>[A-Za-z0-9+/]{8,400}={0,2})(?![A-Za-z0-9+/=])/i,
    validate: (value) =>
      /^[\x20-\x7e]{1,200}:[\x20-\x7e]{1,200}$/.test(Buffer.from(value, "base64").toString("latin1")),
    examples: {
      ok: [`Authorization: Basic ${"dXNlcjpodW50ZXIyeA=="}`],
      ng: ["Authorization: Basic authentication", "basic usage"],
    },
    source: "RFC 7617",
  },
  {
    id: "commands/login-option",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.8,
    keywords: ["sshpass -p", "login -u", "login --username", "-passin pass:", "-passout pass:"],
    pattern:
      /(?:sshpass -p ?|login (?:-u|--username)[ =]?\S{1,80} (?:-p|--password)[ =]?|-pass(?:in|out) pass:)["']?(?<v>[^\s"'$<{(-][^\s"'$<{(]{3,100})/,
    validate: isSecret,
    examples: {
      ok: [
        "sshpass -p 'hunter2x' ssh root@h",
        "docker login -u bob -p S3cretPw9 reg.io",
        "openssl rsa -passin pass:S3cretPw9",
      ],
      ng: ["sshpass -p $PW ssh h", "docker login -u bob --password-stdin", "openssl rsa -passin env:PW"],
    },
    source: "sshpass(1); docker login; openssl-passphrase-options(1)",
  },
  {
    id: "commands/mysql-password",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.8,
    keywords: ["mysql"],
    pattern:
      /mysql(?:dump|admin|import)?(?: -{1,2}[a-zA-Z-]{1,20}[ =]?[^\s-][^\s]{0,60}){0,4} -p(?<v>[^\s"'$<{(-][^\s"']{3,100})/,
    validate: (value) => isSecret(value) && !/^(?:assword|ort|rotocol)/.test(value),
    examples: {
      ok: ["mysql -uroot -pS3cretPw app", "mysqldump -h db -u root -pS3cretPw app"],
      ng: ["mysql -u root -p app", "mysql -p$PW"],
    },
    source: "MySQL Reference Manual, Connection options",
  },
  {
    id: "commands/sql-password",
    type: "PASSWORD",
    level: "S3",
    confidence: 0.85,
    keywords: ["identified by", "with password", "identified with"],
    pattern:
      /(?:identified (?:by|with \w{1,40} by)|with (?:encrypted )?password) {1,2}(?:'(?<v>[^'\s]{3,100})'|"(?<v>[^"\s]{3,100})")/i,
    validate: isSecret,
    examples: {
      ok: ["CREATE USER 'bob' IDENTIFIED BY 'hunter2x';", "ALTER ROLE a WITH PASSWORD 'Sx9_kkq2'"],
      ng: ["IDENTIFIED BY ?", "with password 'password'"],
    },
    source: "ISO/IEC 9075 implementations: MySQL CREATE USER, PostgreSQL ALTER ROLE",
  },
  {
    id: "commands/cookie-header",
    type: "COOKIE",
    level: "S2",
    confidence: 0.75,
    keywords: ["cookie:", 'cookie":', "cookie':"],
    pattern: /cookie["']?\s?:\s?["'`]?(?<v>[\w.-]{1,60}=(?:(?!cookie["']?:)[^\r\n"'`]){6,4000})/i,
    validate: (value) =>
      value.split(/;\s?/).some((pair) => {
        const content = pair.slice(pair.indexOf("=") + 1);
        return !isPlaceholder(content) && randomness(content) >= 0.6;
      }),
    examples: {
      ok: [
        "Cookie: sessionid=4f9d8c7b6a5e4d3c2b1a0f; theme=dark",
        "Set-Cookie: sid=s%3AabcDEF123456ghiJKL789.xyz; Path=/",
      ],
      ng: ["Cookie: theme=dark", "cookie: name=value", "Set-Cookie: <name>=<value>"],
    },
    source: "RFC 6265 sections 4.1 and 4.2",
  },
];
