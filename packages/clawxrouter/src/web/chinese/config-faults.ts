/** What is wrong in a clawxrouter.json, in Chinese. The parser writes it in English. */

type Say = (...parts: string[]) => string;

const KINDS: Readonly<Record<string, string>> = {
  number: "数字",
  integer: "整数",
  string: "字符串",
  boolean: " true 或 false",
  object: " JSON 对象",
  array: "数组",
};

const FORMS: readonly (readonly [RegExp, Say])[] = [
  [/^is not valid JSON here or just before$/, () => "此处或稍前不是有效的 JSON"],
  [/^must be a JSON object$/, () => "必须是一个 JSON 对象"],
  [/^(?:is no setting|Unexpected property)$/, () => "没有这项设置"],
  [/^Expected required property$/, () => "缺少必填的设置"],
  [/^must be one of: (.+)$/, (list) => `只能是以下之一：${list.replaceAll(", ", "、")}`],
  [/^Expected union value$/, () => "不是允许的值"],
  [/^Expected (?:number|integer) to be greater or equal to (\S+)$/, (least) => `必须大于或等于 ${least}`],
  [/^Expected (?:number|integer) to be less or equal to (\S+)$/, (most) => `必须小于或等于 ${most}`],
  [/^Expected (?:number|integer) to be greater than (\S+)$/, (least) => `必须大于 ${least}`],
  [/^Expected (?:number|integer) to be less than (\S+)$/, (most) => `必须小于 ${most}`],
  [/^Expected string length greater or equal to (\d+)$/, (least) => `至少要有 ${least} 个字符`],
  [/^Expected string length less or equal to (\d+)$/, (most) => `最多 ${most} 个字符`],
  [/^Expected string to match .+$/s, () => "格式不对"],
  [/^Expected array length to be less or equal to (\d+)$/, (most) => `最多 ${most} 项`],
  [/^Expected array length to be greater or equal to (\d+)$/, (least) => `至少 ${least} 项`],
  [/^Expected (number|integer|string|boolean|object|array)$/, (kind) => `必须是${KINDS[kind] ?? kind}`],
  [/^type "builtin" is for (.+)$/, (ids) => `类型 "builtin" 只用于 ${ids.replace(" and ", " 和 ")}`],
  [/^type "custom" needs a module$/, () => '类型 "custom" 需要设置 module'],
  [/^empty (?:entry|pattern)(?: at character \d+)?$/, () => "内容为空"],
  [
    /^RE2 does not accept this pattern \((.+)\) at character (\d+)$/s,
    (why, at) => `RE2 不接受这个正则（${why}），第 ${at} 个字符处`,
  ],
  [
    /^the pattern matches even the empty text, so it would match everywhere.*$/s,
    () => "这个正则连空文本也会匹配，因此到处都会命中",
  ],
  [
    /^counted repetitions make (\d+) steps of this pattern, (\d+) are allowed.* at character (\d+)$/s,
    (steps, most, at) =>
      `重复次数会把这个正则展开成 ${steps} 步，最多允许 ${most} 步（第 ${at} 个字符处）：请减小次数，或改用 + 或 *`,
  ],
];

/** One fault's message; the note in brackets that explains the setting is left out, its path names it. */
export function faultInChinese(message: string): string {
  const short = message.replace(/ \[[^\]]*\]$/, "");
  for (const [pattern, say] of FORMS) {
    const match = pattern.exec(short);
    if (match !== null) return say(...match.slice(1));
  }
  return message;
}

/** The whole message of a `ConfigError`: one line for the file, then one for each fault. */
export function configErrorInChinese(message: string): string {
  return message
    .split("\n")
    .map((line) => {
      const head = /^(.+) is not valid, the last good settings stay in force:$/.exec(line);
      if (head !== null) return `${head[1]} 无效，仍使用上一份有效设置：`;
      const fault = /^ {2}(?:line (\d+): )?(\/\S*): (.+)$/.exec(line);
      if (fault === null) return line;
      const [, number, path, what = ""] = fault;
      return `  ${number === undefined ? "" : `第 ${number} 行：`}${path}：${faultInChinese(what)}`;
    })
    .join("\n");
}
