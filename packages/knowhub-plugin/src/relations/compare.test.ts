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
  ])("never %s = %s", (left, right) => {
    expect(of(left, right).certain).toBe(false);
    expect(of(right, left).certain).toBe(false);
  });
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
