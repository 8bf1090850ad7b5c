import MarkdownIt from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";

/**
 * Markdown to HTML for reports that quote foreign text: no raw HTML, only http(s) and mailto links, no remote
 * image (an image becomes its alternative text), emphasis next to CJK punctuation works (`**具体：**与其说`).
 */
export function makeMarkdown(): InstanceType<typeof MarkdownIt> {
  const md = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: false });
  md.use(cjkFriendly);
  md.validateLink = (url) => /^(?:https?:|mailto:|#)/i.test(url.trim());
  md.renderer.rules.image = (tokens, index) => {
    const token = tokens[index];
    return md.utils.escapeHtml(`[${token?.content || "image"}]`);
  };
  // Column alignment as a class: the page's policy allows no inline style.
  for (const rule of ["td_open", "th_open"] as const) {
    md.renderer.rules[rule] = (tokens, index, options, _env, self) => {
      const token = tokens[index];
      const align = /text-align:\s*(right|center)/.exec(String(token?.attrGet("style") ?? ""))?.[1];
      if (token) token.attrs = (token.attrs ?? []).filter(([name]) => name !== "style");
      if (align) token?.attrSet("class", align);
      return self.renderToken(tokens, index, options);
    };
  }
  const openLink =
    md.renderer.rules.link_open ??
    ((tokens, index, options, _env, self) => self.renderToken(tokens, index, options));
  md.renderer.rules.link_open = (tokens, index, options, env, self) => {
    tokens[index]?.attrSet("rel", "noopener noreferrer nofollow");
    tokens[index]?.attrSet("target", "_blank");
    return openLink(tokens, index, options, env, self);
  };
  return md;
}

/** Renders a Markdown report to an HTML fragment. */
export function markdownToHtml(markdown: string): string {
  return makeMarkdown().render(markdown);
}

/** Parts larger than this are cut at the next heading. */
const PART_CHARS = 64 * 1024;

/** Cuts Markdown at headings outside of fenced blocks; headings start new blocks, so the parts render alone. */
export function* splitAtHeadings(markdown: string, size = PART_CHARS): Generator<string> {
  let fence: string | undefined;
  let lines: string[] = [];
  let length = 0;
  for (const line of markdown.split("\n")) {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && length >= size && /^#{1,6} /.test(line)) {
      yield lines.join("\n");
      lines = [];
      length = 0;
    }
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark[0] === fence[0] && mark.length >= fence.length && line.trim() === mark) fence = undefined;
    }
    lines.push(line);
    length += line.length + 1;
  }
  yield lines.join("\n");
}

/** A report as HTML, part by part. */
export function* markdownToHtmlParts(markdown: string): Generator<string> {
  const md = makeMarkdown();
  for (const part of splitAtHeadings(markdown)) yield md.render(part);
}
