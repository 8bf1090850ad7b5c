import { afterEach, describe, expect, it, vi } from "vitest";
import { planSetup } from "../setup/plan.ts";
import { isChinese, sayProblem, sayReason } from "./language.ts";

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

describe("what the gateway writes in English", () => {
  afterEach(() => vi.unstubAllEnvs());

  it("reads as reasons and problems in the language of the terminal", () => {
    const { problems } = planSetup(
      { models: { providers: { own: { models: [] }, odd: { baseUrl: "https://a.example", api: "odd" } } } },
      { port: 1, installKey: "k".repeat(40), localHosts: [], known: {} },
    );
    expect(problems).toHaveLength(2);
    vi.stubEnv("LC_ALL", "zh_CN.UTF-8");
    expect(sayReason("nothing private found")).toBe("未发现私密内容");
    expect(problems.map(sayProblem)).toEqual([
      expect.stringContaining("服务商“own”没有可以经过代理的地址"),
      expect.stringContaining("服务商“odd”使用的协议“odd”代理无法读取"),
    ]);
    vi.stubEnv("LC_ALL", "en_US.UTF-8");
    expect(sayReason("nothing private found")).toBe("nothing private found");
    expect(problems.map(sayProblem)).toEqual(problems);
  });
});
