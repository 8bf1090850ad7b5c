/**
 * Texts made to hurt: many keywords that lead nowhere, values that never end, separators without number, nested
 * escapes. Each is what the pattern of some rule would be slowest on. For the speed test and the benchmark.
 */
export interface AdversarialShape {
  readonly name: string;
  /** A text of about `size` code units. */
  make(size: number): string;
}

const fill = (unit: string) => (size: number) => unit.repeat(Math.ceil(size / unit.length)).slice(0, size);

function shape(name: string, unit: string): AdversarialShape {
  return { name, make: fill(unit) };
}

export const ADVERSARIAL_SHAPES: readonly AdversarialShape[] = [
  shape("one letter", "a"),
  shape("one digit", "1"),
  shape("digits and spaces", "1 "),
  shape("groups of four", "4111 "),
  shape("dashes and digits", "4-1-"),
  shape("dots and digits", "10.1."),
  shape("parentheses and digits", "(415) "),
  shape("plus signs", "+1"),
  shape("international numbers", "+12025550123 "),
  shape("phone words and numbers", "call me at 0494 92 82 3 "),
  shape("mobile numbers", "13800138000 "),
  shape("almost ID numbers", "110105194912310021 "),
  shape("almost IBANs", "GB82 WEST 1234 5698 7654 3 "),
  shape("at signs", "a@"),
  shape("mailboxes without end", "a.b@c."),
  shape("local part without end", "a.-+%"),
  shape("colons and hex", "fe80:"),
  shape("double colons", "a::"),
  shape("scheme without end", "x://a:b"),
  shape("password words", "password="),
  shape("password without end", `password="${"x".repeat(300)}`),
  shape("secret words", "secret_key_token_access: "),
  shape("secret words and keys", "token=aB3dE6gH9jK2 key-"),
  shape("vendors", "wandb "),
  shape("vendors and words", "twilio github_slack-openai.notion "),
  shape("token prefixes", "sk-ghp_xoxb-AKIA"),
  shape("JWT starts", "eyJhbGciOiJIUzI1NiJ9."),
  shape("PEM starts", "-----BEGIN RSA PRIVATE KEY-----\n"),
  shape("PEM without end", `-----BEGIN PRIVATE KEY-----\n${"QUJD".repeat(2_000)}`),
  shape("PuTTY starts", "PuTTY-User-Key-File-2: x"),
  shape("hash starts", "$6$ab$2a$12$krb5tgs$23$"),
  shape("ARNs", "arn:aws:s3:::"),
  shape("host labels", "a-b.c-d.internal.corp"),
  shape("bucket labels", "a.b-c.s3."),
  shape("home folders", "/home//Users/C:\\Users\\"),
  shape("curl and -u", "curl -u a:b "),
  shape("machine login", "machine x login y "),
  shape("user lines", "user = a\npassword = \n"),
  shape("environment lines", "A_TOKEN=aB3dE6gH9jK2mN5pQ8rS\n"),
  shape("percent signs", "%41%"),
  shape("percent escapes", "%2541"),
  shape("JSON escapes", "\\u0061\\u"),
  shape("base64", "QUJDREVGR0hJSktM"),
  shape(
    "base64 of base64",
    Buffer.from(Buffer.from("token=".repeat(400)).toString("base64")).toString("base64"),
  ),
  shape("zero-width", "1\u200b"),
  shape("full-width", "１３８００１３８０００"),
  shape("roles and names", "客户联系人姓名"),
  shape("customer names", "客户陈建国"),
  shape("plates", "京A"),
  shape("Chinese and digits", "电话１３８ "),
  shape("house numbers", "号"),
  shape("streets and numbers", "路1号"),
  shape("towns without street", "中山大道12 村"),
  shape("cookies", "cookie: a=b; "),
  shape("character references", "&#65;&#"),
  shape("mysql options", "mysql -u a -h b "),
  shape("passwords in prose", "password is hunter2 "),
  shape("quotes", "\"'`"),
  shape("new lines", "\n"),
  shape("numbers on lines", "1380\n"),
  shape("groups of numbers", "138_0013\t"),
  shape("escapes of all kinds", "%41\\u0041=41=42=43&#65;"),
  shape("soft line breaks", "a=\nb"),
  shape("lines of base64", "SGVsbG8gd29ybGQgSGVsbG8gd29ybGQgSGVsbG8gd29ybGQg\n"),
  shape("hex dump", "48 65 6c "),
  shape("look-alike letters", "\u0430a\u0410"),
  shape("marks", "a\u0301"),
  shape("digits in Chinese", "一三八零零"),
  shape("passwords in Chinese", "密码是"),
  shape("private keys without end", "-----BEGIN PRIVATE KEY-----\nMIIE"),
];
