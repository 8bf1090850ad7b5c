import { describe, expect, it } from "vitest";
import { KeywordMatcher } from "./matcher.ts";

const matcher = new KeywordMatcher({ equivalents: [["网关", "gateway"]] });
const find = (keyword: string, answer: string) => matcher.match(keyword, matcher.prepareAnswer(answer));
const hits = (keyword: string, answer: string) => "hit" in find(keyword, answer);

describe("a question is no statement", () => {
  it.each([
    ["提供发票", "很抱歉，知识库中没有找到关于是否提供发票的说明。", false],
    ["支持退货", "能否支持退货请咨询客服。", false],
    ["需要押金", "是否需要押金？需要，每间 200 元。", true],
    ["需要押金", "是否需要押金？不需要。", false],
    ["支持退货", "是否支持退货：支持退货。", true],
    ["报销流程", "资料中没有找到有关报销流程的内容。", false],
    ["是否加急", "下单时选择是否加急。", true],
  ])("%s in %s", (keyword, answer, expected) => expect(hits(keyword, answer)).toBe(expected));
});

describe("the same said the other way round", () => {
  it.each([
    ["不支持IE浏览器", "支持 Chrome，IE 浏览器目前暂不支持。", true],
    ["不支持IE浏览器", "IE 浏览器已支持；旧打印机不支持。", false],
    ["不支持IE浏览器", "IE 浏览器并不是不支持。", false],
    ["先申请后采购", "必须先提交申请，再下单采购。", true],
    ["先申请后采购", "允许先采购后申请。", false],
    ["先申请后采购", "不必先申请再采购。", false],
    ["1500元/月", "每人每月补贴1500元。", true],
    ["1500元/月", "每年补贴1500元，每月发放一次。", false],
    ["每月1500元", "标准为1,500元/月。", true],
    ["200元/人", "每人15元，共200元。", false],
  ])("%s in %s", (keyword, answer, expected) => expect(hits(keyword, answer)).toBe(expected));

  it("marks the place", () => {
    const answer = "支持 Chrome，IE 浏览器暂不支持。";
    const result = find("不支持IE浏览器", answer);
    const span = "hit" in result ? result.hit.spans[0] : undefined;
    expect(answer.slice(span?.start, span?.end)).toBe("IE 浏览器暂不支持");
  });
});

describe("quantities in another unit", () => {
  it.each([
    ["90分钟", "考试时长一个半小时。", true],
    ["1.5小时", "考试时长90分钟。", true],
    ["2年半", "学制两年半。", true],
    ["90分钟", "考试时长半小时。", false],
    ["0.1%", "手续费率为千分之一。", true],
    ["0.1%", "手续费率为百分之一。", false],
    ["3千米", "全程3公里。", true],
    ["3千克", "重3公斤。", true],
    ["5000元", "共5千元。", true],
    ["1000元", "共5千元。", false],
    ["5百万元", "共五百万元。", true],
    ["2GB", "最大2000MB。", false],
    ["≥18岁", "申请人须年满18周岁。", true],
    ["≥18岁", "未满18周岁不得申请。", false],
    ["满300减50", "满300元减50元。", true],
    ["API网关", "所有请求先经过 API Gateway。", true],
  ])("%s in %s", (keyword, answer, expected) => expect(hits(keyword, answer)).toBe(expected));

  it("a conversion is said", () => {
    expect(find("90分钟", "一个半小时")).toMatchObject({ hit: { because: "90分钟 = 1.5小时" } });
  });
});

describe("answers made to be hard", () => {
  it("cannot forge our number marks", () => {
    expect(hits("70", "\ue001\ue017\ue010\ue002")).toBe(false);
    expect(hits("\ue00170\ue002", "70")).toBe(true);
  });

  it.each([
    "一",
    "-",
    "1:",
    "3-",
    "*",
    "<",
    "1,",
    "三分之",
    "百分之",
    "没有",
    "姓名、",
    "\ue001",
    "A/",
    "先",
    "每月",
  ])("60,000 characters of %j are read in linear time", (unit) => {
    const answer = unit.repeat(60_000 / unit.length);
    const started = performance.now();
    const prepared = matcher.prepareAnswer(answer);
    for (const keyword of [
      "年假5天",
      "姓名、工号",
      "不支持IE浏览器",
      "先申请后采购",
      "三分之一",
      "1500元/月",
    ])
      matcher.match(keyword, prepared);
    // Well under a second; quadratic code took 10 to 60.
    expect(performance.now() - started).toBeLessThan(8_000);
  });
});
