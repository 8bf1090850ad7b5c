import { describe, expect, it } from "vitest";
import { checkBuildable } from "../../config-file/buildable.ts";
import { ConfigError, parseConfig } from "../../config-file/parse.ts";
import { configErrorInChinese } from "./config-faults.ts";

function messageOf(text: string): string {
  try {
    checkBuildable(parseConfig(text, "c.json"), "c.json", text);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error("it is valid");
}

describe("faults of the settings, in Chinese", () => {
  it.each([
    ["[]", "第 1 行：/：必须是一个 JSON 对象"],
    ["{", "/：此处或稍前不是有效的 JSON"],
    ['{\n"__proto__": {}}', "第 2 行：/__proto__：没有这项设置"],
    ['{"privacy": {\n"nonsense": 1}}', "第 2 行：/privacy/nonsense：没有这项设置"],
    ['{"privacy": {"proxyPort": "x"}}', "第 1 行：/privacy/proxyPort：必须是整数"],
    ['{"privacy": {"proxyPort": 70000}}', "第 1 行：/privacy/proxyPort：必须小于或等于 65535"],
    ['{"privacy": {"s2Policy": "cloud"}}', "第 1 行：/privacy/s2Policy：只能是以下之一："],
    ['{"privacy": {"rules": {"patterns": {"S2": ["(a"]}}}}', "RE2 不接受这个正则"],
    ['{"privacy": {"rules": {"patterns": {"S2": ["a*"]}}}}', "因此到处都会命中"],
    [
      '{"privacy": {"rules": {"patterns": {"S2": ["a{1000}b{1000}c{1000}"]}}}}',
      "步（第 2 个字符处）：请减小次数",
    ],
    ['{"privacy": {"rules": {"keywords": {"S2": [" "]}}}}', "内容为空"],
    ['{"privacy": {"rules": {"keywords": "x"}}}', "必须是 JSON 对象"],
    ['{"privacy": {"routers": {"own": {"type": "custom"}}}}', '类型 "custom" 需要设置 module'],
    ['{"privacy": {"routers": {"own": {"type": "builtin"}}}}', '类型 "builtin" 只用于'],
  ])("%s", (text, expected) => {
    const message = configErrorInChinese(messageOf(text));
    expect(message).toContain("c.json 无效，仍使用上一份有效设置：\n");
    expect(message).toContain(expected);
    expect(message).not.toMatch(/Expected|must |needs|the pattern|no setting|entry/);
  });
});
