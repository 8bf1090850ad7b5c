import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createBodyRedactor } from "./body.ts";
import { credentialKey, isCredentialHeader, isCredentialValue } from "./names.ts";
import { createSecretFinder } from "./secrets.ts";
import { createWireRedactor, redactUrlParts } from "./wire.ts";

// Made up at run time so that no scanner takes them for live ones.
const alnum = (n: number, seed = 7) =>
  Array.from(
    { length: n },
    (_, i) => "abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"[(i * 17 + seed * 31 + i * i) % 54],
  ).join("");
const githubToken = `gh${"p_"}${alnum(36)}`;
const googleKey = `AI${"za"}${alnum(35)}`;
const awsKey = `AK${"IA"}${"Q2W3E4R5T6Y7U7I4"}`;

const finder = createSecretFinder(false);
const wire = createWireRedactor(finder, true);
const bodies = createBodyRedactor(finder);

describe("headers and URLs", () => {
  it("hides credential headers of any case, keeps rate limits", () => {
    const out = wire.headers([
      ["Authorization", "Bearer x"],
      ["x-goog-api-key", googleKey],
      ["Set-Cookie", "a=1"],
      ["set-cookie", "b=2"],
      ["x-ratelimit-remaining-tokens", "1000"],
      ["anthropic-ratelimit-tokens-limit", "5"],
      ["x-note", `see ${githubToken}`],
    ]);
    expect(out).toMatchObject({
      authorization: "[REDACTED]",
      "x-goog-api-key": "[REDACTED]",
      "set-cookie": ["[REDACTED]", "[REDACTED]"],
      "x-ratelimit-remaining-tokens": "1000",
      "anthropic-ratelimit-tokens-limit": "5",
    });
    expect(JSON.stringify(out)).not.toContain(githubToken);
    expect(isCredentialHeader("X-Vendor-API-Key")).toBe(true);
  });

  it("redactAuthorization:false turns off the header rule only", () => {
    const open = createWireRedactor(finder, false);
    expect(open.headers([["authorization", "Bearer abc"]]).authorization).toBe("Bearer abc");
    expect(open.url(`https://g/v1?key=${googleKey}`)).not.toContain(googleKey);
  });

  it("hides parameters, signatures and user info; every other byte stays", () => {
    expect(redactUrlParts("https://g/v1beta/models/x:generateContent?alt=sse&key=abc&n=1")).toBe(
      "https://g/v1beta/models/x:generateContent?alt=sse&key=[REDACTED]&n=1",
    );
    expect(redactUrlParts("https://u:p@h/p?X-Amz-Signature=aa&api%5Fkey=bb&keyword=cc#access_token=dd")).toBe(
      "https://[REDACTED]@h/p?X-Amz-Signature=[REDACTED]&api%5Fkey=[REDACTED]&keyword=cc#access_token=[REDACTED]",
    );
  });
});

describe("JSON keys", () => {
  it("knows credential keys by exact name", () => {
    for (const key of ["apiKey", "api_key", "access_token", "refresh-token", "password", "secret"])
      expect(credentialKey(key)).toBe("strong");
    expect(credentialKey("token")).toBe("weak");
    for (const key of ["max_tokens", "tokens", "completion_tokens", "tokenizer", "passwordless", "secretary"])
      expect(credentialKey(key)).toBeUndefined();
  });

  it("wants values that are credentials", () => {
    expect(isCredentialValue("strong", "hunter2x")).toBe(true);
    for (const prose of [
      "string",
      "the user's password",
      ["$", "{API_KEY}"].join(""),
      "<your key>",
      "[REDACTED]",
    ])
      expect(isCredentialValue("strong", prose)).toBe(false);
    expect(isCredentialValue("weak", alnum(32))).toBe(true);
    for (const word of ["Hello", " world", "internationalization", "utf8", "GPT-4"])
      expect(isCredentialValue("weak", word)).toBe(false);
  });

  it("keeps logprobs and tool schemas, hides credentials", () => {
    const secret = alnum(32);
    const body = {
      max_tokens: 5,
      tools: [
        {
          function: {
            parameters: {
              type: "object",
              properties: {
                token: { type: "string" },
                password: { type: "string", description: "the password" },
              },
              required: ["token", "password"],
            },
          },
        },
      ],
      choices: [
        {
          logprobs: {
            content: [
              {
                token: "abc123def456gh",
                logprob: -0.1,
                bytes: [1],
                top_logprobs: [{ token: "a1b2c3d4e5", logprob: -2 }],
              },
            ],
          },
        },
      ],
      auth: { token: secret, access_token: "short1" },
    };
    const { text, count } = bodies.redact(JSON.stringify(body), "json");
    expect(count).toBe(2);
    expect(JSON.parse(text)).toEqual({ ...body, auth: { token: "[REDACTED]", access_token: "[REDACTED]" } });
  });
});

