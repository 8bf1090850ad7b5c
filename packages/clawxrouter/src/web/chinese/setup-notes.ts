/** What setup says of its own steps, and of what it cannot do, in Chinese. The planner writes it in English. */

type Say = (...parts: string[]) => string;

const FORMS: readonly (readonly [RegExp, Say])[] = [
  [/^lets ClawXRouter see messages, to route them$/, () => "允许 ClawXRouter 查看消息，以便路由"],
  [
    /^embeddings go through the proxy \(then run: (.+)\)$/,
    (command) => `向量嵌入经过代理（之后请运行：${command}）`,
  ],
  [
    /^local model \((.+)\): placeholders are restored on the way to (.+)$/s,
    (why, url) => `本地模型（${reason(why)}）：发往 ${url} 途中还原占位符`,
  ],
  [/^requests to (\S+) are redacted on the way$/, (url) => `发往 ${url} 的请求在途中脱敏`],
  [
    /^requests to (\S+) are redacted on the way \((.+); if it keeps text on this machine, add "(.+)" to privacy\.localProviders\.trust\)$/s,
    (url, why, id) =>
      `发往 ${url} 的请求在途中脱敏（${reason(why)}；如果它把文本留在本机，请把“${id}”加入 privacy.localProviders.trust）`,
  ],
  [
    /^keeps the agent in OpenClaw: another runtime passes neither proxy nor hooks$/,
    () => "让智能体留在 OpenClaw 中：其他运行环境既不经过代理也不经过钩子",
  ],
  [/^keeps the provider's protocol$/, () => "保持服务商的协议不变"],
  [
    /^memory\.search\.remote\.baseUrl points at a ClawXRouter proxy whose upstream is not known: .+$/s,
    () =>
      "memory.search.remote.baseUrl 指向一个上游未知的 ClawXRouter 代理：请改为真实地址，然后重新运行 setup",
  ],
  [
    /^provider "(.+)" has no base URL that can be put behind the proxy: .+$/s,
    (id) =>
      `服务商“${id}”没有可以经过代理的地址：请设置 models.providers.${id}.baseUrl 和 .api，然后重新运行 setup`,
  ],
  [
    /^provider "(.+)" speaks "(.+)", which the proxy does not read: .+$/s,
    (id, api) => `服务商“${id}”使用的协议“${api}”代理无法读取：请勿用它处理私密内容`,
  ],
  [/^provider "([^"]+)": (.+)$/s, (id, why) => `服务商“${id}”：${why}`],
];

const REASONS: readonly (readonly [RegExp, Say])[] = [
  [
    /^(.+) is neither on this machine nor in privacy\.localHosts$/,
    (host) => `${host} 既不在本机，也不在 privacy.localHosts 中`,
  ],
  [/^named in (privacy\.\S+)$/, (place) => `列于 ${place}`],
  [
    /^(.+) is local, but the name "(.+)" is that of a gateway$/,
    (host, id) => `${host} 在本机，但“${id}”是网关的名称`,
  ],
  [
    /^(.+) is local, but (.+) is a model of a cloud$/,
    (host, model) => `${host} 在本机，但 ${model} 是云端模型`,
  ],
  [/^(.+) is on this machine$/, (host) => `${host} 在本机`],
  [/^(.+) is in privacy\.localHosts$/, (host) => `${host} 列于 privacy.localHosts`],
];

export function setupInChinese(note: string): string {
  return said(FORMS, note);
}

function reason(why: string | undefined): string {
  return said(REASONS, why ?? "");
}

function said(forms: typeof FORMS, text: string): string {
  for (const [pattern, say] of forms) {
    const match = pattern.exec(text);
    if (match !== null) return say(...match.slice(1));
  }
  return text;
}
