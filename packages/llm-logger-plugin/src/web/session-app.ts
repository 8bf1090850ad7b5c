/**
 * The script of the session page. It is put into the page as text (`sessionApp.toString()`), so it must not use anything
 * from outside itself. All texts go in as text nodes: what a model said is never markup.
 */
import type { PageCall, PageData } from "./session-data.ts";

/** The part of the DOM that is used; this package is compiled without the browser's types. */
export interface PageElement {
  textContent: string | null;
  className: string;
  hidden: boolean;
  value: string;
  id: string;
  style: { setProperty(name: string, value: string): void };
  append(...children: (PageElement | string)[]): void;
  replaceChildren(...children: (PageElement | string)[]): void;
  setAttribute(name: string, value: string): void;
  addEventListener(type: string, listener: (event: { key?: string; preventDefault(): void }) => void): void;
  focus(): void;
}

export interface PageDocument {
  title: string;
  createElement(tag: string): PageElement;
  getElementById(id: string): PageElement | null;
}

export function sessionApp(document: PageDocument, data: PageData): void {
  const byId = (id: string): PageElement => document.getElementById(id) ?? document.createElement("div");
  const make = (tag: string, className: string, ...children: (PageElement | string)[]): PageElement => {
    const element = document.createElement(tag);
    element.className = className;
    element.append(...children);
    return element;
  };
  const duration = (ms: number | null): string =>
    ms === null ? "–" : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
  const clock = (at: number): string => new Date(at).toLocaleTimeString([], { hour12: false });
  const dayOf = (at: number): string => new Date(at).toLocaleDateString();
  const text = (call: PageCall): string =>
    [
      call.model,
      call.purpose,
      call.outcome,
      call.error,
      call.answer.text,
      call.answer.thinking,
      ...call.answer.tools.map((tool) => tool.name + tool.args),
      ...call.messages.map((message) => message.text),
    ]
      .join("\n")
      .toLowerCase();

  const begin = Math.min(...data.calls.map((call) => call.at));
  const end = Math.max(...data.calls.map((call) => call.at + (call.durationMs ?? 0)));
  const span = Math.max(1, end - begin);
  const rows: { call: PageCall; row: PageElement; haystack: string }[] = [];
  let current: PageCall | undefined = data.calls[0];
  let tab = "answer";

  const tabs: { id: string; label: string; render: (call: PageCall) => PageElement[] }[] = [
    {
      id: "answer",
      label: "Answer 回答",
      render: (call) => {
        const parts: PageElement[] = [];
        if (call.error) parts.push(make("pre", "error", call.error));
        if (call.answer.thinking)
          parts.push(make("h3", "", "Thinking 思考"), make("pre", "thinking", call.answer.thinking));
        if (call.answer.text || call.answer.tools.length === 0)
          parts.push(make("pre", "text", call.answer.text || "(no text 无文本)"));
        for (const tool of call.answer.tools)
          parts.push(make("h3", "", `Tool 工具: ${tool.name}`), make("pre", "tool", tool.args));
        return parts;
      },
    },
    {
      id: "request",
      label: "Prompt 提示词",
      render: (call) =>
        call.messages.map((message) =>
          make("section", "message", make("h3", "", message.role), make("pre", "", message.text)),
        ),
    },
    {
      id: "diff",
      label: "Diff 变化",
      render: (call) => {
        if (!call.diff)
          return [
            make(
              "p",
              "note",
              "First call of its kind, or no bodies in the log. 首次调用，或日志中没有正文。",
            ),
          ];
        const lines = [make("p", `verdict ${call.diff.verdict}`, `${call.diff.verdict}: ${call.diff.note}`)];
        if (call.diff.verdict === "changed")
          lines.push(make("pre", "del", `- ${call.diff.before}`), make("pre", "ins", `+ ${call.diff.after}`));
        return lines;
      },
    },
    {
      id: "raw",
      label: "Raw 原始数据",
      render: (call) =>
        call.raw.map((item) =>
          make("section", "message", make("h3", "", item.title), make("pre", "", item.text)),
        ),
    },
  ];

  const tabButtons = tabs.map(({ id, label }) => {
    const button = make("button", "tab", label);
    button.setAttribute("role", "tab");
    button.setAttribute("type", "button");
    button.addEventListener("click", () => {
      tab = id;
      show();
    });
    button.setAttribute("aria-controls", "detail");
    button.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (step === 0) return;
      event.preventDefault();
      const at = tabs.findIndex((one) => one.id === tab);
      tab = tabs[(at + step + tabs.length) % tabs.length]?.id ?? tab;
      show();
      tabButtons.find((one) => one.id === tab)?.button.focus();
    });
    return { id, button };
  });
  byId("tabs").append(...tabButtons.map(({ button }) => button));

  function show(): void {
    for (const { id, button } of tabButtons) {
      button.setAttribute("aria-selected", String(id === tab));
      button.setAttribute("tabindex", id === tab ? "0" : "-1");
    }
    for (const { call, row } of rows) row.setAttribute("aria-current", String(call === current));
    const call = current;
    if (!call) {
      byId("detail").replaceChildren(make("p", "note", "No calls. 没有调用。"));
      return;
    }
    const facts = [
      new Date(call.at).toLocaleString([], { hour12: false }),
      call.model,
      call.purpose,
      `${call.outcome}${call.status === null ? "" : ` ${call.status}`}`,
      `first byte 首字节 ${duration(call.ttfbMs)}`,
      `whole 总计 ${duration(call.durationMs)}`,
      call.tokens && `tokens ${call.tokens}`,
      call.cost,
    ].filter(Boolean);
    byId("facts").replaceChildren(make("strong", "", call.id), ` ${facts.join(" · ")}`);
    byId("detail").replaceChildren(...(tabs.find(({ id }) => id === tab)?.render(call) ?? []));
  }

  let day = data.calls[0] ? dayOf(data.calls[0].at) : "";
  for (const call of data.calls) {
    const today = dayOf(call.at);
    const when = today === day ? clock(call.at) : `${today} ${clock(call.at)}`;
    day = today;
    const bar = make("span", call.ok ? "bar" : "bar bad");
    bar.style.setProperty("--from", `${((call.at - begin) / span) * 100}%`);
    bar.style.setProperty("--size", `${Math.max(0.5, ((call.durationMs ?? 0) / span) * 100)}%`);
    const label = make(
      "span",
      "label",
      make("time", "", when),
      make("span", `purpose ${call.purpose}`, call.purpose),
      make("span", "model", call.model),
      make("span", call.ok ? "outcome" : "outcome bad", call.ok ? duration(call.durationMs) : call.outcome),
    );
    const preview = make(
      "span",
      "preview",
      (
        call.error ||
        call.answer.text ||
        call.answer.tools.map((tool) => `[${tool.name}]`).join(" ") ||
        (call.outcome === "no_http" ? "no traffic was seen 未见流量" : "–")
      ).slice(0, 120),
    );
    const row = make("button", "row", label, preview, make("span", "lane", bar));
    row.setAttribute("type", "button");
    row.addEventListener("click", () => {
      current = call;
      show();
    });
    rows.push({ call, row, haystack: text(call) });
  }
  byId("list").append(...rows.map(({ row }) => row));

  const search = byId("search");
  const filter = (): void => {
    const wanted = search.value.trim().toLowerCase();
    let shown = 0;
    for (const { row, haystack } of rows) {
      row.hidden = wanted !== "" && !haystack.includes(wanted);
      if (!row.hidden) shown++;
    }
    byId("count").textContent = `${shown} / ${rows.length}`;
  };
  search.addEventListener("input", filter);
  document.title = `LLM calls ${data.session}`;
  byId("session").textContent = data.session;
  filter();
  show();
}
