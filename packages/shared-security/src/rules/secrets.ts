import { entropy } from "../validators/entropy.ts";
import { isPlaceholder } from "../validators/placeholder.ts";
import { randomness } from "../validators/random.ts";
import { lineBefore, textAfter } from "./context.ts";
import type { MatchContext, Rule } from "./rule.ts";
import { VENDOR_NAMES } from "./vendor-names.ts";

/** Words that announce a credential, as they stand in identifiers, headers and prose. */
const SECRET_WORDS = [
  "secret",
  "token",
  "key",
  "access",
  "private",
  "credential",
  "auth",
  "pat",
  "login",
  "signature",
];

const WORD = "(?:secret|token|key|access|private|auth|(?<![A-Za-z])pat|login|signature)";

/** The rest of the identifier that the word stands in. */
const IDENTIFIER_TAIL = "[\\w.-]{0,32}";

/** Last words of identifiers that say that the value is something else: `tokenUrl`, `KEY_ID`, `secret_name`. */
const OTHER_VALUES = new Set(
  (
    "id ids name names url urls uri uris path paths type types file files dir hash alg algorithm expires expiry expiration " +
    "at length size count scope scopes endpoint method methods version prefix format label title text hint message error " +
    "ref regex pattern plural order index code status env"
  ).split(" "),
);

/** How far behind its name a key can start. */
const REACH = 72;

/**
 * Whether a run of key characters starts within reach that is longer than a word: 8 characters with a digit among
 * them, or 16 without. Nearly all of code and prose stops here, before any pattern is tried.
 */
function keyAhead(text: string, at: number): boolean {
  const limit = Math.min(text.length, at + REACH);
  if (isWords(text, at, Math.min(text.length, limit + LONG_RUN))) return false;
  let run = 0;
  let digits = 0;
  for (let i = at; i < limit || run > 0; i++) {
    const code = i < text.length ? text.charCodeAt(i) : 0;
    if (code >= 48 && code <= 57) {
      run++;
      digits++;
    } else if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90)) run++;
    else {
      // Inside keys, yet also between words: they neither count nor end a run that has digits.
      if (
        digits > 0 &&
        (code === 43 || code === 45 || code === 46 || code === 47 || code === 95 || code === 126)
      )
        continue;
      run = 0;
      digits = 0;
    }
    if (run >= LONG_RUN || (run >= 8 && digits > 0)) return true;
    if (i > limit + LONG_RUN) return false;
  }
  return false;
}

/** A run of so many letters is no word. */
const LONG_RUN = 16;
const DIGIT_BIT = 0x80;
const LENGTH_BITS = 0x7f;
/** By code unit: 0 for what ends a word, {@link LENGTH_BITS} for its letters, all bits for digits. */
const WORD_UNITS = new Uint8Array(0x10000);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
  WORD_UNITS[letter.charCodeAt(0)] = LENGTH_BITS;
for (const digit of "0123456789") WORD_UNITS[digit.charCodeAt(0)] = DIGIT_BIT | LENGTH_BITS;

/** Whether there is neither a digit nor a run of {@link LONG_RUN} letters: told without a branch at each word's end. */
function isWords(text: string, from: number, to: number): boolean {
  let run = 0;
  let seen = 0;
  let longest = 0;
  for (let i = from; i < to; i++) {
    const unit = WORD_UNITS[text.charCodeAt(i)] as number;
    run = (run + 1) & unit & LENGTH_BITS;
    longest |= run;
    seen |= unit;
  }
  return seen < DIGIT_BIT && longest < LONG_RUN;
}

