import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detect } from "../detect/detect.ts";
import { compileUserRules } from "./compile.ts";
import { RuleError } from "./rule-error.ts";

function found(rules: Parameters<typeof compileUserRules>[0], text: string): string[] {
  return compileUserRules(rules)
    .find(text)
    .map(({ start, end, level }) => `${level} ${text.slice(start, end)}`)
    .sort();
}

describe("keywords", () => {
  it.each([
    ["token", "the token is here", true],
    ["token", "Token!", true],
    ["token", "tokenizer and tokens", false],
    [".env", "cat .env", true],
    [".env", "/srv/app/.env", true],
    [".env", "process.env.PORT", false],
    [".env", "import.meta.env", false],
    [".key", "event.key", false],
    [".key", "/etc/ssl/server.key", true],
    [".pem", "server.pem is missing", true],
    ["ssh", "sshd and openssh", false],
    ["微信", "微信客户端", true],
    ["身份证", "请填写身份证号", true],
    ["id_rsa", "~/.ssh/id_rsa.pub", true],
  ])("%s in %s: %s", (keyword, text, expected) => {
    expect(found({ keywords: { S2: [keyword] } }, text).length > 0).toBe(expected);
  });

  it("gives both levels and both places", () => {
    expect(found({ keywords: { S2: ["salary"], S3: ["resume"] } }, "salary, resume, salary")).toEqual([
      "S2 salary",
      "S2 salary",
      "S3 resume",
    ]);
  });

  it("finds what the user wrote in full width, with other cases, with what does not show", () => {
    const policy = {
      userRules: compileUserRules({
        keywords: { S3: ["密码：甲", "ＦＷ", "Ünïcode", "a\u200bbc"] },
        patterns: { S3: ["口令：\\S+", "［.{1,8}］"] },
      }),
    };
    for (const text of [
      "密码：甲",
      "密码:甲",
      "FW",
      "ＦＷ",
      "ÜNÏCODE",
      "ünïcode",
      "abc",
      "口令：猫猫猫",
      "［天穹］",
    ]) {
      const found = detect(`x ${text} y`, policy).filter(({ rule }) => rule.startsWith("user/"));
      expect(found.map(({ value }) => value)).toContain(text);
    }
    expect(detect("电话１３８００１３８０００", { allow: ["13800138000"] })).toEqual([]);
  });

  it("takes any number of different characters", () => {
    const keywords = Array.from({ length: 600 }, (_, i) =>
      String.fromCharCode(0x4e00 + 2 * i, 0x4e01 + 2 * i),
    );
    expect(found({ keywords: { S3: keywords } }, `x${keywords[599]}x`)).toEqual([`S3 ${keywords[599]}`]);
  });
});

