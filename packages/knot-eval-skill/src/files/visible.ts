/**
 * Foreign text (answers, titles, error messages of servers) on its way to a terminal or a report.
 *
 * Terminal escapes, other control characters and bidirectional overrides ("Trojan Source", CVE-2021-42574) are
 * written out as \uXXXX, which is also what they are in JSON, so that JSON output means what it meant. Line feeds
 * and tabs stay; CRLF and CR become line feeds.
 */
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, (c) =>
      c === "\n" || c === "\t" ? c : `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
    );
}
