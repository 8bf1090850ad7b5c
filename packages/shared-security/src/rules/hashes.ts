import type { Rule } from "./rule.ts";

const HASH = "k5ka2p8bFuSmoVT1tzOyyuaREkkKBcCNqoDKzYiJL9RaE8yMnPgh2XzzF0NDrUhgrcLwg78xs1w5pJiypEdFX.";

/** Hashes of passwords: what an attacker cracks offline. */
export const HASH_RULES: readonly Rule[] = [
  {
    id: "credentials/crypt-hash",
    type: "PASSWORD_HASH",
    level: "S3",
    confidence: 0.95,
    keywords: ["$1$", "$5$", "$6$", "$7$", "$8$", "$9$", "$y$", "$apr1$"],
    pattern:
      /(?<![\w$])\$(?:1|apr1)\$[./A-Za-z0-9]{1,8}\$[./A-Za-z0-9]{22}(?![./\w])|(?<![\w$])\$[5678]\$(?:rounds=\d{1,9}\$)?[./A-Za-z0-9]{1,16}\$[./A-Za-z0-9]{43,86}(?![./\w])|(?<![\w$])\$9\$[./A-Za-z0-9]{14}\$[./A-Za-z0-9]{43}(?![./\w])|(?<![\w$])\$y\$[./A-Za-z0-9]{2,8}\$[./A-Za-z0-9]{1,86}\$[./A-Za-z0-9]{43}/,
    examples: {
      ok: [`root:$6$52450745$${HASH}:19000`, `$1$OKgLCmVl$${HASH.slice(0, 22)}`],
      ng: ["price $1$2", "echo $1$2$3"],
    },
    source: "crypt(5), libxcrypt; Cisco IOS password types 8 and 9",
  },
  {
    id: "credentials/bcrypt-hash",
    type: "PASSWORD_HASH",
    level: "S3",
    confidence: 0.95,
    keywords: ["$2a$", "$2b$", "$2y$", "$2x$"],
    pattern: /(?<![\w$])\$2[abxy]\$\d{2}\$[./A-Za-z0-9]{53}(?![./\w])/,
    examples: { ok: [`hash: $2a$12$${HASH.slice(0, 53)}`], ng: ["$2a$12$short", "$2a + $2b"] },
    source: "Provos, Mazières: A Future-Adaptable Password Scheme (USENIX 1999)",
  },
  {
    id: "credentials/argon2-hash",
    type: "PASSWORD_HASH",
    level: "S3",
    confidence: 0.95,
    keywords: ["$argon2", "$pbkdf2", "pbkdf2_sha", "$scrypt$", "{ssha"],
    pattern:
      /\$argon2(?:id|i|d)\$v=\d{1,3}\$[a-z0-9=,]{5,60}\$[A-Za-z0-9+/]{8,64}\$[A-Za-z0-9+/]{16,128}|\$?pbkdf2[-_]sha\d{1,3}\$\d{1,8}\$[A-Za-z0-9+/=.]{4,64}\$[A-Za-z0-9+/=.]{20,128}|\$scrypt\$[a-z0-9=,]{5,40}\$[A-Za-z0-9+/=]{8,64}\$[A-Za-z0-9+/=]{16,128}|\{ssha(?:\d{3})?\}[A-Za-z0-9+/=]{20,180}/i,
    examples: {
      ok: [`$argon2id$v=19$m=65536,t=3,p=4$${HASH.slice(0, 22).replace(".", "x")}$${HASH.slice(0, 43)}`],
      ng: ["$argon2id is a hash", "pbkdf2_sha256 iterations"],
    },
    source: "PHC string format; RFC 9106; RFC 2307",
  },
  {
    id: "credentials/kerberos-hash",
    type: "PASSWORD_HASH",
    level: "S3",
    confidence: 0.95,
    keywords: ["$krb5"],
    pattern: /\$krb5(?:asrep|tgs|pa)\$\d{1,2}\$[^\s"']{0,120}?[0-9a-f]{32}\$[0-9a-f]{32,4000}/i,
    examples: {
      ok: [`$krb5asrep$23$user@domain.com:${"3e156ada".repeat(4)}$${"007497cb".repeat(12)}`],
      ng: ["$krb5asrep$23$ is the prefix"],
    },
    source: "RFC 4120 (AS-REP); Hashcat example hashes, modes 18200 and 13100",
  },
];
