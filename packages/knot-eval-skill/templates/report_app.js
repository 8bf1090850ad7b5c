// The report page. Agent text reaches the page through textContent only.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const zh = data.locale === "zh";
  const say = (chinese, english) => (zh ? chinese : english);
  const PAGE = 50;
  const state = { grade: "", cause: "", doc: "", text: "", flipped: false, page: 0 };

  /** Control characters and direction marks written out: the eye must see what the agent sent. */
  const shown = (text) =>
    String(text).replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (c) =>
      c === "\n" || c === "\t" || c === "\r" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );

  const el = (tag, props = {}, ...children) => {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(props)) {
      if (name === "class") node.className = value;
      else if (name in node) node[name] = name === "title" ? shown(value) : value;
      else node.setAttribute(name, value);
    }
    node.append(
      ...children.filter((c) => c !== null && c !== undefined).map((c) => (c instanceof Node ? c : shown(c))),
    );
    return node;
  };

  const showTab = (name) => {
    for (const button of document.querySelectorAll(".tabs button")) {
      const on = button.dataset.tab === name;
      button.setAttribute("aria-selected", String(on));
      document.getElementById(button.dataset.tab).hidden = !on;
    }
  };
  for (const button of document.querySelectorAll(".tabs button"))
    button.addEventListener("click", () => showTab(button.dataset.tab));

  document.getElementById("theme").addEventListener("click", () => {
    const root = document.documentElement;
    const dark = root.dataset.theme
      ? root.dataset.theme === "dark"
      : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
  });

  /** The answer with its keyword spans marked; overlapping spans are joined. */
  const highlighted = (item) => {
    const spans = [
      ...item.hits.flatMap((hit) =>
        hit.spans.map((s) => ({
          ...s,
          css: "",
          title: `${hit.keyword} · ${hit.layer}${hit.because ? ` · ${hit.because}` : ""}`,
        })),
      ),
      ...item.missed.flatMap((miss) =>
        miss.spans.map((s) => ({
          ...s,
          css: "denied",
          title: `${miss.keyword} · ${say("被否定", "negated")}`,
        })),
      ),
    ].sort((a, b) => a.start - b.start || b.end - a.end);
    const parts = [];
    let at = 0;
    for (const span of spans) {
      const start = Math.max(at, span.start);
      if (span.end <= start) continue;
      parts.push(
        item.answer.slice(at, start),
        el("mark", { class: span.css, title: span.title }, item.answer.slice(start, span.end)),
      );
      at = span.end;
    }
    parts.push(item.answer.slice(at));
    return el("div", { class: "answer" }, ...parts);
  };

  const section = (title, ...content) => [el("h3", {}, title), ...content];
  const textBlock = (text) => el("div", { class: "answer" }, text);

  const review = (item) => {
    const r = item.review;
    if (!r) return [];
    const lines = [
      `${say("自动", "auto")} ${item.auto}${item.autoCause ? ` ${item.autoCause}` : ""} → ${say("复审", "review")} ${r.final_grade}${r.recommended_attribution ? ` ${r.recommended_attribution}` : ""} → ${say("最终", "final")} ${item.grade}${item.cause ? ` ${item.cause}` : ""}`,
      `${say("置信度", "confidence")} ${r.confidence}`,
      r.flip_reason && `${say("改判理由", "flip reason")}: ${r.flip_reason}`,
      `${say("语义对照", "semantic match")}: ${r.semantic_match_summary}`,
      r.missing_facts.length > 0 && `${say("缺失事实", "missing facts")}: ${r.missing_facts.join("；")}`,
      r.extra_facts.length > 0 && `${say("额外事实", "extra facts")}: ${r.extra_facts.join("；")}`,
      r.hallucination && `${say("幻觉", "hallucination")}: ${r.hallucination_evidence}`,
      r.attribution_evidence && `${say("归因证据", "attribution evidence")}: ${r.attribution_evidence}`,
      r.reviewer_notes && `${say("备注", "notes")}: ${r.reviewer_notes}`,
    ].filter(Boolean);
    return section(say("复审记录", "Review history"), ...lines.map((line) => el("div", {}, line)));
  };

  const detail = (item) => {
    const chips = el(
      "div",
      { class: "chips" },
      ...item.hits.map((hit) =>
        el("span", { class: "chip hit", title: hit.because || hit.layer }, `${hit.keyword} · ${hit.layer}`),
      ),
      ...item.missed.map((miss) =>
        el(
          "span",
          { class: "chip miss" },
          `${miss.keyword} · ${miss.reason === "negated" ? say("被否定", "negated") : say("缺失", "missing")}`,
        ),
      ),
    );
    const expected = new Set(item.docHits.map((hit) => hit.evidence));
    const chunks = item.chunks.map((chunk) =>
      el(
        "div",
        { class: expected.has(chunk.title) ? "chunk expected" : "chunk" },
        el("b", {}, `${chunk.title}${chunk.index === undefined ? "" : ` #${chunk.index}`}`),
        el("p", {}, chunk.content),
      ),
    );
    return el(
      "div",
      { class: "card detail" },
      el("div", {}, item.question),
      el(
        "div",
        { class: "muted" },
        `${item.ms} ms · ${say("首字", "first token")} ${item.first ?? "—"} ms · ${say("tokens", "tokens")} ${item.tokens ?? "—"}${item.why ? ` · ${item.why}` : ""}${item.others.length > 0 ? ` · ${say("另可能", "or")} ${item.others.join(" ")}` : ""}`,
      ),
      chips,
      el(
        "div",
        { class: "columns" },
        el(
          "div",
          {},
          ...(item.error ? section(say("错误", "Error"), textBlock(item.error)) : []),
          ...section(say("回答", "Answer"), highlighted(item)),
          ...(item.reference ? section(say("参考答案", "Reference answer"), textBlock(item.reference)) : []),
          ...review(item),
        ),
        el(
          "div",
          {},
          ...section(
            `${say("检索切片", "Retrieved chunks")} (${item.chunks.length}) · ${say("期望文档", "expected")}: ${item.docs.join("、") || "—"}`,
            ...(chunks.length > 0 ? chunks : [el("p", { class: "muted" }, "—")]),
          ),
        ),
      ),
    );
  };

  const matches = (item) =>
    (!state.grade || item.grade === state.grade) &&
    (!state.cause || item.cause === state.cause) &&
    (!state.doc || item.docs.includes(state.doc)) &&
    (!state.flipped || item.grade !== item.auto) &&
    (!state.text || `${item.id} ${item.question} ${item.answer}`.toLowerCase().includes(state.text));

  const host = document.getElementById("questions");
  const list = el("div", { id: "list" });
  const count = el("span", { class: "muted", id: "count" });
  const pager = el("div", { class: "pager" });

  const rowOf = (item, css) =>
    el(
      "button",
      { class: css, type: "button" },
      el("span", {}, `${item.id}${item.run > 0 ? ` #${item.run + 1}` : ""}`),
      el("span", { class: `badge ${item.grade}` }, item.grade),
      el("span", {}, item.question),
      el("span", {}, item.grade === "ERROR" ? "—" : `${Math.round(item.rate * 100)}%`),
      el("span", { title: data.names[item.cause] || "" }, item.cause || "—"),
    );

  const draw = () => {
    const found = data.items.filter(matches);
    const pages = Math.max(1, Math.ceil(found.length / PAGE));
    state.page = Math.min(state.page, pages - 1);
    count.textContent = `${found.length} / ${data.items.length}`;
    list.replaceChildren(
      ...found.slice(state.page * PAGE, (state.page + 1) * PAGE).flatMap((item) => {
        const row = rowOf(item, "row");
        row.setAttribute("aria-expanded", "false");
        let open = null;
        row.addEventListener("click", () => {
          if (open) open.remove();
          open = open ? null : detail(item);
          if (open) row.after(open);
          row.setAttribute("aria-expanded", String(open !== null));
        });
        return [row];
      }),
    );
    const go = (step) => () => {
      state.page += step;
      draw();
    };
    pager.replaceChildren(
      el("button", { type: "button", disabled: state.page === 0, onclick: go(-1) }, "←"),
      `${state.page + 1} / ${pages}`,
      el("button", { type: "button", disabled: state.page >= pages - 1, onclick: go(1) }, "→"),
    );
  };

  const choice = (key, label, values, name = (v) => v) => {
    const select = el(
      "select",
      { id: `f-${key}`, "aria-label": label },
      el("option", { value: "" }, label),
      ...values.map((v) => el("option", { value: v }, name(v))),
    );
    select.addEventListener("change", () => {
      state[key] = select.value;
      state.page = 0;
      draw();
    });
    return select;
  };
  const unique = (values) => [...new Set(values.filter(Boolean))].sort();
  const search = el("input", {
    type: "search",
    id: "f-text",
    placeholder: say("搜索题号、问题、回答", "search id, question, answer"),
  });
  search.addEventListener("input", () => {
    state.text = search.value.trim().toLowerCase();
    state.page = 0;
    draw();
  });
  const flipped = el("input", { type: "checkbox", id: "f-flipped" });
  flipped.addEventListener("change", () => {
    state.flipped = flipped.checked;
    state.page = 0;
    draw();
  });
  host.append(
    el(
      "div",
      { class: "filters" },
      choice("grade", say("等级", "grade"), ["PASS", "PARTIAL", "FAIL", "ERROR"]),
      choice(
        "cause",
        say("归因", "attribution"),
        unique(data.items.map((i) => i.cause)),
        (c) => `${c} ${data.names[c] || ""}`,
      ),
      choice("doc", say("文档", "document"), unique(data.items.flatMap((i) => i.docs))),
      search,
      el("label", {}, flipped, ` ${say("仅改判", "flipped only")}`),
      count,
    ),
    el(
      "div",
      { class: "rowhead" },
      ...[
        say("题号", "id"),
        say("等级", "grade"),
        say("问题", "question"),
        say("关键词", "keywords"),
        say("归因", "cause"),
      ].map((name) => el("span", {}, name)),
    ),
    list,
    pager,
  );
  draw();

  // The overview ends with what to look at first: errors, then the lowest keyword rates.
  const order = ["ERROR", "FAIL", "PARTIAL"];
  const open = data.items
    .filter((item) => order.includes(item.grade))
    .sort((a, b) => order.indexOf(a.grade) - order.indexOf(b.grade) || a.rate - b.rate);
  if (open.length > 0) {
    const SHOWN = 8;
    const rows = open.slice(0, SHOWN).map((item) => {
      const row = rowOf(item, "lead");
      row.addEventListener("click", () => {
        state.text = "";
        state.flipped = false;
        for (const key of ["grade", "cause", "doc"]) {
          state[key] = "";
          document.getElementById(`f-${key}`).value = "";
        }
        search.value = "";
        flipped.checked = false;
        const at = data.items.indexOf(item);
        state.page = Math.floor(at / PAGE);
        draw();
        showTab("questions");
        const target = list.querySelectorAll(".row")[at % PAGE];
        target.click();
        target.scrollIntoView({ block: "center" });
      });
      return row;
    });
    document
      .getElementById("overview")
      .append(
        el(
          "div",
          { class: "card attention" },
          el(
            "h2",
            {},
            `${say("先看这些题", "Look at these first")}${open.length > SHOWN ? ` (${SHOWN} / ${open.length})` : ""}`,
          ),
          ...rows,
        ),
      );
  }
})();
