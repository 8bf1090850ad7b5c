import type { Language } from "../tools/messages.ts";

/** What the commands say to a person, in both languages. Keys, IDs, states and commands stay as they are. */
export const WORDS = {
  en: {
    mode: { embedded: "embedded, nothing leaves this machine", remote: "server" },
    labels: {
      mode: "mode",
      file: "file",
      damaged: "damaged",
      items: "items",
      outbox: "outbox",
      reminders: "reminders",
      recall: "recall",
      extraction: "extraction",
      serve: "serve",
      embeddings: "embeddings",
      missing: "MISSING",
    },
    copies: (n: number) => `${n} local copies`,
    readOnly: "READ-ONLY: searching works, saving does not",
    keptAt: (file: string) => `the former file is kept at ${file}`,
    none: "none",
    on: "on",
    off: "off",
    depth: (waiting: number, refused: number) => `${waiting} waiting, ${refused} refused`,
    granted: "all permissions granted",
    grants: {
      pluginsOff: "all plugins are off",
      off: "the plugin is off",
      notAllowed: "the plugin is not in the list of allowed plugins",
      denied: "the plugin is in the list of denied plugins",
      conversation: "reminders, recall and extraction are not possible",
      injection: "reminders and recall cannot be put into prompts",
      tools: (names: string) => `the agent may not use ${names}`,
    },
    hidden: (reason: string) => `hidden: ${reason}`,
    ofTotal: (n: number, total: number) => `${n} of ${total}`,
    noItem: (id: string) => `no knowledge with ID ${id}; list them with: openclaw knowhub list`,
    isCopy: (id: string, server: string) => `${id} is a copy of an item of ${server}; it is changed there`,
    oneWording: (id: string) => `${id} has only one wording`,
    hiddenFromAgents: (reason: string) => `HIDDEN from agents: ${reason}`,
    stillHidden: (reason: string) => `still hidden from agents: ${reason}`,
    replaced: (revision: number, at: string, by: string, reason: string) =>
      `revision ${revision} was replaced ${at} by ${by}: ${reason}`,
    exported: (n: number, file: string) => `${n} items -> ${file}`,
    imported: (saved: number, there: number, bad: number) =>
      `${saved} imported, ${there} there already, ${bad} not usable`,
    importedHint: "imports are found when searched for; trust one with: openclaw knowhub verify ID",
    line: (n: number, what: string) => `line ${n}: ${what}`,
    serving: (url: string) => `serving on ${url}, end with Ctrl-C`,
    token: (file: string) => `bearer token in ${file}`,
    retried: (n: number) => `${n} will be sent again by the running gateway`,
    noJob: (n: number) => `there is no number ${n} in the outbox`,
    nothingPrivate: "nothing private found",
    noUploads: "no uploads yet",
    removed: "removed",
    empty: "task and content must not be empty",
    localOnly: (server: string) =>
      `apiUrl is set: this is the store of this machine, not that of ${server}, which search and save use`,
  },
  zh: {
    mode: { embedded: "内置（embedded），内容不离开本机", remote: "服务器（remote）" },
    labels: {
      mode: "模式",
      file: "文件",
      damaged: "已损坏",
      items: "条目",
      outbox: "发件箱",
      reminders: "提醒",
      recall: "主动提供",
      extraction: "提取",
      serve: "对外服务",
      embeddings: "向量服务",
      missing: "缺少权限",
    },
    copies: (n: number) => `本地副本 ${n} 条`,
    readOnly: "只读：可以搜索，不能保存",
    keptAt: (file: string) => `原文件保留在 ${file}`,
    none: "无",
    on: "开",
    off: "关",
    depth: (waiting: number, refused: number) => `等待 ${waiting}，被拒 ${refused}`,
    granted: "权限齐全",
    grants: {
      pluginsOff: "所有插件都已关闭",
      off: "本插件已关闭",
      notAllowed: "本插件不在允许列表中",
      denied: "本插件在禁止列表中",
      conversation: "无法提醒、主动提供和提取",
      injection: "提醒和主动提供的内容无法放入提示词",
      tools: (names: string) => `agent 不能使用 ${names}`,
    },
    hidden: (reason: string) => `已隐藏: ${reason}`,
    ofTotal: (n: number, total: number) => `${n} / 共 ${total} 条`,
    noItem: (id: string) => `没有 ID 为 ${id} 的知识；列出全部: openclaw knowhub list`,
    isCopy: (id: string, server: string) => `${id} 是 ${server} 上条目的副本，请在服务器上修改`,
    oneWording: (id: string) => `${id} 只有一个版本`,
    hiddenFromAgents: (reason: string) => `对 agent 隐藏: ${reason}`,
    stillHidden: (reason: string) => `仍对 agent 隐藏: ${reason}`,
    replaced: (revision: number, at: string, by: string, reason: string) =>
      `版本 ${revision} 于 ${at} 被 ${by} 替换: ${reason}`,
    exported: (n: number, file: string) => `已导出 ${n} 条 -> ${file}`,
    imported: (saved: number, there: number, bad: number) =>
      `导入 ${saved} 条，已有 ${there} 条，无法使用 ${bad} 条`,
    importedHint: "导入的条目可被搜索到；确认可信请执行: openclaw knowhub verify ID",
    line: (n: number, what: string) => `第 ${n} 行: ${what}`,
    serving: (url: string) => `正在 ${url} 提供服务，按 Ctrl-C 结束`,
    token: (file: string) => `令牌在 ${file}`,
    retried: (n: number) => `${n} 条将由运行中的网关重新提交`,
    noJob: (n: number) => `发件箱中没有编号 ${n}`,
    nothingPrivate: "未发现隐私内容",
    noUploads: "还没有上传",
    removed: "已移除",
    empty: "task 和 content 不能为空",
    localOnly: (server: string) => `已设置 apiUrl：这里是本机的知识库，不是 search 和 save 使用的 ${server}`,
  },
} as const satisfies Record<Language, object>;

export type Words = (typeof WORDS)[Language];

/** Columns a text takes on a terminal: a Chinese character is two wide. */
function width(text: string): number {
  return Array.from(text).reduce((sum, char) => sum + (/\p{Script=Han}/u.test(char) ? 2 : 1), 0);
}

/** A label with blanks up to a column. */
export function padded(label: string, columns = 12): string {
  return label + " ".repeat(Math.max(1, columns - width(label)));
}