describe("bodies", () => {
  it("leave clean bodies byte for byte", () => {
    const odd = '{ "a" : "x\\u00e9\\/y", "b":[1.0,  2e3],"c":"日本\\n" }\n';
    expect(bodies.redact(odd, "json")).toEqual({ text: odd, count: 0 });
    fc.assert(
      fc.property(fc.json({ maxDepth: 4 }), (json) => {
        const { text, count } = bodies.redact(json, "json");
        if (count === 0) expect(text).toBe(json);
      }),
    );
  });

  it("replace the secret and keep every other byte, escapes included", () => {
    const body = `{ "a" : "x\\u00e9 ${githubToken} \\/y",  "b":1.0 }`;
    const { text } = bodies.redact(body, "json");
    expect(text).not.toContain(githubToken);
    expect(text).toMatch(/^\{ "a" : "xé \[REDACTED:[A-Z_]+\] \/y", {2}"b":1\.0 \}$/);
  });

  it("see private keys through JSON escapes and JSON in strings", () => {
    const key = [
      "-----BEGIN ",
      "PRIVATE KEY-----\n",
      `${alnum(64, 3)}\n${alnum(64, 4)}\n`,
      "-----END PRIVATE KEY-----\n",
    ].join("");
    const nested = JSON.stringify({ arguments: JSON.stringify({ file: key, password: "hunter2x" }) });
    const { text } = bodies.redact(nested, "json");
    expect(text).not.toContain(alnum(64, 3));
    expect(text).not.toContain("hunter2x");
    expect(JSON.parse(JSON.parse(text).arguments)).toHaveProperty("file");
  });

  it("work on cut JSON", () => {
    const cut = `{"messages":[{"content":"${awsKey} and ${githubToken}"},{"apiKey":"secretvalue1","x":"unfinish`;
    const { text } = bodies.redact(cut, "json");
    expect(text).not.toContain(awsKey);
    expect(text).not.toContain(githubToken);
    expect(text).not.toContain("secretvalue1");
    expect(text).toContain('"x":"unfinish');
  });

  it("see a secret split over SSE events, however it is split", () => {
    const answer = `your token is ${githubToken}, keep it`;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 10, maxLength: 40 }), (sizes) => {
        const pieces: string[] = [];
        let at = 0;
        for (const size of sizes) {
          pieces.push(answer.slice(at, at + size));
          at += size;
        }
        pieces.push(answer.slice(at));
        const sse = `${pieces.map((content) => `data: ${JSON.stringify({ id: "c1", choices: [{ delta: { content } }] })}`).join("\n\n")}\n\ndata: [DONE]\n\n`;
        const inspection = bodies.inspect();
        inspection.text(answer);
        for (const known of [undefined, inspection]) {
          const { text } = bodies.redact(sse, "lines", known);
          const joined = [...text.matchAll(/^data: (\{.*\})$/gm)]
            .map((m) => JSON.parse(m[1] ?? "{}").choices[0].delta.content)
            .join("");
          expect(joined).toMatch(/^your token is \[REDACTED:[A-Z_]+\], keep it$/);
        }
      }),
      { numRuns: 50 },
    );
  });

  it("redact values without changing the original", () => {
    const value = { prompt: `use ${githubToken}`, list: [{ apiKey: "abcd1234" }] };
    const out = bodies.redactValue(value);
    expect(out.count).toBe(2);
    expect(JSON.stringify(out.value)).not.toContain(githubToken);
    expect(value.prompt).toContain(githubToken);
  });
});
