const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Characters a reader cannot see but a model can: C0 controls, zero-width space and joiners without a script of their
 * own, bidirectional overrides (Trojan Source, CVE-2021-42574), and the Unicode tag block used for "ASCII smuggling".
 * ZWJ and ZWNJ stay: emoji, Persian and Indic text need them.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the point
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff]|\udb40[\udc00-\udfff]/g;

/** Drops characters that only a machine reads; visible text is unchanged. */
export function stripInvisible(text: string): string {
  return text.replace(INVISIBLE, "");
}

/**
 * Makes a piece of foreign text safe to stand inside an XML-like frame of a prompt: the five XML specials become
 * entities (XML 1.0, 4.6), so that the text can neither open nor close a tag, and invisible characters are dropped.
 */
export function escapeForPrompt(text: string): string {
  return stripInvisible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
