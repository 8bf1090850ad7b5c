/** What went wrong and what to do about it, in the user's language. */
import { ApiFault } from "../api/fault.ts";
import { say, words } from "./words.ts";

const faultWords = words({
  en: {
    offline: "The gateway does not answer. Check that it is running (openclaw gateway), then try again.",
    unauthenticated: "Your session has ended. Sign in again.",
    "bad-credential":
      "That did not fit. Check the token, or make a new link with: openclaw clawxrouter dashboard",
    "bad-host":
      "The gateway does not accept this address. Open the page by 127.0.0.1, or add the name to dashboard.hosts in clawxrouter.json.",
    "bad-origin": "The request came from another page. Open the dashboard directly and try again.",
    "bad-csrf": "The page is out of date. Load it again.",
    "not-local": "This works only in a browser on the gateway's own machine.",
    forbidden: "This can only be changed in clawxrouter.json on disk, because it runs as code.",
    "not-found": "It is no longer there. Load the page again.",
    "bad-method": "The page and the plugin do not fit together. Load the page again.",
    conflict: "Somebody else changed it meanwhile. What they wrote is now loaded; repeat your change.",
    "too-large": "That is too much text. Make it shorter.",
    "bad-content-type": "The page and the plugin do not fit together. Load the page again.",
    invalid: "The gateway did not accept this:",
    "rate-limited": "Too many tries. Wait a minute, then try again.",
    "too-many-streams": "Too many dashboards are open. Close other tabs, then load this page again.",
    unavailable: "The gateway is busy or starting. Try again in a moment.",
    internal: "Something failed in the gateway. Its log says what.",
    line: (line: number) => `line ${line}`,
  },
  zh: {
    offline: "网关没有应答。请确认它正在运行（openclaw gateway），然后重试。",
    unauthenticated: "登录已失效，请重新登录。",
    "bad-credential": "凭据不对。请检查令牌，或用 openclaw clawxrouter dashboard 生成新链接。",
    "bad-host":
      "网关不接受这个地址。请用 127.0.0.1 打开，或在 clawxrouter.json 的 dashboard.hosts 中加入该主机名。",
    "bad-origin": "请求来自其他页面。请直接打开控制台后重试。",
    "bad-csrf": "页面已过期，请重新加载。",
    "not-local": "此操作只能在网关所在机器的浏览器中进行。",
    forbidden: "此项会作为代码运行，只能在磁盘上的 clawxrouter.json 中修改。",
    "not-found": "它已不存在，请重新加载页面。",
    "bad-method": "页面与插件版本不一致，请重新加载。",
    conflict: "期间有人改动过。已载入对方的内容，请重新修改。",
    "too-large": "内容过长，请缩短。",
    "bad-content-type": "页面与插件版本不一致，请重新加载。",
    invalid: "网关未接受：",
    "rate-limited": "尝试次数过多，请等一分钟再试。",
    "too-many-streams": "打开的控制台过多。请关闭其他标签页后重新加载。",
    unavailable: "网关正忙或正在启动，请稍后重试。",
    internal: "网关内部出错，详情见其日志。",
    line: (line: number) => `第 ${line} 行`,
  },
});

/** One text for a person. What the gateway found wrong in a document follows with its place. */
export function faultText(fault: unknown): string {
  const text = say(faultWords);
  if (!(fault instanceof ApiFault)) return text.internal;
  const { code, detail } = fault;
  if (code !== "invalid")
    return code === "internal" && detail.message ? `${text.internal} (${detail.message})` : text[code];
  const faults = detail.faults ?? [];
  if (faults.length === 0) return `${text.invalid} ${detail.message ?? ""}`.trim();
  return `${text.invalid} ${faults.map((entry) => placed(entry.message, entry.path, entry.line)).join("; ")}`;
}

/** `/privacy/proxyPort (line 4): must be a number` */
export function placed(message: string, path: string, line: number | null): string {
  const where = [
    path === "" ? undefined : path,
    line === null ? undefined : say(faultWords).line(line),
  ].filter((part) => part !== undefined);
  return where.length === 0 ? message : `${where.join(", ")}: ${message}`;
}
