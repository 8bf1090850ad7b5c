import { afterEach, expect, it, vi } from "vitest";
import { PATHS } from "../selftest/paths.ts";
import { failed, type SelfTestRow } from "../selftest/proxy-paths.ts";
import { pathText, selfTestText } from "./selftest-text.ts";

const row = (more: Partial<SelfTestRow>): SelfTestRow => ({
  path: "gateway: x",
  values: 1,
  requests: 1,
  leaked: [],
  answered: true,
  detail: "",
  ...more,
});
const untried = row({ requests: 0, answered: false, notTried: "no-utility-model" });

afterEach(() => vi.unstubAllEnvs());

it("says what was not tried, and does not count it", () => {
  vi.stubEnv("LC_ALL", "en_US.UTF-8");
  const text = selfTestText([row({}), untried]);
  expect(text).toContain("not tried: no utility model is set");
  expect(text).toContain("Nothing got through on 1 paths.");
  expect(text).toContain("1 paths were not tried.");
  expect(text).not.toContain("gave no answer");
  vi.stubEnv("LC_ALL", "zh_CN.UTF-8");
  expect(selfTestText([untried])).toContain("未测试：没有设置辅助模型");
});

it("fails for a leak, and for a path that should have answered", () => {
  expect(failed(row({}))).toBe(false);
  expect(failed(untried)).toBe(false);
  expect(failed({ ...untried, leaked: ["x"] })).toBe(true);
  expect(failed(row({ answered: false, detail: "no answer" }))).toBe(true);
});

it("names every path of the gateway in Chinese", () => {
  vi.stubEnv("LC_ALL", "zh_CN.UTF-8");
  for (const { name } of PATHS) expect(pathText(`gateway: ${name}`)).toMatch(/^网关：.*\p{Script=Han}/u);
  expect(pathText("proxy: responses")).toBe("代理：responses");
  expect(selfTestText([row({ answered: false, detail: "no answer" })])).toContain("否：没有回答");
});
