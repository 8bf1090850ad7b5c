/** `/plugins/llm-logger/status`: numbers about the logger, no content of any call. The host leaves plugin routes open. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { isSilent } from "../cli/status.ts";
import type { LoggerStatus } from "../status.ts";

const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

/** Names under which a browser on this machine reaches the gateway; anything else may be DNS rebinding. */
const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/**
 * Answers GET and HEAD; JSON when asked for.
 * @param current the logger's status, undefined when it does not run.
 */
export function handleStatusPage(
  request: IncomingMessage,
  response: ServerResponse,
  current: () => LoggerStatus | undefined,
): boolean {
  response.setHeader("content-security-policy", POLICY);
  response.setHeader("x-content-type-options", "nosniff");
  response.setHeader("referrer-policy", "no-referrer");
  response.setHeader("cache-control", "no-store");
  response.setHeader("cross-origin-resource-policy", "same-origin");
  const end = (status: number, type: string, body: string) => {
    response.statusCode = status;
    response.setHeader("content-type", `${type}; charset=utf-8`);
    response.end(request.method === "HEAD" ? undefined : body);
    return true;
  };
  if (!LOOPBACK_HOST.test(request.headers.host ?? "")) {
    return end(
      403,
      "text/plain",
      "Open this page by a loopback address of the gateway's machine. / 请通过本机回环地址访问。\n",
    );
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    response.setHeader("allow", "GET, HEAD");
    return end(405, "text/plain", "Only GET. / 仅支持 GET。\n");
  }
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") {
    return end(403, "text/plain", "Not for other sites. / 不接受跨站请求。\n");
  }
  const status = current();
  const shown = status && publicStatus(status);
  if (request.headers.accept?.includes("application/json"))
    return end(200, "application/json", `${JSON.stringify(shown ?? null)}\n`);
  return end(200, "text/html", page(shown, status !== undefined && isSilent(status)));
}

export type PublicStatus = Omit<LoggerStatus, "logDir" | "pid" | "writer"> & {
  writer: Omit<LoggerStatus["writer"], "lastError">;
};

/** Whoever can reach the port may read this: no paths, no process id, no error texts. */
export function publicStatus(status: LoggerStatus): PublicStatus {
  const { logDir: _dir, pid: _pid, writer, counters, warnings, ...rest } = status;
  const { lastError: _error, ...written } = writer;
  return {
    ...rest,
    writer: written,
    counters: { ...counters, lastFault: counters.lastFault === null ? null : "see the gateway's log" },
    warnings: warnings.map(withoutDetail),
  };
}

function withoutDetail(warning: string): string {
  return warning.split(/, last: |: (?=[^ ])/, 1)[0] ?? "";
}

function page(status: PublicStatus | undefined, silent: boolean): string {
  const c = status?.counters;
  const rows = (pairs: [string, string | number][]) =>
    pairs
      .map(
        ([name, value]) =>
          `<tr><th scope="row">${escapeHtml(name)}</th><td>${escapeHtml(String(value))}</td></tr>`,
      )
      .join("");
  const seams = Object.entries(status?.seams ?? {})
    .map(
      ([name, seam]) =>
        `<tr><th scope="row">${escapeHtml(name)}</th><td>${seam.live ? '<span class="live">● live</span>' : "○ –"}</td><td>${seam.seen}</td><td>${escapeHtml(seam.reason)}</td></tr>`,
    )
    .join("");
  const notes = [...(status?.permissions ?? []), ...(status?.warnings ?? [])]
    .map((note) => `<li>${escapeHtml(note)}</li>`)
    .join("");
  const numbers: [string, string | number][] = c
    ? [
        ["Calls seen 宿主调用", c.callsSeen],
        ["matched with HTTP 匹配 HTTP", c.callsHttp],
        ["matched with WebSocket 匹配 WebSocket", c.callsWebSocket],
        ["without traffic 无流量", c.callsUnmatched],
        ["Requests captured 已采集请求", c.requests],
        ["Lines written 已写入行数", status?.writer.lines ?? 0],
        ["Lines lost 丢失行数", status?.writer.dropped ?? 0],
        ["In flight 进行中", status?.inFlight ?? 0],
        ["Content 正文", status?.content ? "prompts and answers 记录正文" : "metadata only 仅元数据"],
      ]
    : [];
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>LLM logger status</title>
<style>:root{color-scheme:light dark}body{font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}table{border-collapse:collapse;width:100%;margin:1rem 0}.facts{width:auto;min-width:min(100%,26rem)}.facts td{text-align:right;font-variant-numeric:tabular-nums}th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid color-mix(in srgb,currentColor 20%,transparent)}.alarm,.notes{border:2px solid light-dark(#b3261e,#ff8a80);padding:.6rem 1rem;border-radius:6px}.alarm{font-weight:600}.notes{border-color:light-dark(#9a6700,#e3b341);list-style:none}.notes li+li{margin-top:.5rem}.live{color:light-dark(#1b6e3c,#7ddc9f)}td,.notes{overflow-wrap:anywhere}.scroll{overflow-x:auto}.scroll th{white-space:nowrap}.scroll td{min-width:4rem}.scroll td:last-child{min-width:12rem}</style></head>
<body><main><h1>LLM logger 模型调用日志</h1>
${silent ? `<p class="alarm" role="alert">Model calls were made and NOTHING was captured. The log is empty although everything looks healthy.<br>有模型调用，但没有采集到任何数据。</p>` : ""}
${notes ? `<ul class="notes" aria-label="Notes 提示">${notes}</ul>` : ""}
<p>${status ? (status.running ? `Running since 运行自 <time datetime="${escapeHtml(status.startedAt)}">${escapeHtml(new Date(status.startedAt).toLocaleString("sv-SE"))}</time>` : "Stopped 已停止") : "Not running 未运行"}</p>
<table class="facts"><tbody>${rows(numbers)}</tbody></table>
${seams ? `<div class="scroll" tabindex="0" role="region" aria-label="Seams 采集点"><table><thead><tr><th scope="col">Seam 采集点</th><th scope="col">Live 状态</th><th scope="col">Seen 数量</th><th scope="col">Why 说明</th></tr></thead><tbody>${seams}</tbody></table></div>` : ""}
</main></body></html>
`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
