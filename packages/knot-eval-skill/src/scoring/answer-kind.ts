/** What an answer is, apart from whether it is right. */

const NO_ANSWER =
  /(?:知识库|资料|文档|文件|检索结果|提供的内容|上下文)(?:中|里|内)?[^。！？\n]{0,16}(?:没有|未|无|暂无|找不到|查不到|未能)[^。！？\n]{0,12}(?:找到|提及|提到|包含|说明|相关|内容|信息|记录|检索到|涉及|规定)|(?:抱歉|对不起|很遗憾)[^。！？\n]{0,30}(?:无法|不能|没有|未|暂)[^。！？\n]{0,20}|(?:没有|未能?|无法|暂未|找不到)(?:找到|检索到|查询到|查到|获取到?|搜索到)[^。！？\n]{0,20}|我(?:不知道|不清楚|无法回答|无法确定)|暂无(?:相关)?(?:内容|信息|资料|数据)|(?:unable to|could not|couldn't|cannot|can't) (?:find|answer|locate)|\bno (?:relevant )?(?:information|documents?|results?|content) (?:was |were )?(?:found|available)|i don't know|not (?:mentioned|found) in the/i;

/** True when the agent says that it has no answer. A long answer with one such side remark is not a refusal. */
export function isRefusal(answer: string): boolean {
  const text = answer.trim();
  const match = NO_ANSWER.exec(text);
  if (!match) return false;
  return match.index < 80 && visibleLength(text) < 220;
}

/** Characters without white space and Markdown marks. */
export function visibleLength(text: string): number {
  return text.replace(/[\s#*_`>|~-]+/g, "").length;
}

/** An answer that says something: long enough and no refusal. */
export function isSubstantive(answer: string, minChars: number): boolean {
  return visibleLength(answer) >= minChars && !isRefusal(answer);
}
