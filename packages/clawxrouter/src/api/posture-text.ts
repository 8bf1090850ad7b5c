/** The posture for the page: each item in both languages, with its button or command. */
import type { Posture, PostureItem } from "../posture/posture.ts";

export interface LocalText {
  en: string;
  zh: string;
}

export interface PostureView {
  state: Posture["state"];
  items: {
    id: string;
    ok: boolean;
    severity: "red" | "yellow";
    text: LocalText;
    fix: { text: LocalText; command: string | null; action: "setup" | "self-test" | null } | null;
  }[];
}

export function postureView(posture: Posture): PostureView {
  return {
    state: posture.state,
    items: posture.items.map((item) => ({
      id: item.id,
      ok: item.ok,
      severity: item.severity,
      text: { en: item.text, zh: chinese(item) },
      fix: item.fix === undefined ? null : fixOf(item, item.fix),
    })),
  };
}

function chinese(item: PostureItem): string {
  const [kind = "", ...rest] = item.id.split(":");
  const name = rest.join(":");
  const [good, bad] = TEXTS[kind]?.(name, item.text) ?? [item.text, item.text];
  return item.ok ? good : bad;
}

/** By the first part of the id: text when fine, text when not; of the name in the id and the English text. */
const TEXTS: Record<string, (name: string, english: string) => [string, string]> = {
  config: () => ["clawxrouter.json 有效", "clawxrouter.json 无效，仍使用上一份有效设置"],
  access: () => ["已授予会话访问权限", "未授予会话访问权限：无法判断内容是否私密"],
  proxy: (_, english) => [
    english.includes("with the gateway") ? "隐私代理随网关运行" : "隐私代理正在运行",
    "隐私代理没有运行：端口被占用或启动失败",
  ],
  provider: (name) => [`模型服务 ${name} 经过隐私代理`, `模型服务 ${name} 没有经过隐私代理`],
  locality: (name, english) => [
    english.includes("is trusted as local") ? `模型服务 ${name} 按本机对待` : `模型服务 ${name} 按云端对待`,
    `模型服务 ${name} 的地址在本机，但看起来会转发到云端，因此按云端对待：它只得到占位符，私密对话不会发往它`,
  ],
  login: (name) => [name, `${name} 使用 OAuth 登录，其流量不经过隐私代理`],
  runtime: (name) => [name, `智能体运行在“${name}”中，其流量既不经过代理也不经过我们的钩子`],
  "memory-search": () => ["向量嵌入经过隐私代理", "memory.search.remote 没有经过隐私代理"],
  "local-model": () => ["私密对话由本地模型处理", "没有本地模型：私密对话会以说明结束"],
  "self-test": () => ["自检通过：没有内容泄漏", "自检未通过"],
};

function fixOf(item: PostureItem, fix: string): NonNullable<PostureView["items"][number]["fix"]> {
  const command = /openclaw [^;]*$/.exec(fix)?.[0]?.trim() ?? null;
  const kind = item.id.split(":")[0] ?? "";
  const byItself = command !== null && fix.trim() === command;
  const action =
    kind === "self-test"
      ? ("self-test" as const)
      : kind === "access" || (byItself && command.includes("clawxrouter setup"))
        ? ("setup" as const)
        : null;
  return { text: { en: fix, zh: FIXES[kind] ?? `请运行：${fix}` }, command, action };
}

const FIXES: Record<string, string> = {
  config: "请修正 clawxrouter.json（下方列出了出错的行）",
  access: "请授予会话访问权限",
  proxy: "请释放端口或修改 privacy.proxyPort，然后运行 setup",
  provider: "请运行 setup 让该服务经过代理，或改用其他服务",
  locality:
    "若它不会外传，请把它加入 privacy.localProviders.trust，否则加入 privacy.localProviders.treatAsCloud",
  login: "请改用 API 密钥，或改用其他服务",
  runtime: "请把该智能体的运行环境设为 openclaw，或不要让它接触私密内容",
  "memory-search": "请运行 setup",
  "local-model": "请在 models.providers 中添加本地模型（如 Ollama），然后运行 setup",
  "self-test": "请重新运行自检",
};
