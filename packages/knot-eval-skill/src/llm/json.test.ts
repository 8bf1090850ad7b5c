import { describe, expect, it } from "vitest";
import * as z from "zod";
import { LlmJsonError, parseLlmJson } from "./json.ts";

const schema = z.array(z.object({ q: z.string() }));
const value = [{ q: "年假几天？" }];
const json = JSON.stringify(value);

describe("parseLlmJson", () => {
  it.each([
    ["plain", json],
    ["white space around", `\n  ${json}\n`],
    ["a fence", `\`\`\`json\n${json}\n\`\`\``],
    ["a fence with prose around", `好的：\n\`\`\`\n${json}\n\`\`\`\n希望有用`],
    ["an unclosed fence", `\`\`\`json\n${json}`],
    ["thinking before it", `<think>要 [1] 和 {"a":1}</think>${json}`],
    ["thinking without opening tag", `先想想 [x]</think>\n${json}`],
    ["prose with brackets before it", `根据 [文档] 出题：${json} 完毕`],
    ["a trailing comma", '[{"q": "年假几天？",}]'],
    ["single quotes", "[{'q': '年假几天？'}]"],
    ["a cut end", '[{"q": "年假几天？"'],
    ["an example object before the answer", `格式如 {"q": 1} ，答案：${json}`],
    ["full-width quotes around keys", "[{“q”: “年假几天？”}]"],
  ])("%s", (_, text) => {
    expect(parseLlmJson(text, schema)).toEqual(value);
  });

  it.each([
    ["no JSON", "我不能出题", /no JSON/],
    ["another shape", '[{"question": 1}]', /0\.q/],
    ["an empty answer", "", /no JSON/],
  ])("refuses %s with a reason", (_, text, reason) => {
    expect(() => parseLlmJson(text, schema)).toThrow(LlmJsonError);
    expect(() => parseLlmJson(text, schema)).toThrow(reason);
  });
});