describe("patterns", () => {
  it("honours (?i), (?s) and (?m)", () => {
    expect(found({ patterns: { S2: ["(?i)abc\\d"] } }, "ABC1 abc2")).toEqual(["S2 ABC1", "S2 abc2"]);
    expect(found({ patterns: { S2: ["(?s)a.b"] } }, "a\nb")).toEqual(["S2 a\nb"]);
    expect(found({ patterns: { S2: ["(?m)^b$"] } }, "a\nb\nc")).toEqual(["S2 b"]);
  });

  it("counts in UTF-16 code units", () => {
    const text = "😀😀 AB12 😀";
    const [match] = compileUserRules({ patterns: { S3: ["[A-Z]{2}\\d\\d"] } }).find(text);
    expect(text.slice(match?.start, match?.end)).toBe("AB12");
  });

  it.each([
    ["a(b[c", 3],
    ["x(?=y)", 1],
    ["(a)\\1", 3],
    ["a**", 1],
  ])("refuses %s with its text and position", (pattern, position) => {
    const compile = () => compileUserRules({ patterns: { S3: ["ok", pattern] } });
    expect(compile).toThrow(RuleError);
    try {
      compile();
    } catch (error) {
      expect(error).toMatchObject({ where: "patterns.S3[1]", text: pattern, position });
      expect(String(error)).toContain(JSON.stringify(pattern));
    }
  });

  it("refuses what is empty or matches everywhere", () => {
    expect(() => compileUserRules({ patterns: { S2: ["x*"] } })).toThrow(/everywhere/);
    expect(() => compileUserRules({ patterns: { S2: [""] } })).toThrow(RuleError);
    expect(() => compileUserRules({ keywords: { S2: [" "] } })).toThrow(RuleError);
  });

  it.each([
    ["(a?){500}a{500}", 4],
    ["(?i)code-\\d{2}[a-z\\x{4e00}]{600}", 27],
    ["(\\w{10}x){60}", 9],
  ])("refuses %s, which would hold up every text", (pattern, position) => {
    expect(() => compileUserRules({ patterns: { S2: [pattern] } })).toThrow(
      expect.objectContaining({ name: "RuleError", position, where: "patterns.S2[0]" }),
    );
    expect(() => compileUserRules({ patterns: { S2: [pattern] } })).toThrow(/500 are allowed/);
  });

  it("takes long lists of words", () => {
    const words = Array.from({ length: 800 }, (_, i) => `customer-${i.toString(36)}-${i * 7}`);
    const rules = compileUserRules({ patterns: { S2: [`(?i)\\b(?:${words.join("|")})\\b`, `ab{1,200}c`] } });
    expect(rules.find(`x ${words[799]?.toUpperCase()} y`)).toHaveLength(1);
  });

  it.each([
    ["([a-z]+ )*x", "x"],
    ["(?:\\w+\\s*)*!|k", "k"],
    ["a[\\s\\S]*b|a", "a"],
    ["(?:[a-z]{0,100}){2}y", "x"],
    ["[a-z]{200}y", "x"],
    ["(.*)(.*)(.*)z|x", "x"],
  ])("searches %s in little time, and hides the rest when it cannot", (pattern, unit) => {
    const rules = compileUserRules({ patterns: { S3: [pattern] } });
    const text = `${unit.repeat(100_000)}yz`;
    rules.find(text.slice(0, 500));
    const before = process.cpuUsage();
    const matches = rules.find(text);
    const { user, system } = process.cpuUsage(before);
    // The budget is 30 ms, one search may go on beyond it; without the budget these take from 0.4 s to minutes.
    expect((user + system) / 1e3).toBeLessThan(150);
    const covered = matches.reduce((sum, { start, end }) => sum + end - start, 0);
    if (unit !== "x" || !pattern.includes("y")) expect(covered).toBeGreaterThanOrEqual(100_000);
    else expect(matches.some(({ end }) => end >= 100_001)).toBe(true);
  });

  it("finds a bounded pattern in windows as in one piece", () => {
    const pattern = "(?:ab{1,40}|x[^y]{3}|😀{2})z?";
    const rules = compileUserRules({ patterns: { S2: [pattern] } });
    const expression = /(?:ab{1,40}|x[^y]{3}|(?:😀){2})z?/gu;
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("a", "b".repeat(39), "x", "yy", "z", "😀", "q".repeat(900), "\n", "b"), {
          minLength: 20,
          maxLength: 120,
        }),
        (parts) => {
          const text = parts.join("");
          const spans = rules.find(text).map(({ start, end }) => [start, end]);
          expect(spans).toEqual([...text.matchAll(expression)].map((m) => [m.index, m.index + m[0].length]));
        },
      ),
    );
  });

  it("finds the same in long texts, block by block, as in one piece", () => {
    const rules = compileUserRules({ patterns: { S2: ["(?i)srv-\\d+", "[a-z]+@corp"] } });
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("x".repeat(900), "SRV-12", "\n", " mail@corp ", "\n\n", "y z ", "😀"), {
          maxLength: 60,
        }),
        (parts) => {
          const text = parts.join("");
          const expected = [...text.matchAll(/srv-\d+|[a-z]+@corp/gi)].filter(
            (m) => !/[A-Z]/.test(m[0]) || /^srv/i.test(m[0]),
          );
          const places = rules.find(text).map(({ start }) => start);
          for (const match of expected) expect(places).toContain(match.index);
        },
      ),
      { numRuns: 100 },
    );
  });

  it("stays linear on what blows up backtracking engines", () => {
    const rules = compileUserRules({ patterns: { S2: ["(a+)+$", "(a|aa)+b", "(\\w+\\s?)+:"] } });
    const started = performance.now();
    rules.find(`${"a".repeat(100_000)}!`);
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("tools and paths", () => {
  const rules = compileUserRules(
    {
      tools: {
        S2: { tools: ["execute_sql"], paths: ["~/secrets", "*.pem"] },
        S3: { tools: ["sudo"], paths: ["~/.ssh", "/root", "/credentials/"] },
      },
    },
    { home: "/home/carol" },
  );

  it.each([
    ["sudo", "S3"],
    ["Execute_SQL", "S2"],
    ["read", "S1"],
  ])("tool %s is %s", (tool, level) => expect(rules.toolLevel(tool)).toBe(level));

  it.each([
    ["~/.ssh/id_rsa", "S3"],
    ["/home/carol/.ssh", "S3"],
    ["/home/carol/x/../.ssh//config", "S3"],
    ["/home/carol/.sshx", "S1"],
    ["/root/x", "S3"],
    ["/var/root/x", "S1"],
    ["/srv/credentials/db.json", "S3"],
    ["C:\\app\\Credentials\\x", "S3"],
    ["/home/carol/secrets/a", "S2"],
    ["./keys/server.PEM", "S2"],
    ["/tmp/x", "S1"],
  ])("path %s is %s", (path, level) => expect(rules.pathLevel(path)).toBe(level));
});