/** Where the format of the vendor says nothing: a word for a credential, then something no person would write. */
export const SECRET_RULES: readonly Rule[] = [
  {
    id: "secrets/assigned-quoted",
    type: "SECRET",
    level: "S2",
    confidence: 0.75,
    keywords: SECRET_WORDS,
    gate: keyAhead,
    pattern: new RegExp(
      `${WORD}${IDENTIFIER_TAIL}\\\\?["'\`\\]]{0,2}\\s{0,16}(?:=>|:=|[!=]==?|[:=,(])\\s{0,16}\\(?\\\\?["'\`](?:(?:Bearer|Basic|Token|SSWS) )?(?<v>[^\\s"'\`\\\\<>{}()]{8,400})\\\\?["'\`]`,
      "i",
    ),
    validate: (value, context) => isSecret(value, context, 0.5),
    examples: {
      ok: [
        `api_token = "d37a8b9e09642cb73cfcf4e1284815fc3d6a55a7"`,
        `{"clientSecret": "Ufvuj-d6alhwGKvvLh_8Nq0K"}`,
        `if token == 'aB3dE6gH9jK2mN5p':`,
      ],
      ng: [
        `token = getToken("ctx1")`,
        `key: "user.settings.theme"`,
        `access_token_url = "d37a8b9e09642cb73cfcf4e1284815fc3d6a55a7"`,
        `apiKeyEnv: "OPENAI_API_KEY_2"`,
      ],
    },
    source: "CWE-798; OWASP Secrets Management Cheat Sheet",
  },
  {
    id: "secrets/assigned-bare",
    type: "SECRET",
    level: "S2",
    confidence: 0.7,
    keywords: SECRET_WORDS,
    gate: keyAhead,
    pattern: new RegExp(
      `${WORD}${IDENTIFIER_TAIL}["'\`\\]]{0,2}\\s{0,3}(?:=>|:=|[!=]==?|[:=])\\s{0,4}(?:(?:Bearer|Basic|Token|SSWS) )?(?<v>[A-Za-z0-9_+/=.~%-]{8,1000})(?![\\w({[])`,
      "i",
    ),
    validate: (value, context) => /\d/.test(value) && isSecret(value, context, 0.6),
    examples: {
      ok: [
        "MY_SECRET: p8e-ibndcvsmAp9ZgPBZ606FSlYIZVlsZ",
        "?token=38bb7b318cc6898c80317decb34525844bc9db55&x=1",
      ],
      ng: [
        "const token = readToken2(file)",
        "sessionKey = params.sessionKey2.value",
        "max_tokens: 100000000000",
        "key=constants_1.Auth.NoAuth",
      ],
    },
    source: "CWE-798; OWASP Secrets Management Cheat Sheet",
  },
  {
    id: "secrets/assigned-line",
    type: "SECRET",
    level: "S2",
    confidence: 0.65,
    keywords: ["secret", "token", "key", "access", "private"],
    gate: keyAhead,
    // A line that is nothing but NAME=value, as in .env and .ini files, is believed with less proof.
    pattern:
      /(?<=(?:^|\n)[ \t#/>-]{0,8}(?:export |set )?\w[\w.-]{0,40})(?:secret|token|key|access|private)(?:[_-]?(?:key|token|secret|access|api)){0,2}["']? {0,2}[=:] {0,2}["']?(?<v>[A-Za-z0-9_+/=-]{12,1000})["']?;?(?=[ \t]{0,8}(?:$|[\r\n#]))/i,
    validate: (value, context) =>
      isSecret(value, context, 0.6) || (isKeyShaped(value) && isSecret(value, context, 0)),
    examples: {
      ok: [
        "uplead_token=eduf0pezfibcmvlvdtbpf5s8bjbkxqpw",
        "EXAMPLE_API_KEY=12345678901234567890123456789012",
      ],
      ng: [
        "token_key=configuration",
        "sessionKey: currentSessionKey",
        "api_key = OPENAI_API_KEY",
        "my_token=max_output_tokens",
      ],
    },
    source: "The Twelve-Factor App, III. Config; dotenv",
  },
  {
    id: "secrets/beside-vendor",
    type: "API_KEY",
    level: "S2",
    confidence: 0.65,
    keywords: VENDOR_NAMES,
    gate: keyAhead,
    pattern:
      /(?<![A-Za-z0-9])\w[\w.-]{1,47}?(?: (?:secret|private|access|api|key|token|client|app|project|org)\w{0,12}){0,4}["']?(?:\s{0,3}(?:=>|[=:,])\s{0,3}|[ \n.-]{1,3})["'([]{0,2}(?<v>[A-Za-z0-9][A-Za-z0-9_+/=.%-]{12,300})(?![\w(/@])/i,
    validate: (value, context) => {
      if (isPlaceholder(value) || URL_PART.test(lineBefore(context, 80))) return false;
      return randomness(value) >= (SECRET_WORD.test(lineBefore(context, 60)) ? 0.6 : 0.9);
    },
    examples: {
      ok: ["wandb 123e4567abcd4567abcd4567abcd4567abcd4567", "chartmogul a1b2c3d4e5f6g7h8i9j0k1l2m3n4o5p6"],
      ng: [
        "github is a code host",
        "https://github.com/a/b/commit/123e4567abcd4567abcd4567abcd4567abcd4567",
        "openai gpt-4o-2024-08-06",
      ],
    },
    source: "names of services with a public API",
  },
  {
    id: "secrets/compared",
    type: "SECRET",
    level: "S2",
    confidence: 0.6,
    keywords: ["secret"],
    pattern: /secret["'\]]{0,2}(?:\s{0,3}[!=]={1,2}\s{0,3}|:\s{1,3})["'](?<v>[^\s"'<>{}$()]{8,120})["']/i,
    validate: (value) =>
      !isPlaceholder(value) &&
      !/secret|x{3}|y{3}|^[A-Z_]+$/.test(value) &&
      /[a-z\d][-#@!&*_.][a-z\d]/i.test(value) &&
      !/^\w+[:/]/.test(value) &&
      !/^[\w]+(?:\.[\w]+)+$/.test(value),
    examples: {
      ok: [`if creds.Secret != "open-sesame" {`, "Secret: 'development#product'"],
      ng: [
        `secret: "string"`,
        `type.secret === "object"`,
        `secret: "channels.slack.botToken"`,
        `secret: "shared-secret"`,
      ],
    },
    source: "CWE-798",
  },
  {
    id: "secrets/beside-word",
    type: "SECRET",
    level: "S2",
    confidence: 0.65,
    keywords: SECRET_WORDS,
    gate: keyAhead,
    pattern: new RegExp(
      `${WORD}\\w{0,20}(?:[ .:-]{1,4}(?:key|token|access|secret))?(?:[ \\n.:-]{1,4}|["']?, ?)["']?(?<v>[A-Za-z0-9_+/=-]{14,200})["']?(?![\\w/=+.(-])`,
      "i",
    ),
    validate: (value, context) => {
      const shouted = SHOUTED.test(lineBefore(context, 24));
      if (!/\d/.test(value) && !(shouted && /^[A-Za-z]{24,}$/.test(value))) return false;
      return isSecret(value, context, shouted ? 0.5 : 0.85) && !COMMIT.test(lineBefore(context, 60));
    },
    examples: {
      ok: [
        "webscraper SECRET 1234567890abcdef1234567890abcdef",
        "access-key-12345678-abcd1234efgh5678ijkl9012mnop3456",
        `("sonar.login", "826de5590c75919a8317fdface58206eebe7ebbc")`,
      ],
      ng: [
        "the secret ingredient is love",
        "key phrases-of-the-day-and-night",
        "oauth-refresh-failure-CVji5U1C.mjs",
      ],
    },
    source: "CWE-798; OWASP Secrets Management Cheat Sheet",
  },
];

const URL_PART =
  /(?:https?:\/\/|www\.)[^\s"'<>]{0,80}$|(?:commit|sha\d*|integrity|checksum|digest|revision)[^\n]{0,20}$/i;

const SECRET_WORD = /secret|private|access|key|token|password|credential/i;

/** One token of letters and digits, or longer than any word, or digits only and longer than any number. */
function isKeyShaped(value: string): boolean {
  if (entropy(value) < 2) return false;
  if (/^\d+$/.test(value)) return value.length >= 24;
  if (/^[A-Z]+(?:_[A-Z0-9]+)+$/.test(value)) return false;
  if (!/\d/.test(value))
    return /^[A-Za-z]{22,}$/.test(value) && !/^[A-Za-z][a-z]{2,}(?:[A-Z][a-z]{2,})+$/.test(value);
  return /\d[A-Za-z]|[A-Za-z]\d/.test(value) && !/^[a-z]+(?:[-_/.][a-z]+)*[-_/.]?\d{1,8}$/i.test(value);
}

/** SECRET, ACCESS TOKEN: in capitals the word is a heading for what follows. */
const SHOUTED = /(?:SECRET|PRIVATE|ACCESS|KEY|TOKEN)["':. =-]{1,3}$/;

const COMMIT = /(?:commit|sha\d*|integrity|checksum|digest|revision|tree|blob)[^\n]{0,20}$/i;

/** The last word of the identifier that a value is assigned to, in lower case: `url` of `accessTokenUrl = "`. */
function lastWordBefore({ text, start }: MatchContext): string {
  let end = start;
  while (end > 0 && start - end < 12 && !isWordCharacter(text.charCodeAt(end - 1))) end--;
  let from = end;
  const isUpper = (index: number): boolean => /[A-Z]/.test(text.charAt(index));
  const shouting = end > 1 && isUpper(end - 1);
  while (
    from > 0 &&
    end - from < 16 &&
    /[A-Za-z]/.test(text.charAt(from - 1)) &&
    isUpper(from - 1) === shouting
  )
    from--;
  if (!shouting && from > 0 && isUpper(from - 1)) from--;
  // `token` alone is the whole identifier, not the last word of one.
  return (from > 0 && /[\w-]/.test(text.charAt(from - 1))) || (!shouting && isUpper(from))
    ? text.slice(from, end).toLowerCase()
    : "";
}

function isWordCharacter(code: number): boolean {
  return (
    (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95
  );
}

/** AWS secret access keys have 40 characters (IAM User Guide): anything else beside that name is none. */
const AWS_SECRET_NAME = /(?:aws_?secret(?:_?access)?_?key|secret_access_key)\W{0,12}$/i;

function isSecret(value: string, context: MatchContext, atLeast: number): boolean {
  if (isPlaceholder(value) || textAfter(context, 1) === "(" || OTHER_VALUES.has(lastWordBefore(context)))
    return false;
  if (AWS_SECRET_NAME.test(context.text.slice(Math.max(0, context.start - 48), context.start))) {
    return /^[A-Za-z0-9+/]{40}$/.test(value);
  }
  return randomness(value) >= atLeast;
}
