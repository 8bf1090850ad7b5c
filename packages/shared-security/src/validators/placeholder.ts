/**
 * Whether a value only stands for a secret: a reference to a variable, a template hole, a mask, or the words that
 * documentation writes in its place.
 */
export function isPlaceholder(value: string): boolean {
  return REFERENCE.test(value) || MASK.test(value) || DUMMY_WORDS.test(value);
}

/** `$NAME`, `${...}`, `$(...)`, `%NAME%`, `{{...}}`, `<...>`, `[...]`, `#{...}`, `@{...}`, `...`, process.env.X, a call. */
const REFERENCE =
  /^(?:\$[\w{(]|%[A-Za-z_]\w*%$|%[sdv]|\{|<|\[|[#@]\{|\.\.\.|…|process\.env|os\.environ|import\.meta|env[.:(]|secrets\.)|\$\{|\{\{|[\w\])]\($/i;

/** One character over and over, or a few marks of a mask: `xxxx`, `****`, `sk-...`, `abc…`. */
const MASK = /^(.)\1*$|\*{3}|x{5}|X{4}|\.{3}|…|•|#{3}|_{4}/;

const DUMMY_WORDS =
  /^(?:your|my|the|a|an|some|insert|enter|put|add|replace|change|set|use|new|old|current|existing)[-_ ]|^your|(?:placeholder|changeme|change[-_]me|replace[-_]?me|redacted|dummy|goes[-_]?here|[-_]here$|todo|fixme|not[-_]?set|undefined|null|none|true|false|string$)|(?:^|[-_. ])example(?:[-_. ]|$)/i;
