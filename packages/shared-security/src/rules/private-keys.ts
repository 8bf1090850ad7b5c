import type { Rule } from "./rule.ts";

/** Key bodies for examples are made of parts so that no scanner takes this file for a leak. */
const BEGIN = "-----BEGIN ";
const END = "-----END ";
const BODY = `MIIFHDBOBgkqhkiG9w0BBQ0wQTApBgkqhkiG9w0BBQwwHAQI${"bGFyZ2UtYm9keQ".repeat(3)}`;

const KEY_LINE = /[A-Za-z0-9+/]{40,80}={0,2}[^\nA-Za-z0-9+/]{0,8}\r?\n/;

/** A line of base64 and no path or name: 40 characters or more in both cases, with digits. */
function holdsKeyText(value: string): boolean {
  return (value.match(/[A-Za-z0-9+/]{40,}/g) ?? []).some(
    (run) =>
      /[A-Z][\s\S]*[A-Z]/.test(run) &&
      /[a-z]/.test(run) &&
      /\d[\s\S]*\d/.test(run) &&
      !/(?:\/[a-z]{3,}){2}/.test(run),
  );
}

export const PRIVATE_KEY_RULES: readonly Rule[] = [
  {
    id: "private-keys/pem",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 1,
    keywords: ["-----BEGIN"],
    // With its END line: all in between. Cut off before it (a tail, a truncated paste): the base64 that is there, with
    // whatever a list, a diff, a listing with line numbers or a log puts before each line.
    pattern:
      /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:[^-]|-(?!----)){4,400000}-----END [A-Z0-9 ]{0,48}-----|-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----(?:(?:[\s"'`,+\\rn>*#/|]{0,16}[A-Za-z0-9+/=]{8,80}|[^\n]{0,16}\n[^\n]{0,48}?[A-Za-z0-9+/]{40,80}={0,2}){1,6000}|[ \t]{0,4}(?:\\{1,2}n|\r?\n)[ \t]{0,12}[A-Za-z0-9+/=]{4,80})/,
    validate: (value) =>
      /-----\s*(?:\\[rn]|["'`,+>*#|\s])*[A-Za-z0-9+/]{4}/.test(value.slice(10)) ||
      value.includes("Proc-Type") ||
      holdsKeyText(value),
    examples: {
      ok: [
        `${BEGIN}RSA PRIVATE KEY-----\n${BODY}\n${END}RSA PRIVATE KEY-----`,
        `${BEGIN}ENCRYPTED PRIVATE KEY-----\n${BODY}\n${END}ENCRYPTED PRIVATE KEY-----`,
        `"key": "${BEGIN}PRIVATE KEY-----\\n${BODY}\\n${END}PRIVATE KEY-----\\n"`,
        `cut off: ${BEGIN}OPENSSH PRIVATE KEY-----\n${BODY}`,
        `cut off at once: ${BEGIN}RSA PRIVATE KEY-----\nMIIEow`,
        `> ${BEGIN}RSA PRIVATE KEY-----\n> ${BODY}\n> ${END}RSA PRIVATE KEY-----`,
        `# ${BEGIN}EC PRIVATE KEY-----\n# ${BODY}\n# ${END}EC PRIVATE KEY-----`,
        `- ${BEGIN}EC PRIVATE KEY-----\n- ${BODY}\n- ${END}EC PRIVATE KEY-----`,
        `-${BEGIN}EC PRIVATE KEY-----\n-${BODY}\n-${END}EC PRIVATE KEY-----`,
        `     1\t${BEGIN}EC PRIVATE KEY-----\n     2\t${BODY}\n     3\t${END}EC PRIVATE KEY-----`,
        `// ${BEGIN}EC PRIVATE KEY-----\n// ${BODY}`,
        `id_rsa:1:${BEGIN}RSA PRIVATE KEY-----\nid_rsa:2:${BODY}`,
        `<p>${BEGIN}RSA PRIVATE KEY-----</p>\n<p>${BODY}</p>`,
      ],
      ng: [
        `${BEGIN}PUBLIC KEY-----\n${BODY}\n${END}PUBLIC KEY-----`,
        `${BEGIN}CERTIFICATE-----\n${BODY}\n${END}CERTIFICATE-----`,
        `if (text.includes("${BEGIN}PRIVATE KEY-----")) return true;`,
        `if (text.includes("${BEGIN}PRIVATE KEY-----"))\n  return import("./packages/shared/src/rules/privateKeys2/index.ts");`,
        `- ${BEGIN}PRIVATE KEY-----\n- ... your key ...\n- ${END}PRIVATE KEY-----`,
      ],
    },
    source: "RFC 7468 sections 10 and 11; RFC 9580 section 6.2; OpenSSH PROTOCOL.key",
  },
  {
    id: "private-keys/pem-tail",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 1,
    keywords: ["-----END"],
    // The last part of a key whose BEGIN line stood in another text: `tail`, a page of a file, a chunk of an index.
    pattern:
      /(?<=(?<left>(?:[A-Za-z0-9+/]{40,80}={0,2}[^\nA-Za-z0-9+/]{0,8}\r?\n[^\n]{0,48}?){1,200}(?:[A-Za-z0-9+/=]{1,80}[^\nA-Za-z0-9+/]{0,8}\r?\n[^\n]{0,48}?)?))-----END (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/,
    gate: (text, at) => KEY_LINE.test(text.slice(Math.max(0, at - 300), at)),
    validate: holdsKeyText,
    examples: {
      ok: [
        `${BODY}\n${END}RSA PRIVATE KEY-----`,
        `- ${BODY}\n- c2hvcnQ=\n- ${END}RSA PRIVATE KEY-----`,
        `    26\t${BODY}\n    27\t${END}OPENSSH PRIVATE KEY-----`,
      ],
      ng: [
        `${BODY}\n${END}CERTIFICATE-----`,
        `it ends with ${END}PRIVATE KEY-----`,
        `see packages/shared/src/rules/of/private/keys/index\n${END}PRIVATE KEY-----`,
      ],
    },
    source: "RFC 7468 sections 10 and 11",
  },
  {
    id: "private-keys/ssh2",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 1,
    keywords: ["---- BEGIN SSH2"],
    pattern:
      /---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----(?:[^-]|-(?!---)){8,400000}(?:---- END[A-Z0-9 ]{0,40}----)?/,
    examples: {
      ok: [`---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n${BODY}\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`],
      ng: [`---- BEGIN SSH2 PUBLIC KEY ----\n${BODY}\n---- END SSH2 PUBLIC KEY ----`],
    },
    source: "SSH Communications Security Tectia, private key file format",
  },
  {
    id: "private-keys/putty",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 1,
    keywords: ["PuTTY-User-Key-File-"],
    pattern: /PuTTY-User-Key-File-\d: (?:(?!PuTTY-)[\s\S]){20,20000}?Private-MAC: [0-9a-f]{40,64}/,
    examples: {
      ok: [
        `PuTTY-User-Key-File-2: ssh-rsa\nEncryption: none\nPrivate-Lines: 1\n${BODY}\nPrivate-MAC: ${"0a1b2c3d".repeat(5)}`,
      ],
      ng: ["PuTTY-User-Key-File-2 is the format of .ppk files"],
    },
    source: "PuTTY user manual, appendix C: PPK file format",
  },
  {
    id: "private-keys/age",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 1,
    keywords: ["AGE-SECRET-KEY-"],
    pattern: /(?<![A-Z0-9-])AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}(?![A-Z0-9])/,
    examples: {
      ok: [`AGE-SECRET-KEY-1${"QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L".repeat(2).slice(0, 58)}`],
      ng: [
        "AGE-SECRET-KEY-1 starts an age identity",
        `age1${"qpzry9x8gf2tvdw0s3jn54khce6mua7l".repeat(2).slice(0, 58)}`,
      ],
    },
    source: "C2SP age specification, X25519 identity (Bech32)",
  },
  {
    id: "private-keys/mnemonic",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 0.85,
    keywords: ["mnemonic", "seed phrase", "recovery phrase", "助记词"],
    pattern:
      /(?:mnemonic|(?:seed|recovery) phrase|助记词)["']?(?: is|是|为)?\s?(?:[:=]\s{0,4}["'`]?|["'`])(?<v>[a-z]{3,8}(?:[ ,]{1,2}[a-z]{3,8}){11,23})(?![a-z])/i,
    examples: {
      ok: [`mnemonic: ${"abandon ".repeat(11)}about`, `助记词：${"legal winner ".repeat(6).trim()}`],
      ng: [
        "a mnemonic is a list of words that people can write down on paper and keep safe at home",
        "mnemonic: twelve words",
      ],
    },
    source: "BIP-39 (12 to 24 words of 3 to 8 letters)",
  },
  {
    id: "private-keys/hex",
    type: "PRIVATE_KEY",
    level: "S3",
    confidence: 0.85,
    keywords: ["private key", "private_key", "privatekey", "私钥"],
    pattern:
      /(?:private[ _]?key|私钥)["']?(?: is|是|为)?\s?[:=]?\s{0,4}["'`]?(?<v>(?:0x)?[0-9a-f]{64})(?![0-9a-z])/i,
    validate: (value) => new Set(value).size > 6,
    examples: {
      ok: [`PRIVATE_KEY=0x${"4c0883a69102937d".repeat(4)}`, `私钥：${"4c0883a69102937d".repeat(4)}`],
      ng: [`private key: 0x${"0".repeat(64)}`, "private key: 0x1234"],
    },
    source: "SEC 1 section 2.3 (256-bit private key as octets), Ethereum and Bitcoin wallets",
  },
];
