import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { compare } from "./compare.ts";

// Servers, files and properties: a busy machine needs longer than the default.
vi.setConfig({ testTimeout: 30_000 });

const of = (left: string, right: string) =>
  compare({ task: "", content: left }, { task: "", content: right });

describe("certain duplicates", () => {
  it.each([
    ["使用 vitest --run 执行测试", "使用 ｖｉｔｅｓｔ --run 执行测试。"],
    ["Please use the pnpm lockfile", "use pnpm lockfile"],
    ["刷新\u200b凭证", "刷新凭证"],
  ])("%s = %s", (left, right) => {
    expect(of(left, right)).toMatchObject({ relation: "duplicate", certain: true });
  });

  it.each([
    ["启用缓存", "不要启用缓存"],
    ["超时 30s", "超时 60s"],
    ["a == b", "a != b"],
    ["x > 10", "x < 10"],
    ["limit is -1", "limit is 1"],
    ["limit is 3", "limit is 3.5"],
    ["从 A 迁移到 B", "从 B 迁移到 A"],
    ["本地库", "本库"],
    ["请求接口", "求接口"],
    ["use C", "use C++"],
    ["path a/b", "path a b"],
    ["误差小于 10³", "误差小于 103"],
    ["x₁ 大于 0", "x1 大于 0"],
    ["带宽 100 Mb/s", "带宽 100 MB/s"],
    ["功率 5 mW", "功率 5 MW"],
    ["git branch -d old", "git branch -D old"],
    ["导出 PATH 变量", "导出 path 变量"],
    ["默认密码必须修改？", "默认密码必须修改"],
    ["Should it be enabled?", "Should it be enabled"],
    ["2*(3+4)", "2*3+4"],
    ["call f()", "call f"],
    ["cd ..", "cd ."],
    ["git add .", "git add"],
    ["不，要启用缓存", "不要启用缓存"],
    ["他没，有权限", "他没有权限"],
    ["No, restart it", "No restart it"],
    ["服务器重启了", "服务器重启"],
    ["Just admins may delete", "Admins may delete"],
    ["plan a works", "plan works"],
    ['传 "0"', "传 0"],
    ["5! ways", "5 ways"],
    ["if a:\n  b()\nc()", "if a:\n  b()\n  c()"],
    ["这是 Go 写的", "这是 go 写的"],
  ])("never %s = %s", (left, right) => {
    expect(of(left, right).certain).toBe(false);
    expect(of(right, left).certain).toBe(false);
  });
});

it.each([
  ["去年的价格是每月二十元", "今年的价格是每月二十元"],
  ["王芳负责前端，李雷负责后端", "李雷负责前端，王芳负责后端"],
])("what is exchanged is no duplicate: %s / %s", (left, right) => {
  expect(of(left, right)).toMatchObject({ relation: "complement", certain: false });
});

it.each([
  ["一", 8000],
  ["!", 8000],
  [" ", 8000],
  ["的", 8000],
  ["1.", 4000],
  ["The ", 2000],
])("compares a long run of %j in less than a quarter of a second", (piece, times) => {
  const text = piece.repeat(times);
  const began = process.cpuUsage();
  of(text, `${text}x`);
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(250);
});

it("adding a negation or another number to any text is never a certain duplicate", () => {
  const words = fc.array(
    fc.constantFrom("启用", "缓存", "服务", "retry", "the", "config", "30s", "数据库", "，", " "),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(
      words,
      fc.nat(11),
      fc.constantFrom("不", "没有", "not ", "5", "never "),
      (parts, at, extra) => {
        const text = parts.join(" ");
        const changed = [...parts.slice(0, at), extra, ...parts.slice(at)].join(" ");
        expect(of(changed, text).certain).toBe(false);
      },
    ),
  );
});

it("one more character of meaning anywhere in a text is never a certain duplicate", () => {
  const texts = [
    "上线前不要启用缓存",
    "请求超时设为 60s",
    "Use git branch -d old",
    "x >= 5 时触发告警",
    "是 10 MB",
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...texts),
      fc.nat(30),
      fc.constantFrom(...Array.from("不没了吗呢零A1-?^²*/\\|~$_=<")),
      (text, at, extra) => {
        const chars = Array.from(text);
        const changed = [...chars.slice(0, at), extra, ...chars.slice(at)].join("");
        expect(of(changed, text).certain).toBe(false);
        expect(of(text, changed).certain).toBe(false);
      },
    ),
    { numRuns: 500 },
  );
});

it("is a duplicate of itself and symmetric in what it finds in common", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary", minLength: 1, maxLength: 80 }),
      fc.string({ maxLength: 80 }),
      (a, b) => {
        expect(of(a, b).similarity).toBeCloseTo(of(b, a).similarity);
        if (/[\p{L}\p{N}]/u.test(a)) expect(of(a, a).relation).toBe("duplicate");
      },
    ),
  );
});

it("a difference at the end of a long text is not overlooked, and long texts cost no more than short ones", () => {
  const long = "启用缓存并设置超时。".repeat(5_000);
  const at = performance.now();
  expect(of(`${long}启用`, `${long}不要启用`).certain).toBe(false);
  expect(performance.now() - at).toBeLessThan(1_000);
});

it("names the direction of containment", () => {
  const short = "部署前运行测试";
  const long = "部署前运行测试，并检查覆盖率报告，最后通知值班同学确认";
  expect(of(short, long).relation).toBe("subset");
  expect(of(long, short).relation).toBe("superset");
});
