import { describe, expect, it } from "vitest";
import { isChinese } from "./language.ts";

const english = () => "en-US";

describe("language of the commands", () => {
  it("is Chinese in every Chinese locale", () => {
    for (const LANG of ["zh_CN.UTF-8", "zh_TW", "zh", "zh-Hans-CN", "ZH_cn.utf8"])
      expect(isChinese({ LANG }, english)).toBe(true);
  });

  it("is English in any other, the portable ones included", () => {
    for (const LANG of ["en_US.UTF-8", "C.UTF-8", "POSIX", "de_DE", "zhuang"])
      expect(isChinese({ LANG }, english)).toBe(false);
  });

  it("takes LC_ALL before LC_MESSAGES before LANG, and passes over empty ones", () => {
    expect(isChinese({ LC_ALL: "en_US", LANG: "zh_CN" }, english)).toBe(false);
    expect(isChinese({ LC_MESSAGES: "zh_CN", LANG: "en_US" }, english)).toBe(true);
    expect(isChinese({ LC_ALL: "", LC_MESSAGES: "", LANG: "zh_CN" }, english)).toBe(true);
  });

  it("asks the system where no variable is set", () => {
    expect(isChinese({}, () => "zh-CN")).toBe(true);
    expect(isChinese({}, english)).toBe(false);
  });
});
