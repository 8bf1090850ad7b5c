/** One self-contained page of a session: no network, content security policy by hash, data as inert JSON. */
import { createHash } from "node:crypto";
import { sessionApp } from "./session-app.ts";
import type { PageData } from "./session-data.ts";

const CSS = `
:root{color-scheme:light dark;--bg:light-dark(#fafafa,#15171a);--card:light-dark(#fff,#1e2125);--ink:light-dark(#1c1e21,#e6e8eb);--dim:light-dark(#5c636b,#9aa2ab);--line:light-dark(#dcdfe3,#33383e);--accent:light-dark(#0b5fce,#6cb0ff);--bad:light-dark(#b3261e,#ff8a80);--good:light-dark(#1b6e3c,#7ddc9f)}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:14px/1.5 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;height:100vh;display:grid;grid-template:auto 1fr/minmax(260px,36%) 1fr}
header{grid-column:1/3;display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;padding:10px 16px;border-bottom:1px solid var(--line);background:var(--card)}
h1{font-size:15px;margin:0}h3{font-size:12px;color:var(--dim);margin:12px 0 4px;overflow-wrap:anywhere}
#session{color:var(--dim);overflow-wrap:anywhere}#count{color:var(--dim)}
input{flex:1;min-width:160px;padding:6px 10px;border:1px solid var(--line);border-radius:6px;background:var(--bg);color:inherit;font:inherit}
#list{overflow:auto;border-right:1px solid var(--line)}
.row{display:block;width:100%;text-align:left;padding:8px 16px;border:0;border-bottom:1px solid var(--line);background:none;color:inherit;font:inherit;cursor:pointer}
.row:hover{background:var(--card)}.row[aria-current=true]{background:var(--card);box-shadow:inset 3px 0 var(--accent)}
.row[hidden]{display:none}
:focus-visible{outline:2px solid var(--accent);outline-offset:-2px}
.label{display:flex;gap:8px;align-items:baseline;flex-wrap:wrap}.label time{color:var(--dim);font-variant-numeric:tabular-nums}
.purpose{border:1px solid var(--line);border-radius:4px;padding:0 6px;font-size:12px}.model{flex:1;overflow-wrap:anywhere}
.outcome{color:var(--good)}.outcome.bad,.error{color:var(--bad)}
.preview{display:block;color:var(--dim);white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
.lane{display:block;height:4px;margin-top:4px;background:var(--line);border-radius:2px;position:relative}
.bar{position:absolute;left:min(var(--from),100% - 3px);width:var(--size);min-width:3px;height:4px;border-radius:2px;background:var(--accent)}.bar.bad{background:var(--bad)}
main{overflow:auto;padding:12px 20px;min-width:0}
#facts{color:var(--dim);overflow-wrap:anywhere}#facts strong{color:var(--ink)}
#tabs{display:flex;gap:4px;margin:10px 0;border-bottom:1px solid var(--line);flex-wrap:wrap}
.tab{border:0;background:none;color:inherit;font:inherit;padding:6px 12px;cursor:pointer;border-bottom:2px solid transparent}.tab[aria-selected=true]{border-color:var(--accent)}
pre{margin:0 0 8px;padding:10px 12px;background:var(--card);border:1px solid var(--line);border-radius:6px;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.55 ui-monospace,Menlo,Consolas,monospace}
pre.text{font-family:inherit;font-size:14px}pre.thinking{color:var(--dim)}pre.del{border-left:3px solid var(--bad)}pre.ins{border-left:3px solid var(--good)}
.verdict{font-weight:600}.verdict.changed{color:var(--bad)}.verdict.appended,.verdict.identical{color:var(--good)}
@media(max-width:720px){body{grid-template:auto 40vh 1fr/1fr}header{grid-column:1}#list{border-right:0;border-bottom:1px solid var(--line)}}
`;

/** The page as one HTML document. Safe to open from disk: nothing in it can load or send anything. */
export function sessionPage(data: PageData): string {
  const script = `"use strict";(${sessionApp.toString()})(document,JSON.parse(document.getElementById("data").textContent));`;
  const policy = [
    "default-src 'none'",
    `style-src '${digest(CSS)}'`,
    `script-src '${digest(script)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>LLM calls</title>
<style>${CSS}</style>
</head>
<body>
<header><h1>LLM calls 模型调用</h1><span id="session"></span><input id="search" type="search" placeholder="Search 搜索" aria-label="Search 搜索"><span id="count" role="status"></span></header>
<nav id="list" aria-label="Calls 调用"></nav>
<main><div id="facts"></div><div id="tabs" role="tablist"></div><div id="detail" role="tabpanel" tabindex="0"></div></main>
<script type="application/json" id="data">${inertJson(data)}</script>
<script>${script}</script>
</body>
</html>
`;
}

/** JSON that cannot end its script element or start a comment in it. */
function inertJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll("<", "\\u003c")
    .replaceAll("\u2028", "\\u2028")
    .replaceAll("\u2029", "\\u2029");
}

/** CSP source of an inline element. */
function digest(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
