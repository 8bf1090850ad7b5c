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
